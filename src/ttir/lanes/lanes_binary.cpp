#include "ttir/lanes/lane_loops.h"
#include "ttir/lanes/lane_math.h"
#include "ttir/lanes/lanes_isa.h"

namespace tritonrl::ttir::lanes::TRITONRL_ISA {
namespace {

__extension__ using u128 = unsigned __int128;

// Arithmetic of lanes narrower than int would be promoted to int, where it can overflow.
template <class Unsigned>
using Wide = std::conditional_t<(sizeof(Unsigned) < 4), std::uint32_t, Unsigned>;

// The quotient of integers, cut off. Vectorised through floats that hold every operand: the quotient of two integers is
// further from the next integer than the rounding of its float can reach.
template <class Integer>
TRITONRL_LANE Integer quotient(Integer a, Integer b) {
  const Integer divisor = b == 0 ? Integer{1} : b;
  if constexpr (sizeof(Integer) < 4) {
    const float result = static_cast<float>(a) / static_cast<float>(divisor);
    return b == 0 ? Integer{0} : static_cast<Integer>(static_cast<std::int32_t>(result));
  } else if constexpr (std::is_same_v<Integer, std::int32_t>) {
    const double result = static_cast<double>(a) / static_cast<double>(divisor);
    const bool past = result >= 2147483648.0;  // INT_MIN / -1 wraps
    const auto kept = static_cast<std::int32_t>(past ? 0.0 : result);
    return b == 0 ? 0 : past ? a : kept;
  } else if constexpr (std::is_same_v<Integer, std::uint32_t>) {
    // Offset by 2^31: vector conversions are of signed numbers.
    constexpr double kHalf = 2147483648.0;
    const double x = static_cast<double>(static_cast<std::int32_t>(a ^ kSignBit)) + kHalf;
    const double y = static_cast<double>(static_cast<std::int32_t>(divisor ^ kSignBit)) + kHalf;
    const double result = x / y;
    const bool high = result >= kHalf;
    const auto low_part = static_cast<std::uint32_t>(static_cast<std::int32_t>(high ? result - kHalf : result));
    return b == 0 ? 0 : high ? low_part ^ kSignBit : low_part;
  } else if constexpr (std::is_signed_v<Integer>) {
    const bool negates = b == -1;
    const Integer plain = a / (negates ? Integer{1} : divisor);
    return b == 0 ? 0 : negates ? static_cast<Integer>(0U - static_cast<std::make_unsigned_t<Integer>>(a)) : plain;
  } else {
    return b == 0 ? 0 : a / divisor;
  }
}

// Quotient and what is left of it, in unsigned arithmetic, which wraps.
template <class Integer>
struct Division {
  using Unsigned = std::make_unsigned_t<Integer>;
  Unsigned quotient;
  Integer rest;
};
template <class Integer>
TRITONRL_LANE Division<Integer> divide(Integer a, Integer b) {
  using Unsigned = std::make_unsigned_t<Integer>;
  const auto whole = static_cast<Unsigned>(quotient(a, b));
  const auto product = static_cast<Wide<Unsigned>>(whole) * static_cast<Wide<Unsigned>>(static_cast<Unsigned>(b));
  const auto rest = static_cast<Integer>(static_cast<Unsigned>(static_cast<Unsigned>(a) - product));
  return {whole, b == 0 ? Integer{0} : rest};
}

// The high half of the product.
template <class Unsigned>
TRITONRL_LANE Unsigned high_product(Unsigned a, Unsigned b) {
  using Double = std::conditional_t<sizeof(Unsigned) == 8, u128, std::uint64_t>;
  return static_cast<Unsigned>((static_cast<Double>(a) * b) >> (8 * sizeof(Unsigned)));
}
// From the unsigned one: GCC 12 takes the high half of a signed product of 16 bits for an unsigned one when it
// vectorises.
template <class Unsigned>
TRITONRL_LANE Unsigned signed_high_product(Unsigned a, Unsigned b) {
  using Signed = std::make_signed_t<Unsigned>;
  const Wide<Unsigned> of_a = static_cast<Signed>(a) < 0 ? b : Unsigned{0};
  const Wide<Unsigned> of_b = static_cast<Signed>(b) < 0 ? a : Unsigned{0};
  return static_cast<Unsigned>(high_product(a, b) - of_a - of_b);
}

template <class Value>
TRITONRL_LANE Value integer_power(Value base, Value exponent, bool exponent_is_negative) {
  using Unsigned = std::make_unsigned_t<Value>;
  auto factor = static_cast<Wide<Unsigned>>(static_cast<Unsigned>(base));
  auto left = static_cast<Unsigned>(exponent);
  Wide<Unsigned> power = 1;
  if (exponent_is_negative) {
    if (base == Value{1}) return 1;
    if (base == static_cast<Value>(-1)) return (exponent & 1) != 0 ? static_cast<Value>(-1) : Value{1};
    return 0;
  }
  for (; left != 0; left = static_cast<Unsigned>(left >> 1U)) {
    if ((left & 1U) != 0) power *= factor;
    factor *= factor;
  }
  return static_cast<Value>(static_cast<Unsigned>(power));
}

// One integer operation for each opcode, on the lanes of one element.
template <Opcode kOpcode, Element kElement>
struct IntegerOperation {
  using I = Integer<kElement>;
  using U = typename I::Unsigned;
  using S = typename I::Signed;
  using W = Wide<U>;

