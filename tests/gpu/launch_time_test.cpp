#include "gpu/launch_time.h"

#include <gtest/gtest.h>

#include "gpu/context.h"
#include "gpu_test.h"

namespace tritonrl::gpu {
namespace {

TEST(LaunchTime, NoContextIsFasterThanTheLeast) {
  if (!has_gpu()) GTEST_SKIP() << "there is no GPU";
  const Context context(0);
  const double least = context.least_launch_us();
  ASSERT_GT(least, 0.2);
  EXPECT_LT(least, 20);
  const double own = launch_us(Driver::get().api());
  EXPECT_TRUE(is_least(least, own)) << own << " here, " << least << " at least";
}

TEST(LaunchTime, NoiseIsNoDifference) {
  EXPECT_TRUE(is_least(1.82, 1.80));
  EXPECT_TRUE(is_least(1.70, 1.80));
  EXPECT_FALSE(is_least(1.95, 1.80));
}

}  // namespace
}  // namespace tritonrl::gpu
