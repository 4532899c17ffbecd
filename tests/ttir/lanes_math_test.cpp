#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "ttir/lanes/float_format.h"
#include "ttir/lanes/lanes.h"

namespace tritonrl::ttir::lanes {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

// Steps between neighbouring floats at `exact`.
double ulps(float got, double exact) {
  constexpr double kFar = std::numeric_limits<double>::infinity();
  const auto near = static_cast<float>(exact);
  if (std::isnan(near) || std::isnan(got)) return std::isnan(near) && std::isnan(got) ? 0.0 : kFar;
  if (std::isinf(near) || std::isinf(got)) return near == got ? 0.0 : kFar;
  const double step = std::max(0x1p-149, std::ldexp(1.0, std::ilogb(near == 0.0F ? 0x1p-149F : near) - 23));
  return std::abs(static_cast<double>(got) - exact) / step;
}

// Floats all over the range [low, high], spread over their bits.
std::vector<float> sweep(float low, float high, std::size_t count = 200000) {
  std::vector<float> values;
  const auto ordered = [](float x) {
    const auto bits = static_cast<std::int64_t>(bits_of(x) & ~kSignBit);
    return std::signbit(x) ? -bits : bits;
  };
  const std::int64_t first = ordered(low);
  const std::int64_t last = ordered(high);
  for (std::size_t i = 0; i <= count; ++i) {
    const std::int64_t at = first + static_cast<std::int64_t>(static_cast<double>(last - first) *
                                                              (static_cast<double>(i) / static_cast<double>(count)));
    values.push_back(float_of(static_cast<std::uint32_t>(at < 0 ? -at : at) | (at < 0 ? kSignBit : 0U)));
  }
  return values;
}

// Where the GPU flushes subnormals there is nothing to compare.
std::vector<float> normal(std::vector<float> values) {
  std::erase_if(values, [](float x) { return std::fpclassify(x) == FP_SUBNORMAL; });
  return values;
}

double worst(Unary function, const std::vector<float>& inputs, double (*exact)(double)) {
  std::vector<float> out(inputs.size());
  function(out.data(), inputs.data(), inputs.size());
  double most = 0.0;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const double error = ulps(out[i], exact(static_cast<double>(inputs[i])));
    if (error > most) most = error;
  }
  return most;
}

double worst(Opcode opcode, const std::vector<float>& inputs, double (*exact)(double)) {
  return worst(unary(opcode, Element::kF32), inputs, exact);
}

// Bounds: those that NVIDIA documents for the instruction or the libdevice function.
TEST(LanesMath, Exponentials) {
  EXPECT_LT(worst(Opcode::kMathExp2, sweep(-125.9F, 127.9F), std::exp2), 1.2);
  EXPECT_LT(worst(Opcode::kMathExp, sweep(-1.0F, 1.0F), std::exp), 2.5);
  // ex2(x * log2(e)): half a step of the product, times |x|.
  EXPECT_LT(worst(Opcode::kMathExp, sweep(-87.0F, 88.0F), std::exp), 64.0);
  EXPECT_LT(worst(extern_unary("__nv_expf", Element::kF32, Element::kF32), sweep(-87.0F, 88.7F), std::exp), 2.0);
  EXPECT_LT(worst(extern_unary("__nv_exp10f", Element::kF32, Element::kF32), sweep(-37.0F, 38.0F),
                  [](double x) { return std::pow(10.0, x); }),
            2.0);
  EXPECT_LT(worst(Opcode::kMathExpM1, normal(sweep(-20.0F, 88.0F)), std::expm1), 2.0);
}

TEST(LanesMath, Logarithms) {
  const std::vector<float> inputs = sweep(0x1p-149F, std::numeric_limits<float>::max());
  EXPECT_LT(worst(Opcode::kMathLog, inputs, std::log), 1.0);
  EXPECT_LT(worst(Opcode::kMathLog2, inputs, std::log2), 1.5);
  EXPECT_LT(worst(Opcode::kMathLog2, sweep(0.5F, 2.0F), std::log2), 1.5);
  EXPECT_LT(worst(Opcode::kMathLog, sweep(0.5F, 2.0F), std::log), 1.0);
  EXPECT_LT(worst(extern_unary("__nv_log10f", Element::kF32, Element::kF32), inputs, std::log10), 2.0);
  EXPECT_LT(worst(Opcode::kMathLog1p, normal(sweep(-0.9999F, 1e30F)), std::log1p), 2.0);
}

