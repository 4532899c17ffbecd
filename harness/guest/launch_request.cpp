#include "launch_request.h"

#include <algorithm>
#include <string_view>

#include "verify/frame_bytes.h"
#include "verify/wire.h"

namespace tritonrl::guest {

namespace wire = verify::wire;
using verify::bytes_of;

std::string launch_request(std::uint64_t kernel, const std::uint32_t grid[3],
                           std::span<const tritonrl_argument> arguments) {
  const wire::LaunchRequest request{
      .kernel = kernel, .grid = {grid[0], grid[1], grid[2]}, .arguments = static_cast<std::uint32_t>(arguments.size())};
  std::string payload(bytes_of(request));
  std::string names;
  for (const tritonrl_argument& given : arguments) {
    const std::string_view name = given.name == nullptr ? "" : given.name;
    wire::LaunchArgument argument{.kind = given.kind,
                                  .rank = given.rank,
                                  .integer = given.integer,
                                  .real = given.real,
                                  .extent_begin = given.extent_begin,
                                  .extent_end = given.extent_end,
                                  .nan_padding = given.nan_padding,
                                  .name_bytes = static_cast<std::uint32_t>(name.size())};
    std::ranges::copy(given.shape, argument.shape.begin());
    std::ranges::copy(given.strides, argument.strides.begin());
    payload.append(bytes_of(argument));
    names.append(name);
  }
  return payload + names;
}

}  // namespace tritonrl::guest
