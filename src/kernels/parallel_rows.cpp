#include "kernels/parallel_rows.h"

#include <ATen/Parallel.h>

namespace tritonrl::kernels {

void for_each_range(std::int64_t count, std::int64_t grain,
                    const std::function<void(std::int64_t, std::int64_t)>& work) {
  at::parallel_for(0, count, grain, work);
}

int thread_count() { return at::get_num_threads(); }
void set_thread_count(int count) { at::set_num_threads(count); }

}  // namespace tritonrl::kernels