  TRITONRL_LANE static U apply(U a, U b) {
    const S sa = I::as_signed(a);
    const S sb = I::as_signed(b);
    if constexpr (kOpcode == Opcode::kArithAddI) return I::lane(static_cast<W>(a) + static_cast<W>(b));
    if constexpr (kOpcode == Opcode::kArithSubI) return I::lane(static_cast<W>(a) - static_cast<W>(b));
    if constexpr (kOpcode == Opcode::kArithMulI) return I::lane(static_cast<W>(a) * static_cast<W>(b));
    if constexpr (kOpcode == Opcode::kArithAndI) return static_cast<U>(a & b);
    if constexpr (kOpcode == Opcode::kArithOrI) return static_cast<U>(a | b);
    if constexpr (kOpcode == Opcode::kArithXOrI) return static_cast<U>(a ^ b);
    if constexpr (kOpcode == Opcode::kArithMaxSI) return sa > sb ? a : b;
    if constexpr (kOpcode == Opcode::kArithMinSI) return sa < sb ? a : b;
    if constexpr (kOpcode == Opcode::kArithMaxUI) return a > b ? a : b;
    if constexpr (kOpcode == Opcode::kArithMinUI) return a < b ? a : b;
    // Vector units shift lanes of 32 bits and more; the amount is bounded first, as C++ has it.
    const bool past = b >= I::kBits;
    const auto amount = static_cast<W>(past ? I::kBits - 1 : b);
    if constexpr (kOpcode == Opcode::kArithShLI) return past ? U{0} : I::lane(static_cast<W>(a) << amount);
    if constexpr (kOpcode == Opcode::kArithShRUI) return past ? U{0} : I::lane(static_cast<W>(a) >> amount);
    if constexpr (kOpcode == Opcode::kArithShRSI) return I::lane(static_cast<std::make_signed_t<W>>(sa) >> amount);
    if constexpr (kOpcode == Opcode::kArithDivSI) return I::lane(quotient(sa, sb));
    if constexpr (kOpcode == Opcode::kArithDivUI) return I::lane(quotient(a, b));
    if constexpr (kOpcode == Opcode::kArithRemSI) return I::lane(divide(sa, sb).rest);
    if constexpr (kOpcode == Opcode::kArithRemUI) return I::lane(divide(a, b).rest);
    if constexpr (kOpcode == Opcode::kArithFloorDivSI) {
      const auto [whole, rest] = divide(sa, sb);
      return I::lane(whole - static_cast<U>(rest != 0 && (rest < 0) != (sb < 0)));
    }
    if constexpr (kOpcode == Opcode::kArithCeilDivSI) {
      const auto [whole, rest] = divide(sa, sb);
      return I::lane(whole + static_cast<U>(rest != 0 && (rest < 0) == (sb < 0)));
    }
    if constexpr (kOpcode == Opcode::kArithCeilDivUI) {
      const auto [whole, rest] = divide(a, b);
      return I::lane(whole + static_cast<U>(rest != 0));
    }
    if constexpr (kOpcode == Opcode::kArithMulSIExtended)
      return kElement == Element::kI1 ? U{0} : signed_high_product(a, b);
    if constexpr (kOpcode == Opcode::kArithMulUIExtended || kOpcode == Opcode::kTtMulhiUI) return high_product(a, b);
    if constexpr (kOpcode == Opcode::kMathIPowI) return I::lane(integer_power(sa, sb, sb < 0));
  }
};

template <Opcode kOpcode, Element kElement>
struct FloatOperation {
  using T = Lane<kElement>;
  TRITONRL_LANE static T apply(T a, T b) {
    if constexpr (kOpcode == Opcode::kArithAddF) return rounded<kElement>(a + b);
    if constexpr (kOpcode == Opcode::kArithSubF) return rounded<kElement>(a - b);
    if constexpr (kOpcode == Opcode::kArithMulF) return rounded<kElement>(a * b);
    // div.full.f32 errs by 2 ulp; the right quotient is within that.
    if constexpr (kOpcode == Opcode::kArithDivF || kOpcode == Opcode::kTtPreciseDivF) return rounded<kElement>(a / b);
    if constexpr (kOpcode == Opcode::kArithRemF) return rounded<kElement>(remainder(a, b));
    if constexpr (kOpcode == Opcode::kArithMaximumF) return kept(extreme<true, true>(a, b));
    if constexpr (kOpcode == Opcode::kArithMinimumF) return kept(extreme<false, true>(a, b));
    if constexpr (kOpcode == Opcode::kArithMaxNumF) return kept(extreme<true, false>(a, b));
    if constexpr (kOpcode == Opcode::kArithMinNumF) return kept(extreme<false, false>(a, b));
    if constexpr (kOpcode == Opcode::kMathCopySign) return copy_sign(a, b);
  }

