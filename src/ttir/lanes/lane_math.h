#pragma once

#include <cstdint>

#include "ttir/lanes/float_format.h"
#include "ttir/lanes/lane_inline.h"

// Functions of floats as an H200 computes them. Those of libdevice take the same steps as the PTX that Triton 3.7.1
// makes for sm_90, flushing subnormals where it does (.ftz), so they agree to the bit except where an approximate
// instruction enters (ex2, rcp...): ours are accurate to about 1 ulp, inside the documented error of those.
namespace tritonrl::ttir::lanes {

// One instruction with FMA, a call of libm without: the result is the same.
TRITONRL_LANE float fused(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
TRITONRL_LANE double fused(double a, double b, double c) { return __builtin_fma(a, b, c); }

TRITONRL_LANE float absolute(float x) { return float_of(bits_of(x) & ~kSignBit); }
TRITONRL_LANE double absolute(double x) { return double_of(bits_of(x) & ~(1ULL << 63U)); }
TRITONRL_LANE float negated(float x) { return float_of(bits_of(x) ^ kSignBit); }
TRITONRL_LANE double negated(double x) { return double_of(bits_of(x) ^ (1ULL << 63U)); }
TRITONRL_LANE float copy_sign(float x, float sign) {
  return float_of((bits_of(x) & ~kSignBit) | (bits_of(sign) & kSignBit));
}
TRITONRL_LANE double copy_sign(double x, double sign) {
  constexpr std::uint64_t kSign = 1ULL << 63U;
  return double_of((bits_of(x) & ~kSign) | (bits_of(sign) & kSign));
}

// Subnormals to zero, the sign kept.
TRITONRL_LANE float flushed(float x) {
  return float_of((bits_of(x) & kInfinityBits) == 0 ? bits_of(x) & kSignBit : bits_of(x));
}

// max and min of PTX: -0 is less than +0; a NaN is passed over, or passed on.
template <bool kMaximum, bool kPassNan, class Float>
TRITONRL_LANE Float extreme(Float a, Float b) {
  Float result = (kMaximum ? a > b : a < b) ? a : b;
  // Equal operands differ in sign alone, if at all.
  const auto merged = kMaximum ? bits_of(a) & bits_of(b) : bits_of(a) | bits_of(b);
  result = a == b ? __builtin_bit_cast(Float, merged) : result;
  if constexpr (kPassNan) {
    result = __builtin_isunordered(a, b) ? a + b : result;
  } else {
    result = is_nan(b) ? a : result;
  }
  return with_one_nan(result);
}

// To an integer, the even one of two as near. Adding 2^23 leaves no bits for a fraction; floats from there on have
// none.
TRITONRL_LANE float round_even(float x) {
  constexpr float kShifter = 8388608.0F;
  const float size = absolute(x);
  const float whole = (size + kShifter) - kShifter;
  return copy_sign(size < kShifter ? whole : size, x);
}
TRITONRL_LANE float cut(float x) {
  const float whole = absolute(round_even(x));
  return copy_sign(whole > absolute(x) ? whole - 1.0F : whole, x);
}
TRITONRL_LANE float floor_of(float x) {
  const float whole = round_even(x);
  return copy_sign(whole > x ? whole - 1.0F : whole, x);
}
TRITONRL_LANE float ceil_of(float x) { return negated(floor_of(negated(x))); }

// A polynomial as a chain of fma, the highest power first.
TRITONRL_LANE float chain(float, float sum) { return sum; }
template <class... Rest>
TRITONRL_LANE float chain(float x, float sum, float next, Rest... rest) {
  return chain(x, fused(sum, x, next), rest...);
}

// ex2.approx.f32: 2^x; with .ftz subnormal results are 0.
template <bool kFlush>
TRITONRL_LANE float ex2(float x) {
  const float low = x < -152.0F ? -152.0F : x;
  const float bounded = low > 129.0F ? 129.0F : low;
  constexpr float kShifter = 12582912.0F;
  const float shifted = bounded + kShifter;
  const float fraction = bounded - (shifted - kShifter);
  const float power = chain(fraction, 1.535336188319500e-4F, 1.339887440266574e-3F, 9.618437357674640e-3F,
                            5.550332471162809e-2F, 2.402264791363012e-1F, float_of(0x3f317218), 1.0F);
  // In two steps: one factor would not hold the exponents of subnormal results.
  const std::uint32_t exponent = bits_of(shifted) - bits_of(kShifter);
  const auto half = static_cast<std::uint32_t>(static_cast<std::int32_t>(exponent) >> 1);
  const float result = power * float_of((half + 127U) << 23U) * float_of((exponent - half + 127U) << 23U);
  return with_one_nan(kFlush ? flushed(result) : result);
}

TRITONRL_LANE float rcp(float x) { return with_one_nan(flushed(1.0F / flushed(x))); }
TRITONRL_LANE float sqrt_approx(float x) { return with_one_nan(__builtin_sqrtf(flushed(x))); }
TRITONRL_LANE float rsqrt_approx(float x) {
  const float input = flushed(x);
  const float guess = 1.0F / __builtin_sqrtf(input);
  // One step of Newton's method; not for 0 and infinity, where it meets 0 * infinity.
  const float rest = fused(negated(input * guess), guess, 1.0F);
  const float better = fused(guess * 0.5F, rest, guess);
  const bool ordinary = input > 0.0F && input < float_of(kInfinityBits);
  return with_one_nan(ordinary ? better : guess);
}

// frem as LLVM expands it for NVPTX: not fmod, it loses precision when a / b is large.
template <class Float>
TRITONRL_LANE Float remainder(Float a, Float b) {
  Float whole = a / b;
  if constexpr (sizeof(Float) == 4) {
    whole = cut(whole);
  } else {
    whole = __builtin_trunc(whole);
  }
  const Float rest = fused(negated(whole), b, a);
  return absolute(b) == static_cast<Float>(__builtin_inf()) ? a : rest;
}

// Triton's exp: the product is rounded before ex2, so the error grows with |x|, as on the GPU.
TRITONRL_LANE float triton_exp(float x) { return ex2<false>(x * float_of(0x3fb8aa3b)); }

// expf and exp10f: 2^(x * factor), the factor in two parts; `share` is 1/252 of it.
TRITONRL_LANE float nv_power(float x, float share, float factor, float factor_rest) {
  const float part = fused(x, share, 0.5F);
  const float below_one = part > 1.0F ? 1.0F : part;
  const float scaled = below_one > 0.0F ? below_one : 0.0F;  // cvt.sat: NaN gives 0
  // fma.rm: the exact product of 252 and scaled, rounded down.
  const float product = floor_of(scaled * 252.0F);
  const float whole = fused(scaled, 252.0F, negated(product)) < 0.0F ? product - 1.0F : product;
  const float fraction = fused(x, factor_rest, fused(x, factor, 126.0F - whole));
  const float scale = float_of(static_cast<std::uint32_t>(static_cast<std::int32_t>(whole) + 1) << 23U);
  return with_one_nan(ex2<true>(fraction) * scale);
}
TRITONRL_LANE float nv_exp(float x) {
  return nv_power(x, float_of(0x3bbb989d), float_of(0x3fb8aa3b), float_of(0x32a57060));
}
TRITONRL_LANE float nv_exp10(float x) {
  return nv_power(x, float_of(0x3c57fa62), float_of(0x40549a78), float_of(0x33979a37));
}

TRITONRL_LANE float nv_expm1(float argument) {
  const float x = flushed(argument);
  const float rounded = absolute(x) < float_of(0x3ed1eb85) ? 0.0F : round_even(x * float_of(0x3fb8aa3b));
  const bool at_128 = rounded == 128.0F;
  const float exponent = at_128 ? 127.0F : rounded;
  const float power = ex2<true>(exponent);
  const float t = fused(negated(rounded), float_of(0x35bfbe8e), fused(negated(rounded), float_of(0x3f317200), x));
  const float sum = chain(t, float_of(0x3ab5ebe6), float_of(0x3c095663), float_of(0x3d2aabe3), float_of(0x3e2aa9f6),
                          float_of(0x3efffffe));
  const float near = fused(fused(t * sum, t, t), power, power - 1.0F);
  float result = at_128 ? near + near : near;
  result = exponent > 128.0F ? float_of(kInfinityBits) : result;
  result = exponent < -25.0F ? -1.0F : result;
  return with_one_nan(x == 0.0F ? x + x : result);
}

// What nv_log and nv_log2 share: x as 2^exponent * (1 + fraction), the fraction around 0.
struct LogParts {
  float exponent;
  float fraction;
  float scaled;
};
TRITONRL_LANE LogParts log_parts(float x, std::uint32_t center) {
  const bool tiny = x < float_of(0x00800000);
  const float scaled = tiny ? x * 8388608.0F : x;
  const std::uint32_t high = (bits_of(scaled) - center) & 0xff800000U;
  const float mantissa = float_of(bits_of(scaled) - high);
  const auto exponent = static_cast<float>(static_cast<std::int32_t>(high));
  return {fused(exponent, 1.1920929e-7F, tiny ? -23.0F : 0.0F), mantissa - 1.0F, scaled};
}
TRITONRL_LANE float log_result(const LogParts& parts, float result) {
  const float infinity = float_of(kInfinityBits);
  const float special = fused(parts.scaled, infinity, infinity);
  const float kept = bits_of(parts.scaled) < kInfinityBits ? result : special;
  return with_one_nan(parts.scaled == 0.0F ? negated(infinity) : kept);
}
TRITONRL_LANE float nv_log(float x) {
  const LogParts parts = log_parts(x, 0x3f2aaaab);
  const float f = parts.fraction;
  const float sum =
      chain(f, float_of(0xbe055027), float_of(0x3e1039f6), float_of(0xbdf8cdcc), float_of(0x3e0f2955),
            float_of(0xbe2ad8b9), float_of(0x3e4ced0b), float_of(0xbe7fff22), float_of(0x3eaaaa78), -0.5F);
  return log_result(parts, fused(parts.exponent, float_of(0x3f317218), fused(f * sum, f, f)));
}
TRITONRL_LANE float nv_log10(float x) { return nv_log(x) * float_of(0x3ede5bd9); }
TRITONRL_LANE float nv_log2(float x) {
  const LogParts parts = log_parts(x, 0x3f3504f3);
  const float f = parts.fraction;
  const float sum = chain(f, float_of(0x3dc6b27f), float_of(0xbe2c7f30), float_of(0x3e2fcf2a), float_of(0xbe374e43),
                          float_of(0x3e520bf4), float_of(0xbe763c8b), float_of(0x3e93bf99), float_of(0xbeb8aa49),
                          float_of(0x3ef6384a), float_of(0xbf38aa3b));
  return log_result(parts, parts.exponent + fused(f, float_of(0x3fb8aa3b), f * (f * sum)));
}
// lg2.approx.ftz.f32
TRITONRL_LANE float lg2(float x) { return nv_log2(flushed(x)); }

TRITONRL_LANE float nv_log1p(float argument) {
  const float x = flushed(argument);
  // add.rz: the nearest sum, one step back where it lies past the exact one.
  const float near = x + 1.0F;
  const float part = near - x;
  const float lost = (x - (near - part)) + (1.0F - part);
  const std::uint32_t sum = bits_of(near) - (near > 0.0F && lost < 0.0F ? 1U : 0U);
  const std::uint32_t high = (sum - 0x3f400000U) & 0xff800000U;
  const float scale = float_of(0x40800000U - high);
  const float f = fused(0.25F, scale, -1.0F) + float_of(bits_of(x) - high);
  const float exponent = static_cast<float>(static_cast<std::int32_t>(high)) * 1.1920929e-7F;
  const float terms =
      chain(f, float_of(0xbd39bf78), float_of(0x3dd80012), float_of(0xbe0778e0), float_of(0x3e146475),
            float_of(0xbe2a68dd), float_of(0x3e4caf9e), float_of(0xbe800042), float_of(0x3eaaaae6), -0.5F);
  float result = fused(exponent, float_of(0x3f317218), fused(f * terms, f, f));
  const float infinity = float_of(kInfinityBits);
  // Infinity, NaN, and what is less than -1.
  const bool special = bits_of(x) >= kInfinityBits && static_cast<std::int32_t>(bits_of(x)) >= -1082130431;
  result = special ? fused(x, infinity, infinity) : result;
  return with_one_nan(x == 0.0F ? x : result);
}

TRITONRL_LANE float nv_tanh(float x) {
  const float input = flushed(x);
  const float size = absolute(input);
  const float far = fused(rcp(ex2<true>(size * float_of(0x4038aa3b)) + 1.0F), -2.0F, 1.0F);
  const float bounded = size >= float_of(0x41102cb4) ? 1.0F : far;
  const float square = input * input;
  const float sum =
      chain(square, float_of(0x3c80f082), float_of(0xbd563cae), float_of(0x3e085941), float_of(0xbeaaa9ed), 0.0F);
  const float near = fused(sum, input, input);
  return with_one_nan(size >= float_of(0x3f19999a) ? copy_sign(bounded, input) : near);
}

TRITONRL_LANE float nv_erf(float x) {
  const float input = flushed(x);
  const float size = absolute(input);
  const bool far = size >= float_of(0x3f8060fe);
  const float t = far ? size : input * input;
  const float sum = chain(t, float_of(far ? 0x3789ca3c : 0x38b1e96a), float_of(far ? 0xb9f560b9 : 0xba574d20),
                          float_of(far ? 0x3bac840b : 0x3baad5ea), float_of(far ? 0xbd0c8162 : 0xbcdc1be7),
                          float_of(far ? 0x3e1cf906 : 0x3de718af), float_of(far ? 0x3f6a937e : 0xbec093ac),
                          float_of(far ? 0x3f20d842 : 0x3e0375d3));
  const float factor = far ? negated(t) : input;
  const float near = fused(sum, factor, factor);
  return with_one_nan(far ? copy_sign(1.0F - ex2<true>(near), input) : near);
}

TRITONRL_LANE float nv_erfc(float x) {
  const float size = absolute(flushed(x));
  const float inverse = rcp(size + 4.0F);
  const float ratio = (size - 4.0F) * inverse;
  const float rest = fused(negated(ratio), size, fused(-4.0F, ratio + 1.0F, size));
  const float t = fused(inverse, rest, ratio);
  const float sum = chain(t, float_of(0x3a69a091), float_of(0x3be6e05b), float_of(0xbc81fb4b), float_of(0x3d15373b),
                          float_of(0xbd887c5a), float_of(0x3dc021d5), float_of(0xbdced424), float_of(0x3d8b74de),
                          float_of(0x3c7bf170), float_of(0xbe0ef8d4), float_of(0x3f9dd2c9));
  const float divisor = rcp(fused(2.0F, size, 1.0F));
  const float first = sum * divisor;
  const float quotient = fused(fused(size, first * -2.0F, sum) - first, divisor, first);
  const float square = size * negated(size);
  const float whole = cut(square * float_of(0x3fb8aa3b));
  const float exponent = whole < -126.0F ? -126.0F : whole;
  const float fraction = fused(exponent, float_of(0x3102e308), fused(exponent, float_of(0xbf317218), square));
  const float scale = float_of(bits_of(exponent + float_of(0x4b40007f)) << 23U);
  const float power = flushed(ex2<true>(fraction * float_of(0x3fb8aa3b)) * scale);
  const float lost = fused(negated(size), size, negated(square));
  const float near = flushed(fused(power, lost, power)) * quotient;
  const float tail = size > float_of(0x4120e148) ? 0.0F : near;
  return with_one_nan(x < 0.0F ? 2.0F - tail : tail);
}

// An angle as quarter turns and what is left of them, in radians.
struct Angle {
  float rest;
  std::uint32_t quarters;
};
// |x| below which three fma reduce the angle; libdevice takes the long way above.
inline constexpr float kLargestEasyAngle = 105615.0F;

TRITONRL_LANE Angle easy_angle(float x) {
  const float input = flushed(x);
  constexpr float kShifter = 12582912.0F;
  const float shifted = input * float_of(0x3f22f983) + kShifter;
  const float quarters = shifted - kShifter;
  float rest = fused(quarters, float_of(0xbfc90fda), input);
  rest = fused(quarters, float_of(0xb3a22168), rest);
  rest = fused(quarters, float_of(0xa7c234c5), rest);
  return {rest, bits_of(shifted) - bits_of(kShifter)};
}

// sin of quarters * pi / 2 + rest; cos is the sine one quarter on.
TRITONRL_LANE float sin_of(Angle angle) {
  const bool odd = (angle.quarters & 1U) != 0;
  const float square = angle.rest * angle.rest;
  const float factor = odd ? 1.0F : angle.rest;
  const float product = fused(square, factor, 0.0F);
  const float first = odd ? fused(float_of(0x37cbac00), square, float_of(0xbab607ed)) : float_of(0xb94d4153);
  const float sum =
      chain(square, first, float_of(odd ? 0x3d2aaabb : 0x3c0885e4), float_of(odd ? 0xbeffffff : 0xbe2aaaa8));
  const float result = fused(sum, product, factor);
  return with_one_nan((angle.quarters & 2U) != 0 ? 0.0F - result : result);
}

TRITONRL_LANE float tan_of(Angle angle) {
  const float square = angle.rest * angle.rest;
  const float sum = chain(square, float_of(0x3c190000), float_of(0x3b560000), float_of(0x3cc70000),
                          float_of(0x3d5b0000), float_of(0x3e089438), float_of(0x3eaaaa88));
  const float near = fused(sum, square * angle.rest, angle.rest);
  const float tangent = absolute(angle.rest) == float_of(0x3a00b43c) ? angle.rest : near;
  return with_one_nan((angle.quarters & 1U) != 0 ? rcp(negated(tangent)) : tangent);
}

// sin.approx and cos.approx first turn radians into turns, by one product rounded toward zero.
TRITONRL_LANE Angle approximate_angle(float x) {
  const float input = flushed(x);
  constexpr float kTurn = 0.159154943091895336F;
  const float near = input * kTurn;
  const float lost = fused(input, kTurn, negated(near));
  const bool past = near > 0.0F ? lost < 0.0F : lost > 0.0F;
  const float turns = float_of(bits_of(near) - (past ? 1U : 0U));
  const float part = turns - round_even(turns);
  const float quarters = round_even(part * 4.0F);
  const bool finite = absolute(part) <= 0.5F;
  const auto count = static_cast<std::uint32_t>(static_cast<std::int32_t>(finite ? quarters : 0.0F));
  return {fused(quarters, -0.25F, part) * 6.28318530717958648F, count};
}

// Any angle, also infinity (then `rest` is a NaN).
Angle hard_angle(float x);

}  // namespace tritonrl::ttir::lanes
