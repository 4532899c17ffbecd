#include <array>
#include <cmath>
#include <limits>
#include <numbers>

#include "ttir/lanes/lane_math.h"
#include "ttir/lanes/lanes_extern.h"

namespace tritonrl::ttir::lanes {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

double exp10_of(double x) { return std::pow(10.0, x); }
double sinpi_of(double x) {
  if (std::isinf(x)) return kNan;
  const double turn = std::remainder(x, 2.0);  // exact
  const double part = std::abs(turn) > 0.5 ? std::copysign(1.0, turn) - turn : turn;
  return std::copysign(std::sin(std::numbers::pi * std::abs(part)), turn);
}
double cospi_of(double x) {
  if (std::isinf(x)) return kNan;
  const double turn = std::abs(std::remainder(x, 2.0));
  return turn == 0.5 ? 0.0 : turn < 0.25 ? std::cos(std::numbers::pi * turn) : sinpi_of(0.5 - turn);
}
double rcbrt_of(double x) { return 1.0 / std::cbrt(x); }
double rsqrt_of(double x) { return 1.0 / std::sqrt(x); }
// std::lgamma writes a global.
double lgamma_of(double x) {
  int sign = 0;
  return lgamma_r(x, &sign);
}
double j0_of(double x) { return ::j0(x); }
double j1_of(double x) { return ::j1(x); }
double y0_of(double x) { return x < 0 ? kNan : ::y0(x); }
double y1_of(double x) { return x < 0 ? kNan : ::y1(x); }

// The modified Bessel functions from their series, or for large |x| from the asymptotic one.
double bessel_i(int order, double x) {
  const double size = std::abs(x);
  if (!std::isfinite(x)) return order == 0 ? size : x;
  double sum = 0.0;
  if (size < 30.0) {
    double term = order == 0 ? 1.0 : size / 2.0;
    for (int k = 1; sum != sum + term; ++k) {
      sum += term;
      term *= size / 2.0 * (size / 2.0) / (k * (k + static_cast<double>(order)));
    }
  } else {
    double term = 1.0;
    for (int k = 1; k < 30 && sum != sum + term; ++k) {
      sum += term;
      const double odd = 2.0 * k - 1.0;
      term *= -(4.0 * order * order - odd * odd) / (k * 8.0 * size);
    }
    // In two factors: the power may overflow where the result does not.
    const double half = std::exp(size / 2.0);
    sum = half / std::sqrt(2.0 * std::numbers::pi * size) * sum * half;
  }
  return order == 1 ? std::copysign(sum, x) : sum;
}
double cyl_bessel_i0_of(double x) { return bessel_i(0, x); }
double cyl_bessel_i1_of(double x) { return bessel_i(1, x); }

// exp(x^2) * erfc(x), by the continued fraction where erfc is too small to multiply.
double erfcx_of(double x) {
  if (x < 25.0) return x < -27.0 ? (std::isnan(x) ? x : kInfinity) : std::exp(x * x) * std::erfc(x);
  double fraction = x;
  for (int k = 20; k > 0; --k) fraction = x + k / 2.0 / fraction;
  return 1.0 / (fraction * std::sqrt(std::numbers::pi));
}

// The quantile of the normal distribution: Acklam's rational approximation, then two steps of Halley's method on a
// function that keeps its precision in the tail.
double normcdfinv_of(double p) {
  if (!(p >= 0.0 && p <= 1.0)) return kNan;
  if (p == 0.0) return -kInfinity;
  if (p == 1.0) return kInfinity;
  if (p > 0.5 && p < 1.0) {
    const double rest = 1.0 - p;  // exact
    return -normcdfinv_of(rest);
  }
  constexpr double kLow = 0.02425;
  double x = 0.0;
  if (p < kLow) {
    const double q = std::sqrt(-2.0 * std::log(p));
    x = (((((-7.784894002430293e-03 * q - 3.223964580411365e-01) * q - 2.400758277161838e+00) * q -
           2.549732539343734e+00) *
              q +
          4.374664141464968e+00) *
             q +
         2.938163982698783e+00) /
        ((((7.784695709041462e-03 * q + 3.224671290700398e-01) * q + 2.445134137142996e+00) * q +
          3.754408661907416e+00) *
             q +
         1.0);
  } else {
    const double q = p - 0.5;
    const double r = q * q;
    x = (((((-3.969683028665376e+01 * r + 2.209460984245205e+02) * r - 2.759285104469687e+02) * r +
           1.383577518672690e+02) *
              r -
          3.066479806614716e+01) *
             r +
         2.506628277459239e+00) *
        q /
        (((((-5.447609879822406e+01 * r + 1.615858368580409e+02) * r - 1.556989798598866e+02) * r +
           6.680131188771972e+01) *
              r -
          1.328068155288572e+01) *
             r +
         1.0);
  }
  for (int step = 0; step < 2; ++step) {
    const double error = 0.5 * std::erfc(-x / std::numbers::sqrt2) - p;
    const double u = error * std::sqrt(2.0 * std::numbers::pi) * std::exp(x * x / 2.0);
    x -= u / (1.0 + x * u / 2.0);
  }
  return x;
}
double normcdf_of(double x) { return 0.5 * std::erfc(-x / std::numbers::sqrt2); }
double erfcinv_of(double y) {
  if (!(y >= 0.0 && y <= 2.0)) return kNan;
  return -normcdfinv_of(y / 2.0) / std::numbers::sqrt2;
}
double erfinv_of(double y) {
  if (!(y >= -1.0 && y <= 1.0)) return kNan;
  const double size = std::abs(y);
  if (size == 0.0) return y;
  // Near 0 the difference from 1/2 would lose the digits that matter.
  if (size < 0.1) {
    double x = y * std::sqrt(std::numbers::pi) / 2.0;
    for (int step = 0; step < 4; ++step) {
      x -= (std::erf(x) - y) * std::sqrt(std::numbers::pi) / 2.0 * std::exp(x * x);
    }
    return x;
  }
  return std::copysign(-normcdfinv_of((1.0 - size) / 2.0) / std::numbers::sqrt2, y);
}

double rhypot_of(double x, double y) { return 1.0 / std::hypot(x, y); }

// Triton has libdevice flush subnormal operands of f32, except where only bits move.
enum class Subnormals : bool { kFlushed, kKept };

template <Subnormals kSubnormals>
double operand(float x) {
  return static_cast<double>(kSubnormals == Subnormals::kFlushed ? flushed(x) : x);
}

template <double (*kFunction)(double), Subnormals kSubnormals = Subnormals::kFlushed>
constexpr MathFunction math(std::string_view name) {
  constexpr auto kFloat = [](float x) { return with_one_nan(static_cast<float>(kFunction(operand<kSubnormals>(x)))); };
  constexpr auto kDouble = [](double x) { return kFunction(x); };
  return {name, SignatureOf<kFloat>::template unary<kFloat>, SignatureOf<kDouble>::template unary<kDouble>};
}
template <double (*kFunction)(double, double), Subnormals kSubnormals = Subnormals::kFlushed>
constexpr MathPair math_pair(std::string_view name) {
  constexpr auto kFloat = [](float x, float y) {
    return with_one_nan(static_cast<float>(kFunction(operand<kSubnormals>(x), operand<kSubnormals>(y))));
  };
  constexpr auto kDouble = [](double x, double y) { return kFunction(x, y); };
  return {name, SignatureOf<kFloat>::template binary<kFloat>, SignatureOf<kDouble>::template binary<kDouble>};
}

}  // namespace

