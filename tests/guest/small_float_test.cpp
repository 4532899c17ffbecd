#include "small_float.h"

#include <gtest/gtest.h>

#include <limits>

namespace tritonrl::guest {
namespace {

TEST(SmallFloatTest, HalvesRoundToNearestAndTiesToEven) {
  EXPECT_EQ(to_float16(0.0), 0x0000);
  EXPECT_EQ(to_float16(-0.0), 0x8000);
  EXPECT_EQ(to_float16(1.0), 0x3C00);
  EXPECT_EQ(to_float16(-2.5), 0xC100);
  EXPECT_EQ(to_float16(65504.0), 0x7BFF);
  EXPECT_EQ(to_float16(65519.9), 0x7BFF);
  EXPECT_EQ(to_float16(65520.0), 0x7C00);
  EXPECT_EQ(to_float16(1.0 + 0x1p-11), 0x3C00);
  EXPECT_EQ(to_float16(1.0 + 3 * 0x1p-11), 0x3C02);
  EXPECT_EQ(to_float16(2.0 - 0x1p-12), 0x4000);
  EXPECT_EQ(to_float16(0x1p-24), 0x0001);
  EXPECT_EQ(to_float16(0x1p-14 - 0x1p-26), 0x0400);
  EXPECT_EQ(to_float16(0x1p-26), 0x0000);
}

TEST(SmallFloatTest, BrainFloatsToo) {
  EXPECT_EQ(to_bfloat16(1.0), 0x3F80);
  EXPECT_EQ(to_bfloat16(-3.0), 0xC040);
  EXPECT_EQ(to_bfloat16(1.0 + 0x1p-8), 0x3F80);
  EXPECT_EQ(to_bfloat16(1.0 + 3 * 0x1p-8), 0x3F82);
  EXPECT_EQ(to_bfloat16(std::numeric_limits<double>::infinity()), 0x7F80);
}

TEST(SmallFloatTest, WhatIsNoNumberStaysNone) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(to_float16(nan) & 0x7E00, 0x7E00);
  EXPECT_EQ(to_bfloat16(nan) & 0x7FC0, 0x7FC0);
}

}  // namespace
}  // namespace tritonrl::guest
