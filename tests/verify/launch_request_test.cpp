#include "verify/launch_request.h"

#include <gtest/gtest.h>

#include <string>

#include "verify/frame_bytes.h"
#include "verify/wire.h"

namespace tritonrl::verify {
namespace {

std::string payload_of(std::uint32_t arguments, std::uint32_t name_bytes, std::string_view names) {
  std::string payload(bytes_of(wire::LaunchRequest{.kernel = 3, .grid = {4, 5, 6}, .arguments = arguments}));
  for (std::uint32_t n = 0; n < arguments; ++n) {
    payload += bytes_of(wire::LaunchArgument{
        .integer = 7 + n, .extent_begin = 64, .extent_end = 128, .nan_padding = 1, .name_bytes = name_bytes});
  }
  return payload.append(names);
}

TEST(LaunchRequest, HoldsGridArgumentsAndTheirNames) {
  const auto request = parse_launch_request(payload_of(2, 1, "xy"));
  ASSERT_TRUE(request);
  EXPECT_EQ(request->kernel, 3U);
  EXPECT_EQ(request->programs(), 120);
  ASSERT_EQ(request->arguments.size(), 2U);
  EXPECT_EQ(request->arguments[1].integer, 8);
  EXPECT_EQ(request->arguments[1].extent.name, "y");
  EXPECT_TRUE(request->arguments[1].extent.known);
  EXPECT_TRUE(request->arguments[1].nan_padding);
}

TEST(LaunchRequest, IsNothingWhenBytesAreMissing) {
  const std::string whole = payload_of(2, 1, "xy");
  for (std::size_t bytes = 0; bytes < whole.size(); ++bytes) {
    EXPECT_FALSE(parse_launch_request(std::string_view(whole).substr(0, bytes))) << bytes;
  }
}

TEST(LaunchRequest, IsNothingWhenItClaimsMoreArgumentsThanItHas) {
  std::string payload(bytes_of(wire::LaunchRequest{.kernel = 1, .grid = {1, 1, 1}, .arguments = 0xffff'ffff}));
  EXPECT_FALSE(parse_launch_request(payload));
}

}  // namespace
}  // namespace tritonrl::verify
