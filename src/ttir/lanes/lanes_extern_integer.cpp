// Integers, bits, tests of floats, and the few functions of mixed types.
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "ttir/lanes/lane_math.h"
#include "ttir/lanes/lanes_extern.h"

namespace tritonrl::ttir::lanes {
namespace {

using I32 = std::int32_t;
using U32 = std::uint32_t;
using I64 = std::int64_t;
using U64 = std::uint64_t;
__extension__ using i128 = __int128;
__extension__ using u128 = unsigned __int128;

template <class Unsigned>
Unsigned reversed_bits(Unsigned x) {
  Unsigned result = 0;
  for (unsigned i = 0; i < 8 * sizeof(Unsigned); ++i) {
    result = static_cast<Unsigned>((result << 1U) | ((x >> i) & 1U));
  }
  return result;
}

// Each nibble of the selector names one of the eight bytes of x and y; its top bit means nothing.
U32 byte_perm(U32 x, U32 y, U32 selector) {
  const U64 bytes = (static_cast<U64>(y) << 32U) | x;
  U32 result = 0;
  for (unsigned i = 0; i < 4; ++i) {
    const U32 index = (selector >> (4U * i)) & 7U;
    result |= (static_cast<U32>(bytes >> (8U * index)) & 0xffU) << (8U * i);
  }
  return result;
}

// Multiplication of the low 24 bits, their signs kept.
I32 low_24(U32 x) { return static_cast<I32>(x << 8U) >> 8; }

template <class Float>
Float power_of_integer(Float base, I32 exponent) {
  return static_cast<Float>(std::pow(static_cast<double>(base), static_cast<double>(exponent)));
}

}  // namespace

std::span<const ExternUnary> integer_functions() {
  static constexpr std::array kFunctions = {
      extern_entry<[](U32 x) { return static_cast<I32>(x) < 0 ? 0U - x : x; }>("__nv_abs"),
      extern_entry<[](U64 x) { return static_cast<I64>(x) < 0 ? 0U - x : x; }>("__nv_llabs"),
      extern_entry<[](U32 x) { return reversed_bits(x); }>("__nv_brev"),
      extern_entry<[](U64 x) { return reversed_bits(x); }>("__nv_brevll"),
      extern_entry<[](U32 x) { return static_cast<I32>(std::countl_zero(x)); }>("__nv_clz"),
      extern_entry<[](U64 x) { return static_cast<I32>(std::countl_zero(x)); }>("__nv_clzll"),
      extern_entry<[](U32 x) { return static_cast<I32>(x == 0 ? 0 : std::countr_zero(x) + 1); }>("__nv_ffs"),
      extern_entry<[](U64 x) { return static_cast<I32>(x == 0 ? 0 : std::countr_zero(x) + 1); }>("__nv_ffsll"),
      extern_entry<[](U32 x) { return static_cast<I32>(std::popcount(x)); }>("__nv_popc"),
      extern_entry<[](U64 x) { return static_cast<I32>(std::popcount(x)); }>("__nv_popcll"),
      extern_entry<[](float x) { return bits_of(x); }>("__nv_float_as_int"),
      extern_entry<[](float x) { return bits_of(x); }>("__nv_float_as_uint"),
      extern_entry<[](U32 x) { return float_of(x); }>("__nv_int_as_float"),
      extern_entry<[](U32 x) { return float_of(x); }>("__nv_uint_as_float"),
      extern_entry<[](double x) { return bits_of(x); }>("__nv_double_as_longlong"),
      extern_entry<[](U64 x) { return double_of(x); }>("__nv_longlong_as_double"),
      extern_entry<[](double x) { return static_cast<U32>(bits_of(x) >> 32U); }>("__nv_double2hiint"),
      extern_entry<[](double x) { return static_cast<U32>(bits_of(x)); }>("__nv_double2loint"),
      // The reciprocal of the upper half of a double's bits, in the upper half.
      extern_entry<[](double x) {
        return double_of(bits_of(1.0 / double_of(bits_of(x) & ~0xffffffffULL)) & ~0xffffffffULL);
      }>("__nv_rcp64h"),
      extern_entry<[](float x) { return static_cast<I32>(is_nan(x)); }>("__nv_isnanf"),
      extern_entry<[](double x) { return static_cast<I32>(is_nan(x)); }>("__nv_isnand"),
      extern_entry<[](float x) { return static_cast<I32>(std::isinf(x)); }>("__nv_isinff"),
      extern_entry<[](double x) { return static_cast<I32>(std::isinf(x)); }>("__nv_isinfd"),
      extern_entry<[](float x) { return static_cast<I32>(std::isfinite(x)); }>("__nv_finitef"),
      extern_entry<[](double x) { return static_cast<I32>(std::isfinite(x)); }>("__nv_isfinited"),
      extern_entry<[](float x) { return static_cast<I32>(std::signbit(x)); }>("__nv_signbitf"),
      extern_entry<[](double x) { return static_cast<I32>(std::signbit(x)); }>("__nv_signbitd"),
      extern_entry<[](float x) { return static_cast<I32>(std::ilogb(x)); }>("__nv_ilogbf"),
      extern_entry<[](double x) { return static_cast<I32>(std::ilogb(x)); }>("__nv_ilogb"),
  };
  return kFunctions;
}

std::span<const ExternBinary> integer_pairs() {
  static constexpr std::array kPairs = {
      extern_pair<[](I32 a, I32 b) { return static_cast<I32>((static_cast<I64>(a) + b) >> 1); }>("__nv_hadd"),
      extern_pair<[](I32 a, I32 b) { return static_cast<I32>((static_cast<I64>(a) + b + 1) >> 1); }>("__nv_rhadd"),
      extern_pair<[](U32 a, U32 b) { return static_cast<U32>((static_cast<U64>(a) + b) >> 1U); }>("__nv_uhadd"),
      extern_pair<[](U32 a, U32 b) { return static_cast<U32>((static_cast<U64>(a) + b + 1) >> 1U); }>("__nv_urhadd"),
      extern_pair<[](U32 a, U32 b) { return static_cast<U32>(static_cast<I64>(low_24(a)) * low_24(b)); }>("__nv_mul24"),
      extern_pair<[](U32 a, U32 b) { return (a & 0xffffffU) * (b & 0xffffffU); }>("__nv_umul24"),
      extern_pair<[](I32 a, I32 b) { return static_cast<I32>((static_cast<I64>(a) * b) >> 32); }>("__nv_mulhi"),
      extern_pair<[](U32 a, U32 b) { return static_cast<U32>((static_cast<U64>(a) * b) >> 32U); }>("__nv_umulhi"),
      extern_pair<[](I64 a, I64 b) { return static_cast<I64>((static_cast<i128>(a) * b) >> 64); }>("__nv_mul64hi"),
      extern_pair<[](U64 a, U64 b) { return static_cast<U64>((static_cast<u128>(a) * b) >> 64U); }>("__nv_umul64hi"),
      extern_pair<[](I32 a, I32 b) { return std::min(a, b); }>("__nv_min"),
      extern_pair<[](I32 a, I32 b) { return std::max(a, b); }>("__nv_max"),
      extern_pair<[](U32 a, U32 b) { return std::min(a, b); }>("__nv_umin"),
      extern_pair<[](U32 a, U32 b) { return std::max(a, b); }>("__nv_umax"),
      extern_pair<[](I64 a, I64 b) { return std::min(a, b); }>("__nv_llmin"),
      extern_pair<[](I64 a, I64 b) { return std::max(a, b); }>("__nv_llmax"),
      extern_pair<[](U64 a, U64 b) { return std::min(a, b); }>("__nv_ullmin"),
      extern_pair<[](U64 a, U64 b) { return std::max(a, b); }>("__nv_ullmax"),
      extern_pair<[](U32 high, U32 low) { return double_of((static_cast<U64>(high) << 32U) | low); }>(
          "__nv_hiloint2double"),
      extern_pair<[](I32 order, float x) {
        return with_one_nan(static_cast<float>(::jn(order, static_cast<double>(x))));
      }>("__nv_jnf"),
      extern_pair<[](I32 order, float x) {
        return with_one_nan(static_cast<float>(::yn(order, static_cast<double>(x))));
      }>("__nv_ynf"),
      extern_pair<[](I32 order, double x) { return ::jn(order, x); }>("__nv_jn"),
      extern_pair<[](I32 order, double x) { return ::yn(order, x); }>("__nv_yn"),
      extern_pair<[](float x, I32 exponent) { return std::ldexp(x, exponent); }>("__nv_ldexpf"),
      extern_pair<[](double x, I32 exponent) { return std::ldexp(x, exponent); }>("__nv_ldexp"),
      extern_pair<[](float x, I32 exponent) { return std::scalbn(x, exponent); }>("__nv_scalbnf"),
      extern_pair<[](double x, I32 exponent) { return std::scalbn(x, exponent); }>("__nv_scalbn"),
      extern_pair<[](float x, I32 exponent) { return power_of_integer(x, exponent); }>("__nv_powif"),
      extern_pair<[](double x, I32 exponent) { return power_of_integer(x, exponent); }>("__nv_powi"),
      extern_pair<[](float x, float y) { return std::nextafter(x, y); }>("__nv_nextafterf"),
      extern_pair<[](double x, double y) { return std::nextafter(x, y); }>("__nv_nextafter"),
      extern_pair<[](float x, float y) { return extreme<true, false>(x, y); }>("__nv_fmaxf"),
      extern_pair<[](float x, float y) { return extreme<false, false>(x, y); }>("__nv_fminf"),
      extern_pair<[](double x, double y) { return extreme<true, false>(x, y); }>("__nv_fmax"),
      extern_pair<[](double x, double y) { return extreme<false, false>(x, y); }>("__nv_fmin"),
      extern_pair<[](float x, float y) { return ex2<true>(y * lg2(x)); }>("__nv_fast_powf"),
  };
  return kPairs;
}

std::span<const ExternTernary> ternary_functions() {
  static constexpr std::array kFunctions = {
      extern_three<[](U32 x, U32 y, U32 selector) { return byte_perm(x, y, selector); }>("__nv_byte_perm"),
      extern_three<[](U32 x, U32 y, U32 z) { return (static_cast<I32>(x) > static_cast<I32>(y) ? x - y : y - x) + z; }>(
          "__nv_sad"),
      extern_three<[](U32 x, U32 y, U32 z) { return (x > y ? x - y : y - x) + z; }>("__nv_usad"),
      extern_three<[](float x, float y, float z) {
        const double sum = static_cast<double>(x) * x + static_cast<double>(y) * y + static_cast<double>(z) * z;
        return with_one_nan(static_cast<float>(std::sqrt(sum)));
      }>("__nv_norm3df"),
      extern_three<[](float x, float y, float z) {
        const double sum = static_cast<double>(x) * x + static_cast<double>(y) * y + static_cast<double>(z) * z;
        return with_one_nan(static_cast<float>(1.0 / std::sqrt(sum)));
      }>("__nv_rnorm3df"),
      extern_three<[](double x, double y, double z) { return std::hypot(x, y, z); }>("__nv_norm3d"),
      extern_three<[](double x, double y, double z) { return 1.0 / std::hypot(x, y, z); }>("__nv_rnorm3d"),
  };
  return kFunctions;
}

}  // namespace tritonrl::ttir::lanes
