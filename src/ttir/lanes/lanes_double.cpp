#include "ttir/lanes/lanes_double.h"

#include <cmath>

#include "ttir/lanes/float_format.h"

namespace tritonrl::ttir::lanes {
namespace {

using Function = double (*)(double);
using PairFunction = double (*)(double, double);

// Computed in double, so that the results of the narrower types are right but for their last rounding.
template <Function kFunction, Element kElement>
void each(void* out, const void* a, std::size_t count) {
  if constexpr (kElement == Element::kF64) {
    const auto* x = static_cast<const double*>(a);
    for (std::size_t i = 0; i < count; ++i) static_cast<double*>(out)[i] = kFunction(x[i]);
  } else {
    const auto* x = static_cast<const float*>(a);
    for (std::size_t i = 0; i < count; ++i) {
      const double result = kFunction(static_cast<double>(x[i]));
      if constexpr (kElement == Element::kF32) {
        static_cast<float*>(out)[i] = with_one_nan(static_cast<float>(result));
      } else {
        static_cast<float*>(out)[i] = FloatFormat<kElement>::nearest(to_odd(result));
      }
    }
  }
}

template <PairFunction kFunction, Element kElement>
void each_pair(void* out, const void* a, std::size_t a_step, const void* b, std::size_t b_step, std::size_t count) {
  if constexpr (kElement == Element::kF64) {
    const auto* x = static_cast<const double*>(a);
    const auto* y = static_cast<const double*>(b);
    for (std::size_t i = 0; i < count; ++i) static_cast<double*>(out)[i] = kFunction(x[i * a_step], y[i * b_step]);
  } else {
    const auto* x = static_cast<const float*>(a);
    const auto* y = static_cast<const float*>(b);
    for (std::size_t i = 0; i < count; ++i) {
      const double result = kFunction(static_cast<double>(x[i * a_step]), static_cast<double>(y[i * b_step]));
      if constexpr (kElement == Element::kF32) {
        static_cast<float*>(out)[i] = with_one_nan(static_cast<float>(result));
      } else {
        static_cast<float*>(out)[i] = FloatFormat<kElement>::nearest(to_odd(result));
      }
    }
  }
}

// The operand that stands for all lanes is read before `out` is written: count is 1 where they are the same.
template <PairFunction kFunction, Element kElement, Uniform kUniform>
void each_pair(void* out, const void* a, const void* b, std::size_t count) {
  each_pair<kFunction, kElement>(out, a, kUniform == Uniform::kFirst ? 0 : 1, b, kUniform == Uniform::kSecond ? 0 : 1,
                                 count);
}

template <Function kFunction>
Unary for_element(Element element) {
  switch (element) {
    case Element::kF16:
      return each<kFunction, Element::kF16>;
    case Element::kBF16:
      return each<kFunction, Element::kBF16>;
    case Element::kF32:
      return each<kFunction, Element::kF32>;
    case Element::kF64:
      return each<kFunction, Element::kF64>;
    default:
      return nullptr;
  }
}

template <PairFunction kFunction, Element kElement>
Binary for_uniform(Uniform uniform) {
  switch (uniform) {
    case Uniform::kFirst:
      return each_pair<kFunction, kElement, Uniform::kFirst>;
    case Uniform::kSecond:
      return each_pair<kFunction, kElement, Uniform::kSecond>;
    default:
      return each_pair<kFunction, kElement, Uniform::kNone>;
  }
}

template <PairFunction kFunction>
Binary for_element(Element element, Uniform uniform) {
  switch (element) {
    case Element::kF16:
      return for_uniform<kFunction, Element::kF16>(uniform);
    case Element::kBF16:
      return for_uniform<kFunction, Element::kBF16>(uniform);
    case Element::kF32:
      return for_uniform<kFunction, Element::kF32>(uniform);
    case Element::kF64:
      return for_uniform<kFunction, Element::kF64>(uniform);
    default:
      return nullptr;
  }
}

double rsqrt(double x) { return 1.0 / std::sqrt(x); }

}  // namespace

Unary slow_unary(Opcode opcode, Element element) {
  switch (opcode) {
    case Opcode::kMathAcos:
      return for_element<std::acos>(element);
    case Opcode::kMathAsin:
      return for_element<std::asin>(element);
    case Opcode::kMathAtan:
      return for_element<std::atan>(element);
    case Opcode::kMathCbrt:
      return for_element<std::cbrt>(element);
    case Opcode::kMathCeil:
      return for_element<std::ceil>(element);
    case Opcode::kMathCos:
      return for_element<std::cos>(element);
    case Opcode::kMathCosh:
      return for_element<std::cosh>(element);
    case Opcode::kMathErf:
      return for_element<std::erf>(element);
    case Opcode::kMathErfc:
      return for_element<std::erfc>(element);
    case Opcode::kMathExp:
      return for_element<std::exp>(element);
    case Opcode::kMathExp2:
      return for_element<std::exp2>(element);
    case Opcode::kMathExpM1:
      return for_element<std::expm1>(element);
    case Opcode::kMathFloor:
      return for_element<std::floor>(element);
    case Opcode::kMathLog:
      return for_element<std::log>(element);
    case Opcode::kMathLog10:
      return for_element<std::log10>(element);
    case Opcode::kMathLog1p:
      return for_element<std::log1p>(element);
    case Opcode::kMathLog2:
      return for_element<std::log2>(element);
    case Opcode::kMathRound:
      return for_element<std::round>(element);
    case Opcode::kMathRoundEven:
      return for_element<std::nearbyint>(element);
    case Opcode::kMathRsqrt:
      return for_element<rsqrt>(element);
    case Opcode::kMathSin:
      return for_element<std::sin>(element);
    case Opcode::kMathSinh:
      return for_element<std::sinh>(element);
    case Opcode::kMathSqrt:
    case Opcode::kTtPreciseSqrt:
      return for_element<std::sqrt>(element);
    case Opcode::kMathTan:
      return for_element<std::tan>(element);
    case Opcode::kMathTanh:
      return for_element<std::tanh>(element);
    case Opcode::kMathTrunc:
      return for_element<std::trunc>(element);
    default:
      return nullptr;
  }
}

Binary slow_binary(Opcode opcode, Element element, Uniform uniform) {
  switch (opcode) {
    case Opcode::kMathAtan2:
      return for_element<std::atan2>(element, uniform);
    case Opcode::kMathPowF:
      return for_element<std::pow>(element, uniform);
    default:
      return nullptr;
  }
}

}  // namespace tritonrl::ttir::lanes
