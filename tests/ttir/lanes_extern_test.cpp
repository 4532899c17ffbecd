#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <string>

#include "ttir/lanes/float_format.h"
#include "ttir/lanes/lanes.h"

namespace tritonrl::ttir::lanes {
namespace {

template <class To, class From>
To called(const std::string& name, Element from, Element to, From x) {
  To out{};
  const Unary function = extern_unary("__nv_" + name, from, to);
  EXPECT_NE(function, nullptr) << name;
  if (function != nullptr) function(&out, &x, 1);
  return out;
}
float of_float(const std::string& name, float x) { return called<float>(name, Element::kF32, Element::kF32, x); }
double of_double(const std::string& name, double x) { return called<double>(name, Element::kF64, Element::kF64, x); }

template <class T, class Second = T>
T called(const std::string& name, Element element, T a, Second b) {
  T out{};
  const Binary function = extern_binary("__nv_" + name, element);
  EXPECT_NE(function, nullptr) << name;
  if (function != nullptr) function(&out, &a, &b, 1);
  return out;
}

TEST(LanesExtern, MathOfBothWidths) {
  struct Known {
    const char* name;
    double x;
    double value;
  };
  const double pi = std::acos(-1.0);
  for (const auto& [name, x, value] : {Known{"acos", 0.5, pi / 3},
                                       {"acosh", 2.0, std::acosh(2.0)},
                                       {"asin", 0.5, pi / 6},
                                       {"asinh", 1.0, std::asinh(1.0)},
                                       {"atan", 1.0, pi / 4},
                                       {"atanh", 0.5, std::atanh(0.5)},
                                       {"cbrt", 27.0, 3.0},
                                       {"ceil", 1.25, 2.0},
                                       {"cos", 1.0, std::cos(1.0)},
                                       {"cosh", 1.0, std::cosh(1.0)},
                                       {"cospi", 0.25, std::sqrt(0.5)},
                                       {"cospi", 1.5, 0.0},
                                       {"cyl_bessel_i0", 1.0, 1.2660658777520083},
                                       {"cyl_bessel_i0", 40.0, 14894774793419899.0},
                                       {"cyl_bessel_i1", -1.0, -0.5651591039924851},
                                       {"erf", 0.5, std::erf(0.5)},
                                       {"erfc", 0.5, std::erfc(0.5)},
                                       {"erfcinv", 1.5, -0.4769362762044699},
                                       {"erfcinv", 1e-20, 6.601580622355143},
                                       {"erfcx", 1.0, 0.427583576155807},
                                       {"erfcx", 30.0, 0.018795888861416751},
                                       {"erfinv", 0.5, 0.4769362762044699},
                                       {"erfinv", 1e-5, 8.862269254759587e-06},
                                       {"exp", 1.0, std::numbers::e},
                                       {"exp10", 2.0, 100.0},
                                       {"exp2", 3.0, 8.0},
                                       {"expm1", 0.5, std::expm1(0.5)},
                                       {"fabs", -2.0, 2.0},
                                       {"floor", -1.25, -2.0},
                                       {"j0", 1.0, 0.7651976865579666},
                                       {"j1", 1.0, 0.4400505857449335},
                                       {"lgamma", 0.5, 0.5723649429247001},
                                       {"log", 2.0, std::numbers::ln2},
                                       {"log10", 100.0, 2.0},
                                       {"log1p", 0.5, std::log1p(0.5)},
                                       {"log2", 8.0, 3.0},
                                       {"logb", 10.0, 3.0},
                                       {"nearbyint", 2.5, 2.0},
                                       {"normcdf", 1.0, 0.8413447460685429},
                                       {"normcdfinv", 0.975, 1.959963984540054},
                                       {"rcbrt", 8.0, 0.5},
                                       {"rint", 3.5, 4.0},
                                       {"round", 2.5, 3.0},
                                       {"rsqrt", 4.0, 0.5},
                                       {"sin", 1.0, std::sin(1.0)},
                                       {"sinh", 1.0, std::sinh(1.0)},
                                       {"sinpi", 0.25, std::sqrt(0.5)},
                                       {"sinpi", -1.5, 1.0},
                                       {"sqrt", 9.0, 3.0},
                                       {"tan", 1.0, std::tan(1.0)},
                                       {"tanh", 1.0, std::tanh(1.0)},
                                       {"tgamma", 5.0, 24.0},
                                       {"trunc", -1.75, -1.0},
                                       {"y0", 1.0, 0.08825696421567697},
                                       {"y1", 1.0, -0.7812128213002887}}) {
    EXPECT_NEAR(of_double(name, x), value, std::abs(value) * 1e-13 + 1e-300) << name << ' ' << x;
    const auto near = static_cast<float>(value);
    const auto argument = static_cast<float>(x);
    const double slope_error = std::abs(static_cast<double>(argument) - x) * 10;
    EXPECT_NEAR(of_float(std::string(name) + "f", argument), near, std::abs(near) * 5e-7F + slope_error)
        << name << ' ' << x;
  }
}

TEST(LanesExtern, PairsOfBothWidths) {
  EXPECT_EQ(called("powf", Element::kF32, 2.0F, 10.0F), 1024.0F);
  EXPECT_EQ(called("pow", Element::kF64, 2.0, -1.0), 0.5);
  EXPECT_EQ(called("fmodf", Element::kF32, 7.5F, 2.0F), 1.5F);
  EXPECT_EQ(called("remainder", Element::kF64, 7.0, 4.0), -1.0);
  EXPECT_EQ(called("hypotf", Element::kF32, 3.0F, 4.0F), 5.0F);
  EXPECT_EQ(called("rhypot", Element::kF64, 3.0, 4.0), 0.2);
  EXPECT_EQ(called("copysignf", Element::kF32, 3.0F, -0.0F), -3.0F);
  EXPECT_EQ(called("fdimf", Element::kF32, 3.0F, 5.0F), 0.0F);
  EXPECT_EQ(called("nextafterf", Element::kF32, 1.0F, 2.0F), 1.0F + 0x1p-23F);
  EXPECT_EQ(called("fmaxf", Element::kF32, 1.0F, std::numeric_limits<float>::quiet_NaN()), 1.0F);
  EXPECT_EQ(called("fast_fdividef", Element::kF32, 6.0F, 3.0F), 2.0F);
  EXPECT_EQ(called("fast_fdividef", Element::kF32, 1.0F, 0x1p127F), 0.0F);
  EXPECT_NEAR(called("fast_powf", Element::kF32, 3.0F, 2.0F), 9.0F, 1e-5F);
  EXPECT_EQ((called<float, std::int32_t>("ldexpf", Element::kF32, 1.5F, 3)), 12.0F);
  EXPECT_EQ((called<double, std::int32_t>("powi", Element::kF64, 2.0, -2)), 0.25);
}

TEST(LanesExtern, DirectedRounding) {
  const float third_down = called("fdiv_rd", Element::kF32, 1.0F, 3.0F);
  const float third_up = called("fdiv_ru", Element::kF32, 1.0F, 3.0F);
  EXPECT_EQ(bits_of(third_up), bits_of(third_down) + 1);
  EXPECT_EQ(called("fdiv_rz", Element::kF32, -1.0F, 3.0F), -third_down);
  EXPECT_EQ(called("fadd_ru", Element::kF32, 1.0F, 0x1p-60F), 1.0F + 0x1p-23F);
  EXPECT_EQ(called("dadd_rd", Element::kF64, 1.0, -0x1p-80), 1.0 - 0x1p-53);
  EXPECT_EQ(called("fmul_rn", Element::kF32, 3.0F, 0.5F), 1.5F);
  EXPECT_EQ(of_float("fsqrt_ru", 2.0F), std::nextafter(of_float("fsqrt_rd", 2.0F), 2.0F));
  EXPECT_EQ(of_float("frcp_rn", 4.0F), 0.25F);
  EXPECT_EQ((called<std::int32_t>("float2int_rn", Element::kF32, Element::kI32, 2.5F)), 2);
  EXPECT_EQ((called<std::int32_t>("float2int_ru", Element::kF32, Element::kI32, 2.1F)), 3);
  EXPECT_EQ((called<std::int32_t>("float2int_rd", Element::kF32, Element::kI32, -2.1F)), -3);
  EXPECT_EQ((called<std::uint32_t>("float2uint_rz", Element::kF32, Element::kI32, -2.1F)), 0U);
  EXPECT_EQ((called<std::int64_t>("double2ll_rn", Element::kF64, Element::kI64, 1e30)), INT64_MAX);
  EXPECT_EQ((called<float>("ll2float_ru", Element::kI64, Element::kF32, (1LL << 40) + 1)), 0x1p40F + 0x1p17F);
  EXPECT_EQ((called<float>("ull2float_rz", Element::kI64, Element::kF32, UINT64_MAX)), 0x1.fffffep63F);
  EXPECT_EQ((called<float>("double2float_rd", Element::kF64, Element::kF32, -1.0 - 0x1p-40)), -1.0F - 0x1p-23F);
  EXPECT_EQ((called<std::int64_t>("llrintf", Element::kF32, Element::kI64, 3.5F)), 4);
  EXPECT_EQ((called<std::int64_t>("llround", Element::kF64, Element::kI64, 2.5)), 3);
  float out = 0.0F;
  const float x = 1.0F + 0x1p-23F;
  const float minus = -1.0F;
  extern_ternary("__nv_fmaf_rd", Element::kF32)(&out, &x, &x, &minus, 1);
  EXPECT_EQ(out, 0x1p-22F);
  EXPECT_EQ(1.0F + 0x1p-25F, 1.0F) << "the rounding of this thread is as before";
}

TEST(LanesExtern, IntegersAndBits) {
  const auto of_int = [](const std::string& name, std::uint32_t x) {
    return called<std::uint32_t>(name, Element::kI32, Element::kI32, x);
  };
  EXPECT_EQ(of_int("abs", static_cast<std::uint32_t>(-5)), 5U);
  EXPECT_EQ(of_int("brev", 1), kSignBit);
  EXPECT_EQ(of_int("clz", 0), 32U);
  EXPECT_EQ(of_int("ffs", 8), 4U);
  EXPECT_EQ(of_int("popc", 0xff), 8U);
  EXPECT_EQ((called<std::int32_t>("clzll", Element::kI64, Element::kI32, std::uint64_t{1})), 63);
  EXPECT_EQ((called<std::uint32_t>("float_as_int", Element::kF32, Element::kI32, 1.0F)), 0x3f800000U);
  EXPECT_EQ((called<double>("longlong_as_double", Element::kI64, Element::kF64, 0x3ff0000000000000ULL)), 1.0);
  EXPECT_EQ((called<std::uint32_t>("double2hiint", Element::kF64, Element::kI32, 1.0)), 0x3ff00000U);
  EXPECT_EQ((called<std::int32_t>("isnanf", Element::kF32, Element::kI32, float_of(kNanBits))), 1);
  EXPECT_EQ((called<std::int32_t>("isinfd", Element::kF64, Element::kI32, 1.0)), 0);
  EXPECT_EQ((called<std::int32_t>("finitef", Element::kF32, Element::kI32, 1.0F)), 1);
  EXPECT_EQ((called<std::int32_t>("signbitf", Element::kF32, Element::kI32, -0.0F)), 1);
  EXPECT_EQ((called<std::int32_t>("ilogbf", Element::kF32, Element::kI32, 10.0F)), 3);
  EXPECT_EQ(of_float("saturatef", -1.0F), 0.0F);
  EXPECT_EQ(of_float("saturatef", float_of(kNanBits)), 0.0F);
  EXPECT_EQ(called("mulhi", Element::kI32, -1, 2), -1);
  EXPECT_EQ(called("umulhi", Element::kI32, ~0U, 2U), 1U);
  EXPECT_EQ(called("mul64hi", Element::kI64, std::int64_t{INT64_MIN}, std::int64_t{2}), -1);
  EXPECT_EQ(called("mul24", Element::kI32, 0xffffffU, 2U), static_cast<std::uint32_t>(-2));
  EXPECT_EQ(called("hadd", Element::kI32, INT32_MAX, INT32_MAX), INT32_MAX);
  EXPECT_EQ(called("rhadd", Element::kI32, 1, 2), 2);
  std::uint32_t out = 0;
  std::uint32_t x = 0x33221180;
  std::uint32_t y = 0x77665544;
  std::uint32_t z = 0x8740;
  extern_ternary("__nv_byte_perm", Element::kI32)(&out, &x, &y, &z, 1);
  EXPECT_EQ(out, 0x80774480U) << "the top bit of a nibble means nothing";
  x = 3;
  y = 10;
  z = 1;
  extern_ternary("__nv_sad", Element::kI32)(&out, &x, &y, &z, 1);
  EXPECT_EQ(out, 8U);
}

TEST(LanesExtern, UnknownSymbolsAreNull) {
  EXPECT_EQ(extern_unary("__nv_nothing", Element::kF32, Element::kF32), nullptr);
  EXPECT_EQ(extern_unary("expf", Element::kF32, Element::kF32), nullptr);
  EXPECT_EQ(extern_unary("__nv_expf", Element::kF64, Element::kF64), nullptr);
  EXPECT_EQ(extern_binary("__nv_expf", Element::kF32), nullptr);
  EXPECT_EQ(extern_ternary("__nv_expf", Element::kF32), nullptr);
}

}  // namespace
}  // namespace tritonrl::ttir::lanes
