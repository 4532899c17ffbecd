#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "ttir/launch.h"

namespace tritonrl::verify {

// A launch that a guest asks for, as the executor takes it.
struct LaunchRequest {
  std::uint64_t kernel = 0;
  ttir::ProgramId grid{};
  std::vector<ttir::Argument> arguments;

  double programs() const { return double(grid[0]) * double(grid[1]) * double(grid[2]); }
};

// The payload of a kLaunch frame; nothing when it makes no sense.
std::optional<LaunchRequest> parse_launch_request(std::string_view payload);

}  // namespace tritonrl::verify
