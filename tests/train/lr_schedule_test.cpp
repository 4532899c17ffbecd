#include "train/lr_schedule.h"

#include <gtest/gtest.h>

namespace tritonrl::train {
namespace {

TEST(LrSchedule, WarmsUpThenFallsToItsFinalShare) {
  const LrSchedule schedule{
      .peak = 1, .warmup_steps = 4, .total_steps = 104, .decay = Decay::kCosine, .final_share = 0.1};
  EXPECT_DOUBLE_EQ(schedule.at(0), 0.25);
  EXPECT_DOUBLE_EQ(schedule.at(3), 1);
  EXPECT_DOUBLE_EQ(schedule.at(4), 1);
  EXPECT_DOUBLE_EQ(schedule.at(54), 0.55);
  EXPECT_NEAR(schedule.at(104), 0.1, 1e-12);
  EXPECT_NEAR(schedule.at(1000), 0.1, 1e-12);
}

TEST(LrSchedule, IsLinearOrConstantWhenAskedTo) {
  EXPECT_DOUBLE_EQ((LrSchedule{.peak = 2, .total_steps = 10, .decay = Decay::kLinear, .final_share = 0}).at(5), 1);
  EXPECT_DOUBLE_EQ((LrSchedule{.peak = 2, .total_steps = 10, .decay = Decay::kConstant}).at(9), 2);
}

}  // namespace
}  // namespace tritonrl::train
