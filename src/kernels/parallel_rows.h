#pragma once

#include <cstdint>
#include <functional>

namespace tritonrl::kernels {

// Calls `work(begin, end)` for ranges that cover [0, count), on torch's threads where there are several and the ranges
// have at least `grain` items. Which ranges depends on the number of threads: results must not depend on the ranges.
void for_each_range(std::int64_t count, std::int64_t grain,
                    const std::function<void(std::int64_t, std::int64_t)>& work);

// How many ranges run at once; torch's own operators use as many threads.
int thread_count();
void set_thread_count(int count);

}  // namespace tritonrl::kernels
