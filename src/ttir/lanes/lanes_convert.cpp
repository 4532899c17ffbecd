#include "ttir/lanes/lane_loops.h"
#include "ttir/lanes/lane_math.h"
#include "ttir/lanes/lanes_isa.h"

namespace tritonrl::ttir::lanes::TRITONRL_ISA {
namespace {

template <class T>
void copy(void* out, const void* a, std::size_t count) {
  auto* result = static_cast<T*>(out);
  const auto* x = static_cast<const T*>(a);
  TRITONRL_LANE_LOOP
  for (std::size_t i = 0; i < count; ++i) result[i] = x[i];
}

Unary copy_of(std::size_t bytes) {
  switch (bytes) {
    case 1:
      return copy<std::uint8_t>;
    case 2:
      return copy<std::uint16_t>;
    case 4:
      return copy<std::uint32_t>;
    default:
      return copy<std::uint64_t>;
  }
}

// Pointers are integers here.
Element plain(Element element) { return element == Element::kPointer ? Element::kI64 : element; }

// Integers among themselves.
template <Element kFrom, Element kTo, bool kSigned>
struct Resize {
  TRITONRL_LANE static Lane<kTo> apply(Lane<kFrom> x) {
    if constexpr (kSigned) return Integer<kTo>::lane(Integer<kFrom>::as_signed(x));
    return Integer<kTo>::lane(x);
  }
};

// An integer of 64 bits as a double from which rounding to f16 or bf16 comes out right: what lies under the 33 leading
// bits only counts as being there.
template <class Value>
TRITONRL_LANE double without_tail(Value value) {
  constexpr std::uint64_t kTail = 0x7fffffff;
  const auto bits = static_cast<std::uint64_t>(value);
  const std::uint64_t marked =
      (bits & ~0xffffffffULL) | ((bits & kTail) != 0 ? 1ULL << 31U : 0) | (bits & (1ULL << 31U));
  const auto size = std::is_signed_v<Value> && static_cast<std::int64_t>(bits) < 0 ? 0U - bits : bits;
  return size < (1ULL << 53U) ? static_cast<double>(value) : static_cast<double>(static_cast<Value>(marked));
}

// cvt.rn: one rounding, from the integer.
template <Element kFrom, Element kTo, bool kSigned>
struct FromInteger {
  TRITONRL_LANE static Lane<kTo> apply(Lane<kFrom> x) {
    if constexpr (kSigned) return round(Integer<kFrom>::as_signed(x));
    return round(x);
  }

 private:
  template <class Value>
  TRITONRL_LANE static Lane<kTo> round(Value x) {
    if constexpr (kTo == Element::kF64 || kTo == Element::kF32) {
      return static_cast<Lane<kTo>>(x);
    } else if constexpr (sizeof(Value) < 4) {
      return FloatFormat<kTo>::nearest(static_cast<float>(static_cast<std::int32_t>(x)));
    } else if constexpr (sizeof(Value) == 4) {
      return FloatFormat<kTo>::nearest(to_odd(static_cast<double>(x)));
    } else {
      return FloatFormat<kTo>::nearest(to_odd(without_tail(x)));
    }
  }
};

// cvt.rzi saturates. A NaN gives 0, or the topmost bit where either side has 64 bits. There is no cvt to 8 bits: LLVM
// converts to 16 and cuts off the rest.
template <class Float, Element kTo, bool kSigned>
struct ToInteger {
  static constexpr unsigned kBits = sizeof(Lane<kTo>) < 2 ? 16 : 8 * sizeof(Lane<kTo>);
  // Values from `low` up to below `past` have a result of their own.
  static constexpr Float kPast = static_cast<Float>(1ULL << (kBits - 2)) * (kSigned ? 2 : 4);
  static constexpr Float kLow = kSigned ? -kPast : Float{0};
  static constexpr std::uint64_t kLargest = ~0ULL >> (kSigned ? 65 - kBits : 64 - kBits);
  static constexpr std::uint64_t kSmallest = kSigned ? ~kLargest : 0;

