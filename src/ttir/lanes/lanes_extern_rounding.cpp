// Arithmetic and conversions with a rounding of choice: the processor's own, switched for the time of one loop.
#include <array>
#include <cfenv>
#include <cmath>

#include "ttir/lanes/lane_math.h"
#include "ttir/lanes/lanes_extern.h"

namespace tritonrl::ttir::lanes {
namespace {

using I32 = std::int32_t;
using U32 = std::uint32_t;
using I64 = std::int64_t;
using U64 = std::uint64_t;

class RoundingMode {
 public:
  explicit RoundingMode(int mode) : before_(std::fegetround()) { std::fesetround(mode); }
  ~RoundingMode() { std::fesetround(before_); }
  RoundingMode(const RoundingMode&) = delete;
  RoundingMode& operator=(const RoundingMode&) = delete;

 private:
  int before_;
};

template <auto kFunction, int kMode>
void rounded_unary(void* out, const void* a, std::size_t count) {
  const RoundingMode mode(kMode);
  SignatureOf<kFunction>::template unary<kFunction>(out, a, count);
}
template <auto kFunction, int kMode>
void rounded_binary(void* out, const void* a, const void* b, std::size_t count) {
  const RoundingMode mode(kMode);
  SignatureOf<kFunction>::template binary<kFunction>(out, a, b, count);
}
template <auto kFunction, int kMode>
void rounded_ternary(void* out, const void* a, const void* b, const void* c, std::size_t count) {
  const RoundingMode mode(kMode);
  SignatureOf<kFunction>::template ternary<kFunction>(out, a, b, c, count);
}

template <auto kFunction>
constexpr RoundedUnary one(std::string_view name) {
  using S = SignatureOf<kFunction>;
  return {name,
          element_of<typename S::First>(),
          element_of<typename S::Result>(),
          {rounded_unary<kFunction, FE_TONEAREST>, rounded_unary<kFunction, FE_TOWARDZERO>,
           rounded_unary<kFunction, FE_UPWARD>, rounded_unary<kFunction, FE_DOWNWARD>}};
}
template <auto kFunction>
constexpr RoundedBinary two(std::string_view name) {
  return {name,
          element_of<typename SignatureOf<kFunction>::First>(),
          {rounded_binary<kFunction, FE_TONEAREST>, rounded_binary<kFunction, FE_TOWARDZERO>,
           rounded_binary<kFunction, FE_UPWARD>, rounded_binary<kFunction, FE_DOWNWARD>}};
}
template <auto kFunction>
constexpr RoundedTernary three(std::string_view name) {
  return {name,
          element_of<typename SignatureOf<kFunction>::First>(),
          {rounded_ternary<kFunction, FE_TONEAREST>, rounded_ternary<kFunction, FE_TOWARDZERO>,
           rounded_ternary<kFunction, FE_UPWARD>, rounded_ternary<kFunction, FE_DOWNWARD>}};
}

// Triton has libdevice flush subnormals of f32, operands and results.
float finished(float x) { return with_one_nan(flushed(x)); }

// cvt to an integer: see ToInteger in lanes_convert.cpp.
template <class Integer, class Float>
Integer to_integer(Float x) {
  constexpr Float kPast =
      static_cast<Float>(Integer{1} << (8 * sizeof(Integer) - 2)) * (std::is_signed_v<Integer> ? 2 : 4);
  if (is_nan(x)) {
    if (sizeof(Float) == 4 && sizeof(Integer) == 4) return 0;
    return static_cast<Integer>(std::make_unsigned_t<Integer>{1} << (8 * sizeof(Integer) - 1));
  }
  const Float whole = std::nearbyint(x);
  if (whole >= kPast) return std::numeric_limits<Integer>::max();
  if (whole < (std::is_signed_v<Integer> ? -kPast : Float{0})) return std::numeric_limits<Integer>::min();
  return static_cast<Integer>(whole);
}

}  // namespace

std::span<const RoundedUnary> rounded_functions() {
  static constexpr std::array kFunctions = {
      one<[](float x) { return finished(1.0F / flushed(x)); }>("frcp"),
      one<[](double x) { return 1.0 / x; }>("drcp"),
      one<[](float x) { return finished(std::sqrt(flushed(x))); }>("fsqrt"),
      one<[](double x) { return std::sqrt(x); }>("dsqrt"),
      one<[](float x) { return with_one_nan(static_cast<float>(1.0 / std::sqrt(static_cast<double>(flushed(x))))); }>(
          "frsqrt"),
      one<[](float x) { return to_integer<I32>(flushed(x)); }>("float2int"),
      one<[](float x) { return to_integer<U32>(flushed(x)); }>("float2uint"),
      one<[](float x) { return to_integer<I64>(flushed(x)); }>("float2ll"),
      one<[](float x) { return to_integer<U64>(flushed(x)); }>("float2ull"),
      one<[](double x) { return to_integer<I32>(x); }>("double2int"),
      one<[](double x) { return to_integer<U32>(x); }>("double2uint"),
      one<[](double x) { return to_integer<I64>(x); }>("double2ll"),
      one<[](double x) { return to_integer<U64>(x); }>("double2ull"),
      one<[](double x) { return flushed(static_cast<float>(x)); }>("double2float"),
      one<[](I32 x) { return static_cast<float>(x); }>("int2float"),
      one<[](U32 x) { return static_cast<float>(x); }>("uint2float"),
      one<[](I64 x) { return static_cast<float>(x); }>("ll2float"),
      one<[](U64 x) { return static_cast<float>(x); }>("ull2float"),
      one<[](I32 x) { return static_cast<double>(x); }>("int2double"),
      one<[](U32 x) { return static_cast<double>(x); }>("uint2double"),
      one<[](I64 x) { return static_cast<double>(x); }>("ll2double"),
      one<[](U64 x) { return static_cast<double>(x); }>("ull2double"),
      one<[](float x) { return to_integer<I64>(flushed(x)); }>("llrintf"),
      one<[](double x) { return to_integer<I64>(x); }>("llrint"),
      one<[](float x) { return to_integer<I64>(std::round(x)); }>("llroundf"),
      one<[](double x) { return to_integer<I64>(std::round(x)); }>("llround"),
  };
  return kFunctions;
}

std::span<const RoundedBinary> rounded_pairs() {
  static constexpr std::array kPairs = {
      two<[](float x, float y) { return finished(flushed(x) + flushed(y)); }>("fadd"),
      two<[](float x, float y) { return finished(flushed(x) - flushed(y)); }>("fsub"),
      two<[](float x, float y) { return finished(flushed(x) * flushed(y)); }>("fmul"),
      two<[](float x, float y) { return finished(flushed(x) / flushed(y)); }>("fdiv"),
      two<[](double x, double y) { return x + y; }>("dadd"),
      two<[](double x, double y) { return x - y; }>("dsub"),
      two<[](double x, double y) { return x * y; }>("dmul"),
      two<[](double x, double y) { return x / y; }>("ddiv"),
  };
  return kPairs;
}

std::span<const RoundedTernary> rounded_ternaries() {
  static constexpr std::array kTernaries = {
      three<[](float x, float y, float z) { return finished(std::fma(flushed(x), flushed(y), flushed(z))); }>("fmaf"),
      three<[](double x, double y, double z) { return std::fma(x, y, z); }>("fma"),
  };
  return kTernaries;
}

}  // namespace tritonrl::ttir::lanes
