#ifndef TRITONRL_HARNESS_LAUNCH_REQUEST_H
#define TRITONRL_HARNESS_LAUNCH_REQUEST_H

#include <cstdint>
#include <span>
#include <string>

#include "ttir/c_api.h"

namespace tritonrl::guest {

// The payload of a kLaunch frame.
std::string launch_request(std::uint64_t kernel, const std::uint32_t grid[3],
                           std::span<const tritonrl_argument> arguments);

}  // namespace tritonrl::guest

#endif