TEST(LanesMath, AnglesOfEverySize) {
  for (const float size : {1.0F, 100.0F, 1e5F, 1e10F, 3e38F}) {
    EXPECT_LT(worst(Opcode::kMathSin, normal(sweep(-size, size)), std::sin), 1.6) << size;
    EXPECT_LT(worst(Opcode::kMathCos, normal(sweep(-size, size)), std::cos), 1.6) << size;
    EXPECT_LT(worst(Opcode::kMathTan, normal(sweep(-size, size)), std::tan), 4.0) << size;
  }
}

TEST(LanesMath, RootsAndQuotients) {
  const std::vector<float> inputs = sweep(0x1p-126F, std::numeric_limits<float>::max());
  EXPECT_LE(worst(Opcode::kMathSqrt, inputs, std::sqrt), 0.5);
  EXPECT_LE(worst(Opcode::kTtPreciseSqrt, sweep(0.0F, 1.0F), std::sqrt), 0.5);
  EXPECT_LT(worst(Opcode::kMathRsqrt, inputs, [](double x) { return 1.0 / std::sqrt(x); }), 1.0);
}

TEST(LanesMath, ErrorFunctionsAndTanh) {
  EXPECT_LT(worst(Opcode::kMathErf, normal(sweep(-5.0F, 5.0F)), std::erf), 2.0);
  EXPECT_LT(worst(Opcode::kMathErfc, sweep(-5.0F, 9.0F), std::erfc), 4.0);
  EXPECT_LT(worst(Opcode::kMathTanh, normal(sweep(-10.0F, 10.0F)), std::tanh), 2.5);
}

TEST(LanesMath, WholeNumbersAreExact) {
  std::vector<float> inputs = sweep(-1e10F, 1e10F);
  for (int quarters = -32; quarters <= 32; ++quarters) inputs.push_back(0.25F * static_cast<float>(quarters));
  for (const float x : {0x1p22F + 0.5F, 0x1p23F - 0.5F, 8388607.5F, 0x1p31F}) {
    inputs.push_back(x);
    inputs.push_back(-x);
  }
  inputs = normal(inputs);
  EXPECT_EQ(worst(Opcode::kMathFloor, inputs, std::floor), 0.0);
  EXPECT_EQ(worst(Opcode::kMathCeil, inputs, std::ceil), 0.0);
  EXPECT_EQ(worst(Opcode::kMathTrunc, inputs, std::trunc), 0.0);
  EXPECT_EQ(worst(Opcode::kMathRound, inputs, std::round), 0.0);
  EXPECT_EQ(worst(Opcode::kMathRoundEven, inputs, std::nearbyint), 0.0);
}

float of(Opcode opcode, float x) {
  float out = 0.0F;
  unary(opcode, Element::kF32)(&out, &x, 1);
  return out;
}

