#include "sandbox/environment.h"

#include <gtest/gtest.h>

namespace tritonrl::sandbox {
namespace {

TEST(GuestEnvironment, AGuestOnAGpuSeesThatOneOverOneConnection) {
  const Environment environment = guest_environment(Policy::deny_all().allow_gpu(3), "/tmp");
  EXPECT_EQ(environment.at("CUDA_VISIBLE_DEVICES"), "3");
  EXPECT_EQ(environment.at("CUDA_DEVICE_MAX_CONNECTIONS"), "1");
}

TEST(GuestEnvironment, AGuestWithoutAGpuIsToldOfNone) {
  for (const auto& [name, value] : guest_environment(Policy::deny_all(), "/tmp")) {
    EXPECT_FALSE(name.starts_with("CUDA")) << name;
  }
}

}  // namespace
}  // namespace tritonrl::sandbox
