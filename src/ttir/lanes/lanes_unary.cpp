#include "ttir/lanes/lane_loops.h"
#include "ttir/lanes/lane_math.h"
#include "ttir/lanes/lanes_isa.h"

namespace tritonrl::ttir::lanes::TRITONRL_ISA {
namespace {

// A function of f32 for the operations that exist for every float up to f32.
template <class Operation, Element kElement>
struct Rounded {
  TRITONRL_LANE static float apply(float x) { return rounded<kElement>(Operation::apply(x)); }
};

template <class Operation>
Unary float_loop(Element element) {
  return with_element<Element::kF16, Element::kBF16, Element::kF32>(element, []<Element kElement>() -> Unary {
    if constexpr (kElement == Element::kF32) return each<Operation, float, float>;
    return each<Rounded<Operation, kElement>, float, float>;
  });
}

struct Absolute {
  template <class Float>
  TRITONRL_LANE static Float apply(Float x) {
    return absolute(x);
  }
};
struct Negated {
  template <class Float>
  TRITONRL_LANE static Float apply(Float x) {
    return negated(x);
  }
};

// Of values already in the type, which stay in it.
template <class Operation>
Unary exact_loop(Element element) {
  if (element == Element::kF64) return each<Operation, double, double>;
  return is_float(element) ? each<Operation, float, float> : nullptr;
}

struct Exp {
  TRITONRL_LANE static float apply(float x) { return triton_exp(x); }
};
struct Exp2 {
  TRITONRL_LANE static float apply(float x) { return ex2<true>(x); }
};
struct Log {
  TRITONRL_LANE static float apply(float x) { return nv_log(x); }
};
struct Log2 {
  TRITONRL_LANE static float apply(float x) { return nv_log2(x); }
};
struct Sqrt {
  TRITONRL_LANE static float apply(float x) { return sqrt_approx(x); }
};
struct PreciseSqrt {
  TRITONRL_LANE static float apply(float x) { return with_one_nan(__builtin_sqrtf(x)); }
};
struct Rsqrt {
  TRITONRL_LANE static float apply(float x) { return rsqrt_approx(x); }
};
struct Erf {
  TRITONRL_LANE static float apply(float x) { return nv_erf(x); }
};
// cvt.rmi.ftz and its like flush first: the floor of a negative subnormal is -0.
struct Floor {
  TRITONRL_LANE static float apply(float x) { return with_one_nan(floor_of(flushed(x))); }
};
struct Ceil {
  TRITONRL_LANE static float apply(float x) { return with_one_nan(ceil_of(flushed(x))); }
};
struct Trunc {
  TRITONRL_LANE static float apply(float x) { return with_one_nan(cut(x)); }
};
struct RoundEven {
  TRITONRL_LANE static float apply(float x) { return with_one_nan(round_even(x)); }
};
// Halfway cases away from zero.
struct Round {
  TRITONRL_LANE static float apply(float x) {
    const float whole = cut(x);
    const bool up = absolute(x) < 8388608.0F && absolute(x - whole) >= 0.5F;
    return with_one_nan(up ? whole + copy_sign(1.0F, x) : whole);
  }
};
struct NvExp {
  TRITONRL_LANE static float apply(float x) { return nv_exp(x); }
};
struct NvExp10 {
  TRITONRL_LANE static float apply(float x) { return nv_exp10(x); }
};
struct FastExp {
  TRITONRL_LANE static float apply(float x) { return ex2<true>(x * float_of(0x3fb8aa3b)); }
};
struct FastExp10 {
  TRITONRL_LANE static float apply(float x) { return ex2<true>(x * float_of(0x40549a78)); }
};
struct ExpM1 {
  TRITONRL_LANE static float apply(float x) { return nv_expm1(x); }
};
struct FastLog {
  TRITONRL_LANE static float apply(float x) { return lg2(x) * float_of(0x3f317218); }
};
struct FastLog2 {
  TRITONRL_LANE static float apply(float x) { return lg2(x); }
};
struct FastLog10 {
  TRITONRL_LANE static float apply(float x) { return lg2(x) * float_of(0x3e9a209b); }
};
struct Log10 {
  TRITONRL_LANE static float apply(float x) { return nv_log10(x); }
};
struct Log1p {
  TRITONRL_LANE static float apply(float x) { return nv_log1p(x); }
};
struct Tanh {
  TRITONRL_LANE static float apply(float x) { return nv_tanh(x); }
};
struct Erfc {
  TRITONRL_LANE static float apply(float x) { return nv_erfc(x); }
};
struct Reciprocal {
  TRITONRL_LANE static float apply(float x) { return rcp(x); }
};
struct Saturate {
  TRITONRL_LANE static float apply(float x) {
    const float input = flushed(x);
    return input > 0.0F ? (input < 1.0F ? input : 1.0F) : 0.0F;
  }
};
struct FlushedAbsolute {
  TRITONRL_LANE static float apply(float x) { return with_one_nan(absolute(flushed(x))); }
};
struct FastSin {
  TRITONRL_LANE static float apply(float x) { return sin_of(approximate_angle(x)); }
};
struct FastCos {
  TRITONRL_LANE static float apply(float x) {
    const Angle angle = approximate_angle(x);
    return sin_of({angle.rest, angle.quarters + 1U});
  }
};
struct FastTan {
  TRITONRL_LANE static float apply(float x) { return with_one_nan(flushed(FastSin::apply(x) / FastCos::apply(x))); }
};

// The trigonometric functions: a vectorised loop for easy angles, then the hard ones, if any, one by one. Blocks keep
// the inputs, which `out` may overwrite.
template <class Operation, Element kElement>
void each_angle(void* out, const void* a, std::size_t count) {
  constexpr std::size_t kBlock = 256;
  auto* result = static_cast<float*>(out);
  const auto* x = static_cast<const float*>(a);
  float input[kBlock];
  for (std::size_t begin = 0; begin < count; begin += kBlock) {
    const std::size_t size = count - begin < kBlock ? count - begin : kBlock;
    std::uint32_t hard = 0;
    TRITONRL_LANE_LOOP
    for (std::size_t i = 0; i < size; ++i) {
      input[i] = x[begin + i];
      hard |= absolute(input[i]) < kLargestEasyAngle ? 0U : 1U;
      result[begin + i] = rounded<kElement>(Operation::apply(easy_angle(input[i])));
    }
    if (hard == 0) continue;
    for (std::size_t i = 0; i < size; ++i) {
      if (absolute(input[i]) < kLargestEasyAngle) continue;
      result[begin + i] = rounded<kElement>(Operation::apply(hard_angle(input[i])));
    }
  }
}

template <class Operation>
Unary angle_loop(Element element) {
  return with_element<Element::kF16, Element::kBF16, Element::kF32>(
      element, []<Element kElement>() -> Unary { return each_angle<Operation, kElement>; });
}

struct Sin {
  TRITONRL_LANE static float apply(Angle angle) { return sin_of(angle); }
};
struct Cos {
  TRITONRL_LANE static float apply(Angle angle) { return sin_of({angle.rest, angle.quarters + 1U}); }
};
struct Tan {
  TRITONRL_LANE static float apply(Angle angle) { return tan_of(angle); }
};

template <Opcode kOpcode, Element kElement>
struct IntegerOperation {
  using I = Integer<kElement>;
  using U = typename I::Unsigned;
  TRITONRL_LANE static U apply(U a) {
    if constexpr (kOpcode == Opcode::kMathAbsI) return I::as_signed(a) < 0 ? I::lane(0U - a) : a;
    // Bits of the lane that the type has not must not count.
    const auto wide = static_cast<std::uint64_t>(a);
    if constexpr (kOpcode == Opcode::kMathCtPop) return I::lane(__builtin_popcountll(wide));
    constexpr unsigned kUnused = 64 - I::kBits;
    if constexpr (kOpcode == Opcode::kMathCtlz) {
      return I::lane(a == 0 ? I::kBits : static_cast<unsigned>(__builtin_clzll(wide)) - kUnused);
    }
    if constexpr (kOpcode == Opcode::kMathCttz) {
      return I::lane(a == 0 ? I::kBits : static_cast<unsigned>(__builtin_ctzll(wide)));
    }
  }
};
template <Opcode kOpcode>
Unary integer_loop(Element element) {
  return with_integer(element, []<Element kElement>() -> Unary {
    return each<IntegerOperation<kOpcode, kElement>, Lane<kElement>, Lane<kElement>>;
  });
}

struct IsNan {
  template <class Float>
  TRITONRL_LANE static std::uint8_t apply(Float x) {
    return is_nan(x) ? 1 : 0;
  }
};
struct IsInf {
  template <class Float>
  TRITONRL_LANE static std::uint8_t apply(Float x) {
    return absolute(x) == static_cast<Float>(__builtin_inf()) ? 1 : 0;
  }
};
struct IsFinite {
  template <class Float>
  TRITONRL_LANE static std::uint8_t apply(Float x) {
    return absolute(x) < static_cast<Float>(__builtin_inf()) ? 1 : 0;
  }
};
template <class Operation>
Unary test_loop(Element element) {
  if (element == Element::kF64) return each<Operation, double, std::uint8_t>;
  return is_float(element) ? each<Operation, float, std::uint8_t> : nullptr;
}

template <Element kElement>
void each_fma(void* out, const void* a, const void* b, const void* c, std::size_t count) {
  using T = Lane<kElement>;
  auto* result = static_cast<T*>(out);
  const auto* x = static_cast<const T*>(a);
  const auto* y = static_cast<const T*>(b);
  const auto* z = static_cast<const T*>(c);
  TRITONRL_LANE_LOOP
  for (std::size_t i = 0; i < count; ++i) {
    if constexpr (kElement == Element::kF16 || kElement == Element::kBF16) {
      const double product = static_cast<double>(x[i]) * static_cast<double>(y[i]);  // exact
      result[i] = rounded<kElement>(to_odd(odd_sum(product, static_cast<double>(z[i]))));
    } else {
      result[i] = rounded<kElement>(fused(x[i], y[i], z[i]));
    }
  }
}

template <Element kElement, bool kPassNan>
void each_clamp(void* out, const void* a, const void* b, const void* c, std::size_t count) {
  using T = Lane<kElement>;
  auto* result = static_cast<T*>(out);
  const auto* x = static_cast<const T*>(a);
  const auto* low = static_cast<const T*>(b);
  const auto* high = static_cast<const T*>(c);
  TRITONRL_LANE_LOOP
  for (std::size_t i = 0; i < count; ++i) {
    result[i] = rounded<kElement>(extreme<false, kPassNan>(extreme<true, kPassNan>(x[i], low[i]), high[i]));
  }
}

}  // namespace

Unary unary(Opcode opcode, Element element) {
  switch (opcode) {
    case Opcode::kMathAbsF:
      return exact_loop<Absolute>(element);
    case Opcode::kArithNegF:
      return exact_loop<Negated>(element);
    case Opcode::kMathExp:
      return float_loop<Exp>(element);
    case Opcode::kMathExp2:
      return float_loop<Exp2>(element);
    case Opcode::kMathExpM1:
      return float_loop<ExpM1>(element);
    case Opcode::kMathLog:
      return float_loop<Log>(element);
    case Opcode::kMathLog2:
      return float_loop<Log2>(element);
    case Opcode::kMathLog1p:
      return float_loop<Log1p>(element);
    case Opcode::kMathSqrt:
      return float_loop<Sqrt>(element);
    case Opcode::kTtPreciseSqrt:
      return float_loop<PreciseSqrt>(element);
    case Opcode::kMathRsqrt:
      return float_loop<Rsqrt>(element);
    case Opcode::kMathErf:
      return float_loop<Erf>(element);
    case Opcode::kMathErfc:
      return float_loop<Erfc>(element);
    case Opcode::kMathTanh:
      return float_loop<Tanh>(element);
    case Opcode::kMathFloor:
      return float_loop<Floor>(element);
    case Opcode::kMathCeil:
      return float_loop<Ceil>(element);
    case Opcode::kMathTrunc:
      return float_loop<Trunc>(element);
    case Opcode::kMathRound:
      return float_loop<Round>(element);
    case Opcode::kMathRoundEven:
      return float_loop<RoundEven>(element);
    case Opcode::kMathSin:
      return angle_loop<Sin>(element);
    case Opcode::kMathCos:
      return angle_loop<Cos>(element);
    case Opcode::kMathTan:
      return angle_loop<Tan>(element);
    case Opcode::kMathAbsI:
      return integer_loop<Opcode::kMathAbsI>(element);
    case Opcode::kMathCtlz:
      return integer_loop<Opcode::kMathCtlz>(element);
    case Opcode::kMathCttz:
      return integer_loop<Opcode::kMathCttz>(element);
    case Opcode::kMathCtPop:
      return integer_loop<Opcode::kMathCtPop>(element);
    case Opcode::kMathIsNaN:
      return test_loop<IsNan>(element);
    case Opcode::kMathIsInf:
      return test_loop<IsInf>(element);
    case Opcode::kMathIsFinite:
      return test_loop<IsFinite>(element);
    default:
      return nullptr;
  }
}

Unary fast_math(FastMath function) {
  switch (function) {
    case FastMath::kExp:
      return each<NvExp, float, float>;
    case FastMath::kExp10:
      return each<NvExp10, float, float>;
    case FastMath::kFastExp:
      return each<FastExp, float, float>;
    case FastMath::kFastExp10:
      return each<FastExp10, float, float>;
    case FastMath::kLog10:
      return each<Log10, float, float>;
    case FastMath::kFastLog:
      return each<FastLog, float, float>;
    case FastMath::kFastLog2:
      return each<FastLog2, float, float>;
    case FastMath::kFastLog10:
      return each<FastLog10, float, float>;
    case FastMath::kFastSin:
      return each<FastSin, float, float>;
    case FastMath::kFastCos:
      return each<FastCos, float, float>;
    case FastMath::kFastTan:
      return each<FastTan, float, float>;
    case FastMath::kReciprocal:
      return each<Reciprocal, float, float>;
    case FastMath::kSaturate:
      return each<Saturate, float, float>;
    case FastMath::kAbsolute:
      return each<FlushedAbsolute, float, float>;
  }
  return nullptr;
}

Ternary fma(Element element) {
  return with_element<Element::kF16, Element::kBF16, Element::kF32, Element::kF64>(
      element, []<Element kElement>() -> Ternary { return each_fma<kElement>; });
}

Ternary clamp(Element element, bool propagate_nan) {
  return with_element<Element::kF16, Element::kBF16, Element::kF32, Element::kF64>(
      element, [&]<Element kElement>() -> Ternary {
        return propagate_nan ? each_clamp<kElement, true> : each_clamp<kElement, false>;
      });
}

}  // namespace tritonrl::ttir::lanes::TRITONRL_ISA