TEST(LanesMath, SpecialValues) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  for (const Opcode opcode :
       {Opcode::kMathExp, Opcode::kMathExp2, Opcode::kMathLog, Opcode::kMathLog2, Opcode::kMathSin, Opcode::kMathCos,
        Opcode::kMathSqrt, Opcode::kMathRsqrt, Opcode::kMathErf, Opcode::kMathTanh, Opcode::kMathFloor,
        Opcode::kMathExpM1, Opcode::kMathLog1p, Opcode::kMathErfc}) {
    EXPECT_EQ(bits_of(of(opcode, nan)), kNanBits) << static_cast<int>(opcode);
  }
  EXPECT_EQ(of(Opcode::kMathExp, 0.0F), 1.0F);
  EXPECT_EQ(of(Opcode::kMathExp, -kInfinity), 0.0F);
  EXPECT_EQ(of(Opcode::kMathExp, kInfinity), kInfinity);
  EXPECT_EQ(of(Opcode::kMathExp, 89.0F), kInfinity);
  EXPECT_EQ(of(Opcode::kMathExp2, 128.0F), kInfinity);
  EXPECT_EQ(of(Opcode::kMathExp2, 127.0F), 0x1p127F);
  EXPECT_EQ(of(Opcode::kMathExp2, -126.0F), 0x1p-126F);
  EXPECT_EQ(of(Opcode::kMathExp2, -130.0F), 0.0F);  // .ftz
  EXPECT_GT(of(Opcode::kMathExp, -90.0F), 0.0F);    // not .ftz
  EXPECT_EQ(of(Opcode::kMathLog, 0.0F), -kInfinity);
  EXPECT_EQ(of(Opcode::kMathLog, -0.0F), -kInfinity);
  EXPECT_TRUE(std::isnan(of(Opcode::kMathLog, -1.0F)));
  EXPECT_EQ(of(Opcode::kMathLog, kInfinity), kInfinity);
  EXPECT_EQ(of(Opcode::kMathLog, 1.0F), 0.0F);
  EXPECT_EQ(of(Opcode::kMathLog2, 8.0F), 3.0F);
  EXPECT_EQ(of(Opcode::kMathLog1p, -1.0F), -kInfinity);
  EXPECT_TRUE(std::isnan(of(Opcode::kMathLog1p, -2.0F)));
  EXPECT_TRUE(std::isnan(of(Opcode::kMathSin, kInfinity)));
  EXPECT_EQ(bits_of(of(Opcode::kMathSin, -0.0F)), kSignBit);
  EXPECT_EQ(of(Opcode::kMathCos, 0.0F), 1.0F);
  EXPECT_EQ(of(Opcode::kMathRsqrt, 0.0F), kInfinity);
  EXPECT_EQ(of(Opcode::kMathRsqrt, -0.0F), -kInfinity);
  EXPECT_EQ(of(Opcode::kMathRsqrt, 0x1p-130F), kInfinity);
  EXPECT_EQ(of(Opcode::kMathRsqrt, kInfinity), 0.0F);
  EXPECT_TRUE(std::isnan(of(Opcode::kMathSqrt, -1.0F)));
  EXPECT_EQ(bits_of(of(Opcode::kMathSqrt, -0.0F)), kSignBit);
  EXPECT_EQ(of(Opcode::kMathSqrt, 0x1p-130F), 0.0F);
  EXPECT_EQ(of(Opcode::kTtPreciseSqrt, 0x1p-130F), 0x1p-65F);
  EXPECT_EQ(of(Opcode::kMathErf, kInfinity), 1.0F);
  EXPECT_EQ(of(Opcode::kMathErfc, -kInfinity), 2.0F);
  EXPECT_EQ(of(Opcode::kMathTanh, -100.0F), -1.0F);
  EXPECT_EQ(bits_of(of(Opcode::kMathFloor, -0x1p-140F)), kSignBit);
  EXPECT_EQ(of(Opcode::kMathFloor, -0.5F), -1.0F);
}

TEST(LanesMath, DoublesAreTheLibrarys) {
  const double x = 0.7;
  double out = 0.0;
  unary(Opcode::kMathExp, Element::kF64)(&out, &x, 1);
  EXPECT_EQ(out, std::exp(x));
  unary(Opcode::kMathRsqrt, Element::kF64)(&out, &x, 1);
  EXPECT_EQ(out, 1.0 / std::sqrt(x));
  unary(Opcode::kMathAbsF, Element::kF64)(&out, &x, 1);
  EXPECT_EQ(out, x);
}

TEST(LanesMath, NarrowTypesAreRounded) {
  const float x = 0.7F;
  float out = 0.0F;
  unary(Opcode::kMathExp, Element::kF16)(&out, &x, 1);
  EXPECT_EQ(out, FloatFormat<Element::kF16>::nearest(std::exp(x)));
  unary(Opcode::kMathSin, Element::kBF16)(&out, &x, 1);
  EXPECT_EQ(out, FloatFormat<Element::kBF16>::nearest(std::sin(x)));
}

}  // namespace
}  // namespace tritonrl::ttir::lanes