std::span<const MathFunction> math_functions() {
  static constexpr std::array kFunctions = {math<std::acos>("acos"),
                                            math<std::acosh>("acosh"),
                                            math<std::asin>("asin"),
                                            math<std::asinh>("asinh"),
                                            math<std::atan>("atan"),
                                            math<std::atanh>("atanh"),
                                            math<std::cbrt>("cbrt"),
                                            math<std::ceil>("ceil"),
                                            math<std::cos>("cos"),
                                            math<std::cosh>("cosh"),
                                            math<cospi_of>("cospi"),
                                            math<cyl_bessel_i0_of>("cyl_bessel_i0"),
                                            math<cyl_bessel_i1_of>("cyl_bessel_i1"),
                                            math<std::erf>("erf"),
                                            math<std::erfc>("erfc"),
                                            math<erfcinv_of>("erfcinv"),
                                            math<erfcx_of>("erfcx"),
                                            math<erfinv_of>("erfinv"),
                                            math<std::exp>("exp"),
                                            math<exp10_of>("exp10"),
                                            math<std::exp2>("exp2"),
                                            math<std::expm1>("expm1"),
                                            math<std::fabs>("fabs"),
                                            math<std::floor>("floor"),
                                            math<j0_of>("j0"),
                                            math<j1_of>("j1"),
                                            math<lgamma_of>("lgamma"),
                                            math<std::log>("log"),
                                            math<std::log10>("log10"),
                                            math<std::log1p>("log1p"),
                                            math<std::log2>("log2"),
                                            math<std::logb, Subnormals::kKept>("logb"),
                                            math<std::nearbyint>("nearbyint"),
                                            math<normcdf_of>("normcdf"),
                                            math<normcdfinv_of>("normcdfinv"),
                                            math<rcbrt_of>("rcbrt"),
                                            math<std::nearbyint>("rint"),
                                            math<std::round>("round"),
                                            math<rsqrt_of>("rsqrt"),
                                            math<std::sin>("sin"),
                                            math<std::sinh>("sinh"),
                                            math<sinpi_of>("sinpi"),
                                            math<std::sqrt>("sqrt"),
                                            math<std::tan>("tan"),
                                            math<std::tanh>("tanh"),
                                            math<std::tgamma>("tgamma"),
                                            math<std::trunc>("trunc"),
                                            math<y0_of>("y0"),
                                            math<y1_of>("y1")};
  return kFunctions;
}

std::span<const MathPair> math_pairs() {
  static constexpr std::array kPairs = {math_pair<std::atan2>("atan2"),
                                        math_pair<std::copysign, Subnormals::kKept>("copysign"),
                                        math_pair<std::fdim, Subnormals::kKept>("fdim"),
                                        math_pair<std::fmod>("fmod"),
                                        math_pair<std::hypot>("hypot"),
                                        math_pair<std::pow>("pow"),
                                        math_pair<std::remainder>("remainder"),
                                        math_pair<rhypot_of>("rhypot")};
  return kPairs;
}

}  // namespace tritonrl::ttir::lanes
