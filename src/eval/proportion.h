#pragma once

#include <cstdint>

#include "eval/bootstrap.h"

namespace tritonrl::eval {

// `passed` of `cases` as a share, with Wilson's 95 % interval; NaN where there is no case.
Interval proportion(std::int64_t passed, std::int64_t cases);

}  // namespace tritonrl::eval