  TRITONRL_LANE static Lane<kTo> apply(Float x) {
    const bool inside = x >= kLow && x < kPast;
    const Float kept = inside ? x : Float{0};
    using Result = std::conditional_t<kBits == 64, std::uint64_t, std::uint32_t>;
    Result result = 0;
    if constexpr (kBits == 16 || (kBits == 32 && kSigned)) {
      result = static_cast<Result>(static_cast<std::int32_t>(kept));
    } else if constexpr (kBits == 64 && kSigned) {
      result = static_cast<Result>(static_cast<std::int64_t>(kept));
    } else {
      // Offset by half the range: vector conversions are to signed numbers.
      constexpr Float kHalf = kPast / 2;
      using Signed = std::make_signed_t<Result>;
      const bool high = kept >= kHalf;
      const auto low_part = static_cast<Result>(static_cast<Signed>(high ? kept - kHalf : kept));
      result = high ? low_part ^ (Result{1} << (kBits - 1)) : low_part;
    }
    result = x >= kPast ? static_cast<Result>(kLargest) : result;
    result = x < kLow ? static_cast<Result>(kSmallest) : result;
    if constexpr (kBits == 64 || sizeof(Float) == 8) result = is_nan(x) ? Result{1} << (kBits - 1) : result;
    return Integer<kTo>::lane(result);
  }
};

template <Element kTo, Rounding kRounding>
struct Narrow {
  TRITONRL_LANE static Lane<kTo> apply(float x) {
    if constexpr (kTo == Element::kF32) {
      return with_one_nan(x);
    } else if constexpr (kRounding == Rounding::kTowardZero) {
      return FloatFormat<kTo>::toward_zero(x);
    } else {
      return FloatFormat<kTo>::nearest(x);
    }
  }
  // From f64 a NaN keeps its sign and as much of its payload as there is room for.
  TRITONRL_LANE static Lane<kTo> apply(double x) {
    const auto near = static_cast<float>(x);
    if constexpr (kTo == Element::kF32) {
      if constexpr (kRounding == Rounding::kNearestEven) return near;
      const bool past = absolute(static_cast<double>(near)) > absolute(x);
      return past ? float_of(bits_of(near) - 1U) : near;
    } else {
      const float result = apply(to_odd(x));
      if constexpr (FloatFormat<kTo>::kBits == 8) return result;
      constexpr std::uint32_t kKept = ~((1U << FloatFormat<kTo>::kShift) - 1U);
      return is_nan(x) ? float_of(bits_of(near) & kKept) : result;
    }
  }
};

template <Element kFrom>
struct Widen {
  TRITONRL_LANE static double apply(float x) {
    return static_cast<double>(kFrom == Element::kF16 ? with_one_nan(x) : x);
  }
};

// f8E5M2 to bf16 on sm_90 scales the bits by 2^112: its infinity and NaNs become numbers, from 2^16 up.
struct E5M2ToBF16 {
  TRITONRL_LANE static float apply(float x) {
    const std::uint32_t bits = bits_of(x);
    const std::uint32_t number = (bits & (kSignBit | 0x00600000U)) | 0x47800000U;
    return float_of((bits & kInfinityBits) == kInfinityBits ? number : bits);
  }
};

// A byte of memory that is an i1 is one by its lowest bit.
struct LowBit {
  TRITONRL_LANE static std::uint8_t apply(std::uint8_t x) { return x & 1U; }
};

template <Element kElement>
struct Decode {
  TRITONRL_LANE static float apply(typename FloatFormat<kElement>::Bits x) { return FloatFormat<kElement>::decode(x); }
};
template <Element kElement>
struct Encode {
  TRITONRL_LANE static auto apply(float x) { return FloatFormat<kElement>::encode(x); }
};
template <Element kFrom, Element kTo>
struct Recode {
  TRITONRL_LANE static float apply(float x) { return FloatFormat<kTo>::decode(FloatFormat<kFrom>::encode(x)); }
};

template <class Use>
auto with_narrow_float(Element element, Use use) {
  return with_element<Element::kF8E4M3FN, Element::kF8E5M2, Element::kF8E4M3FNUZ, Element::kF8E5M2FNUZ,
                      Element::kF8E4M3B11FNUZ, Element::kF16, Element::kBF16>(element, use);
}

Unary resize(Element from, Element to, bool is_signed) {
  return with_integer(from, [&]<Element kFrom>() -> Unary {
    return with_integer(to, [&]<Element kTo>() -> Unary {
      if (is_signed) return each<Resize<kFrom, kTo, true>, Lane<kFrom>, Lane<kTo>>;
      return each<Resize<kFrom, kTo, false>, Lane<kFrom>, Lane<kTo>>;
    });
  });
}

template <bool kSigned>
Unary from_integer(Element from, Element to) {
  return with_integer(from, [&]<Element kFrom>() -> Unary {
    return with_element<Element::kF16, Element::kBF16, Element::kF32, Element::kF64>(
        to, []<Element kTo>() -> Unary { return each<FromInteger<kFrom, kTo, kSigned>, Lane<kFrom>, Lane<kTo>>; });
  });
}

template <bool kSigned>
Unary to_integer(Element from, Element to) {
  return with_integer(to, [&]<Element kTo>() -> Unary {
    if (from == Element::kF64) return each<ToInteger<double, kTo, kSigned>, double, Lane<kTo>>;
    return is_float(from) ? each<ToInteger<float, kTo, kSigned>, float, Lane<kTo>> : nullptr;
  });
}

template <Rounding kRounding>
Unary narrow(Element from, Element to) {
  if (to == Element::kF32) {
    return from == Element::kF64 ? each<Narrow<Element::kF32, kRounding>, double, float>
                                 : each<Narrow<Element::kF32, kRounding>, float, float>;
  }
  return with_narrow_float(to, [&]<Element kTo>() -> Unary {
    return from == Element::kF64 ? each<Narrow<kTo, kRounding>, double, float>
                                 : each<Narrow<kTo, kRounding>, float, float>;
  });
}

Unary between_floats(Element from, Element to, Rounding rounding) {
  if (!is_float(from) || !is_float(to)) return nullptr;
  if (from == to) return from == Element::kF64 ? copy<double> : copy<float>;
  if (to == Element::kF64) {
    return from == Element::kF16 ? each<Widen<Element::kF16>, float, double>
                                 : each<Widen<Element::kF32>, float, double>;
  }
  if (from == Element::kF8E5M2 && to == Element::kBF16) return each<E5M2ToBF16, float, float>;
  if (from == Element::kBF16 && to == Element::kF32) return copy<float>;
  return rounding == Rounding::kTowardZero ? narrow<Rounding::kTowardZero>(from, to)
                                           : narrow<Rounding::kNearestEven>(from, to);
}

Unary bitcast(Element from, Element to) {
  if (bytes_of(from) != bytes_of(to)) return nullptr;
  if (is_integer(from) == is_integer(to) && (from == to || is_integer(from))) return copy_of(bytes_of_lane(from));
  if (bytes_of(from) >= 4) return copy_of(bytes_of(from));
  if (is_integer(from)) return decode(to);
  if (is_integer(to)) return encode(from);
  return with_narrow_float(from, [&]<Element kFrom>() -> Unary {
    return with_narrow_float(to, []<Element kTo>() -> Unary {
      if constexpr (FloatFormat<kFrom>::kBits == FloatFormat<kTo>::kBits) return each<Recode<kFrom, kTo>, float, float>;
      return nullptr;
    });
  });
}

}  // namespace

Unary convert(Opcode opcode, Element from, Element to, Rounding rounding) {
  from = plain(from);
  to = plain(to);
  switch (opcode) {
    case Opcode::kArithExtSI:
    case Opcode::kArithIndexCast:
      return resize(from, to, true);
    case Opcode::kArithExtUI:
    case Opcode::kArithIndexCastUI:
    case Opcode::kArithTruncI:
      return resize(from, to, false);
    case Opcode::kArithSIToFP:
      return from_integer<true>(from, to);
    case Opcode::kArithUIToFP:
      return from_integer<false>(from, to);
    case Opcode::kArithFPToSI:
      return to_integer<true>(from, to);
    case Opcode::kArithFPToUI:
      return to_integer<false>(from, to);
    case Opcode::kArithExtF:
    case Opcode::kArithTruncF:
    case Opcode::kTtFpToFp:
      return between_floats(from, to, rounding);
    case Opcode::kArithBitcast:
    case Opcode::kTtBitcast:
    case Opcode::kTtIntToPtr:
    case Opcode::kTtPtrToInt:
      return bitcast(from, to);
    default:
      return nullptr;
  }
}

Unary decode(Element element) {
  if (element == Element::kI1) return each<LowBit, std::uint8_t, std::uint8_t>;
  const Unary found = with_narrow_float(element, []<Element kElement>() -> Unary {
    return each<Decode<kElement>, typename FloatFormat<kElement>::Bits, float>;
  });
  return found != nullptr ? found : copy_of(bytes_of(element));
}

Unary encode(Element element) {
  const Unary found = with_narrow_float(element, []<Element kElement>() -> Unary {
    return each<Encode<kElement>, float, typename FloatFormat<kElement>::Bits>;
  });
  return found != nullptr ? found : copy_of(bytes_of(element));
}

}  // namespace tritonrl::ttir::lanes::TRITONRL_ISA
