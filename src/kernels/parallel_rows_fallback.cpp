#include "kernels/parallel_rows.h"

namespace tritonrl::kernels {

// Without torch, as in the fuzz preset: one thread.
void for_each_range(std::int64_t count, std::int64_t /*grain*/,
                    const std::function<void(std::int64_t, std::int64_t)>& work) {
  if (count > 0) work(0, count);
}

int thread_count() { return 1; }
void set_thread_count(int /*count*/) {}

}  // namespace tritonrl::kernels
