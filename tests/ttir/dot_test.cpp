#include "ttir/lanes/dot.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "ttir/lanes/float_format.h"
#include "ttir/lanes/lanes_table.h"

namespace tritonrl::ttir {
namespace {

std::vector<float> numbers(std::size_t count, std::uint32_t seed) {
  std::mt19937 generator(seed);
  std::normal_distribution<float> normal;
  std::vector<float> values(count);
  for (float& value : values) value = normal(generator);
  return values;
}

struct Problem {
  DotShape shape;
  std::vector<float> a, b, c;

  explicit Problem(const DotShape& s)
      : shape(s),
        a(numbers(s.batch * s.m * s.k, 1)),
        b(numbers(s.batch * s.k * s.n, 2)),
        c(numbers(s.batch * s.m * s.n, 3)) {}

  std::vector<float> run(Element element, Element accumulator, DotPrecision precision) const {
    std::vector<float> out(c.size());
    dot(element, element, accumulator, precision)(out.data(), a.data(), b.data(), c.data(), shape);
    return out;
  }

  template <class Scalar>
  std::vector<Scalar> naive(Scalar (*fma)(Scalar, Scalar, Scalar)) const {
    std::vector<Scalar> out(c.begin(), c.end());
    for (std::size_t p = 0; p < shape.batch; ++p) {
      for (std::size_t i = 0; i < shape.m; ++i) {
        for (std::size_t j = 0; j < shape.n; ++j) {
          Scalar& sum = out[(p * shape.m + i) * shape.n + j];
          for (std::size_t l = 0; l < shape.k; ++l) {
            sum = fma(a[(p * shape.m + i) * shape.k + l], b[(p * shape.k + l) * shape.n + j], sum);
          }
        }
      }
    }
    return out;
  }
};

const std::vector<DotShape> kShapes = {{1, 16, 16, 16}, {1, 64, 128, 32}, {2, 8, 48, 7},  {1, 1, 1, 1},
                                       {1, 3, 5, 9},    {3, 9, 33, 4},    {1, 17, 31, 1}, {1, 4, 8, 0}};

TEST(Dot, IsTheFmaLoopToTheBit) {
  for (const DotShape& shape : kShapes) {
    const Problem problem(shape);
    EXPECT_EQ(problem.run(Element::kF32, Element::kF32, DotPrecision::kIeee), problem.naive<float>(std::fma))
        << shape.m << "x" << shape.n << "x" << shape.k;
  }
}

TEST(Dot, EveryInstructionSetGivesTheSameBits) {
  for (const lanes::Isa isa : {lanes::Isa::kBaseline, lanes::Isa::kV3, lanes::Isa::kV4}) {
    const lanes::Table* table = lanes::table_of(isa);
    if (table == nullptr) continue;
    for (const DotShape& shape : kShapes) {
      const Problem problem(shape);
      std::vector<float> out(problem.c.size());
      table->float_dot(out.data(), problem.a.data(), problem.b.data(), problem.c.data(), shape);
      EXPECT_EQ(out, problem.naive<float>(std::fma));
      const std::vector<double> a(problem.a.begin(), problem.a.end());
      const std::vector<double> b(problem.b.begin(), problem.b.end());
      std::vector<double> sum(problem.c.begin(), problem.c.end());
      table->double_dot(sum.data(), a.data(), b.data(), sum.data(), shape);
      EXPECT_EQ(sum, problem.naive<double>(std::fma));
    }
  }
}

TEST(Dot, IsCloseToTheExactProduct) {
  const Problem problem({1, 32, 32, 64});
  const std::vector<double> exact = problem.naive<double>(std::fma);
  const auto expect_within = [&](DotPrecision precision, double bound) {
    const std::vector<float> got = problem.run(Element::kF32, Element::kF32, precision);
    for (std::size_t i = 0; i < got.size(); ++i) ASSERT_NEAR(got[i], exact[i], bound);
  };
  expect_within(DotPrecision::kIeee, 2e-5);
  expect_within(DotPrecision::kTf32, 5e-2);
  expect_within(DotPrecision::kTf32x3, 5e-5);
  expect_within(DotPrecision::kBf16x3, 5e-3);
  expect_within(DotPrecision::kBf16x6, 5e-5);
}

TEST(Dot, Tf32CutsOperandsOff) {
  const float a = 1.0F + 0x1.ffep-11F;  // all but the last of the bits under tf32's
  const float b = 1.0F;
  const float c = 0.0F;
  float out = -1.0F;
  dot(Element::kF32, Element::kF32, Element::kF32, DotPrecision::kTf32)(&out, &a, &b, &c, {1, 1, 1, 1});
  EXPECT_EQ(out, 1.0F);
}

TEST(Dot, PartsKeepInfinity) {
  const float a = std::numeric_limits<float>::infinity();
  const float b = 1.0F;
  const float c = 2.0F;
  for (const DotPrecision precision : {DotPrecision::kTf32x3, DotPrecision::kBf16x3, DotPrecision::kBf16x6}) {
    float out = 0.0F;
    dot(Element::kF32, Element::kF32, Element::kF32, precision)(&out, &a, &b, &c, {1, 1, 1, 1});
    EXPECT_EQ(out, a);
  }
}

TEST(Dot, NarrowAccumulatorIsRoundedAtTheEnd) {
  const std::vector<float> a = {1.0F, 0x1p-12F, 0x1p-12F};
  const std::vector<float> b = {1.0F, 1.0F, 1.0F};
  const float c = 0.0F;
  float out = 0.0F;
  dot(Element::kF16, Element::kF16, Element::kF16, DotPrecision::kIeee)(&out, a.data(), b.data(), &c, {1, 1, 1, 3});
  EXPECT_EQ(out, 1.0F);  // 1 + 2^-11 is halfway
}

TEST(Dot, OutMayBeTheAccumulator) {
  for (const DotPrecision precision : {DotPrecision::kIeee, DotPrecision::kTf32x3}) {
    Problem problem({1, 16, 32, 16});
    const std::vector<float> apart = problem.run(Element::kF32, Element::kF32, precision);
    dot(Element::kF32, Element::kF32, Element::kF32, precision)(problem.c.data(), problem.a.data(), problem.b.data(),
                                                                problem.c.data(), problem.shape);
    EXPECT_EQ(problem.c, apart);
  }
}

TEST(Dot, BytesAreSignedAndSumsWrap) {
  const std::vector<std::int8_t> a = {-128, 127};
  const std::vector<std::int8_t> b = {-128, 1, 127, -1};
  const std::vector<std::int32_t> c = {std::numeric_limits<std::int32_t>::max(), 0};
  std::vector<std::int32_t> out(2);
  dot(Element::kI8, Element::kI8, Element::kI32, DotPrecision::kIeee)(out.data(), a.data(), b.data(), c.data(),
                                                                      {1, 1, 2, 2});
  EXPECT_EQ(out[0], static_cast<std::int32_t>(0x7fffffffU + 16384U + 16129U));
  EXPECT_EQ(out[1], -128 - 127);
}

TEST(Dot, WhatTritonRefusesHasNone) {
  EXPECT_EQ(dot(Element::kI8, Element::kI8, Element::kF32, DotPrecision::kIeee), nullptr);
  EXPECT_EQ(dot(Element::kF64, Element::kF32, Element::kF32, DotPrecision::kIeee), nullptr);
  EXPECT_EQ(dot(Element::kI32, Element::kI32, Element::kI32, DotPrecision::kIeee), nullptr);
}

TEST(DecodeScaled, ScalesEachGroupOf32) {
  const DotShape shape{1, 2, 1, 64};
  const std::vector<float> values(2 * 64, 1.5F);
  const std::vector<std::uint8_t> scales = {127, 128, 0, 255};
  std::vector<float> out(values.size());
  decode_scaled_lhs("e4m3", values.data(), scales.data(), shape, true, out.data());
  EXPECT_EQ(out[0], 1.5F);
  EXPECT_EQ(out[32], 3.0F);
  EXPECT_EQ(out[64], 0.0F);
  EXPECT_TRUE(std::isnan(out[96]));
}

TEST(DecodeScaled, RoundsInTheComputeType) {
  const DotShape shape{1, 1, 1, 32};
  const std::vector<float> values(32, 1.75F);
  const std::vector<std::uint8_t> scales = {127 + 16};
  std::vector<float> out(32);
  decode_scaled_lhs("e5m2", values.data(), scales.data(), shape, true, out.data());
  EXPECT_EQ(out[0], 0x1.cp16F);
  decode_scaled_lhs("e5m2", values.data(), scales.data(), shape, true, out.data(), Element::kF16);
  EXPECT_TRUE(std::isinf(out[0]));
}

TEST(DecodeScaled, UnpacksPairsAlongEitherDimension) {
  const DotShape shape{1, 2, 2, 2};
  const std::vector<std::uint8_t> bytes = {0x21, 0xf7};  // 0.5 1 | 6 -6
  std::vector<float> out(4);
  decode_scaled_lhs("e2m1", bytes.data(), nullptr, shape, true, out.data());
  EXPECT_EQ(out, (std::vector<float>{0.5F, 1.0F, 6.0F, -6.0F}));
  decode_scaled_lhs("e2m1", bytes.data(), nullptr, shape, false, out.data());
  EXPECT_EQ(out, (std::vector<float>{0.5F, 6.0F, 1.0F, -6.0F}));
  decode_scaled_rhs("e2m1", bytes.data(), nullptr, shape, true, out.data());
  EXPECT_EQ(out, (std::vector<float>{0.5F, 6.0F, 1.0F, -6.0F}));
  decode_scaled_rhs("e2m1", bytes.data(), nullptr, shape, false, out.data());
  EXPECT_EQ(out, (std::vector<float>{0.5F, 1.0F, 6.0F, -6.0F}));
}

}  // namespace
}  // namespace tritonrl::ttir