 private:
  // Of a value that needs no rounding: only the NaN must be one of the type.
  TRITONRL_LANE static T kept(T value) {
    if constexpr (kElement == Element::kF16 || kElement == Element::kBF16) {
      return is_nan(value) ? float_of(kNanBits & ~((1U << FloatFormat<kElement>::kShift) - 1U)) : value;
    }
    return value;
  }
};

template <Opcode kOpcode>
Binary integer_loop(Element element, Uniform uniform) {
  return with_integer(element, [&]<Element kElement>() -> Binary {
    using T = Lane<kElement>;
    return pair_loop<IntegerOperation<kOpcode, kElement>, T, T>(uniform);
  });
}

template <Opcode kOpcode>
Binary float_loop(Element element, Uniform uniform) {
  return with_element<Element::kF16, Element::kBF16, Element::kF32, Element::kF64>(
      element, [&]<Element kElement>() -> Binary {
        using T = Lane<kElement>;
        return pair_loop<FloatOperation<kOpcode, kElement>, T, T>(uniform);
      });
}

template <Opcode... kOpcodes>
Binary find_integer(Opcode opcode, Element element, Uniform uniform) {
  Binary found = nullptr;
  (void)((opcode == kOpcodes ? (found = integer_loop<kOpcodes>(element, uniform), true) : false) || ...);
  return found;
}
template <Opcode... kOpcodes>
Binary find_float(Opcode opcode, Element element, Uniform uniform) {
  Binary found = nullptr;
  (void)((opcode == kOpcodes ? (found = float_loop<kOpcodes>(element, uniform), true) : false) || ...);
  return found;
}

}  // namespace

Binary binary(Opcode opcode, Element element, Uniform uniform) {
  using enum Opcode;
  const Binary found =
      find_integer<kArithAddI, kArithSubI, kArithMulI, kArithAndI, kArithOrI, kArithXOrI, kArithMaxSI, kArithMinSI,
                   kArithMaxUI, kArithMinUI, kArithShLI, kArithShRUI, kArithShRSI, kArithDivSI, kArithDivUI,
                   kArithRemSI, kArithRemUI, kArithFloorDivSI, kArithCeilDivSI, kArithCeilDivUI, kArithMulSIExtended,
                   kArithMulUIExtended, kTtMulhiUI, kMathIPowI>(opcode, element, uniform);
  if (found != nullptr) return found;
  return find_float<kArithAddF, kArithSubF, kArithMulF, kArithDivF, kTtPreciseDivF, kArithRemF, kArithMaximumF,
                    kArithMinimumF, kArithMaxNumF, kArithMinNumF, kMathCopySign>(opcode, element, uniform);
}

}  // namespace tritonrl::ttir::lanes::TRITONRL_ISA
