#include "verify/launch_request.h"

#include <algorithm>
#include <string>

#include "verify/frame_bytes.h"
#include "verify/wire.h"

namespace tritonrl::verify {
namespace {

ttir::Argument argument_of(const wire::LaunchArgument& given, std::string_view name) {
  ttir::Argument argument;
  argument.integer = given.integer;
  argument.real = given.real;
  argument.extent = {.name = std::string(name),
                     .begin = given.extent_begin,
                     .end = given.extent_end,
                     .known = given.extent_begin != 0 || given.extent_end != 0};
  argument.shape = given.shape;
  argument.strides = given.strides;
  argument.rank = std::clamp(given.rank, 0, 5);
  argument.nan_padding = given.nan_padding != 0;
  return argument;
}

}  // namespace

std::optional<LaunchRequest> parse_launch_request(std::string_view payload) {
  wire::LaunchRequest head;
  if (!take(payload, head)) return std::nullopt;
  if (head.arguments > payload.size() / sizeof(wire::LaunchArgument)) return std::nullopt;
  std::string_view names = payload.substr(head.arguments * sizeof(wire::LaunchArgument));
  LaunchRequest request{.kernel = head.kernel, .grid = {head.grid[0], head.grid[1], head.grid[2]}, .arguments = {}};
  for (std::uint32_t n = 0; n < head.arguments; ++n) {
    wire::LaunchArgument given;
    take(payload, given);
    if (given.name_bytes > names.size()) return std::nullopt;
    request.arguments.push_back(argument_of(given, names.substr(0, given.name_bytes)));
    names.remove_prefix(given.name_bytes);
  }
  return request;
}

}  // namespace tritonrl::verify
