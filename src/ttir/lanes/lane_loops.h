#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "ttir/lanes/float_format.h"
#include "ttir/lanes/lane_inline.h"
#include "ttir/lanes/lanes.h"

// What the files compiled for each instruction set share. They keep everything in a namespace of their own,
// TRITONRL_ISA, and out of the standard library's inline functions (see lane_inline.h).
namespace tritonrl::ttir::lanes::TRITONRL_ISA {

template <Element kElement>
struct LaneType {
  using Type = float;
};
template <>
struct LaneType<Element::kI1> {
  using Type = std::uint8_t;
};
template <>
struct LaneType<Element::kI8> {
  using Type = std::uint8_t;
};
template <>
struct LaneType<Element::kI16> {
  using Type = std::uint16_t;
};
template <>
struct LaneType<Element::kI32> {
  using Type = std::uint32_t;
};
template <>
struct LaneType<Element::kI64> {
  using Type = std::uint64_t;
};
template <>
struct LaneType<Element::kF64> {
  using Type = double;
};
template <Element kElement>
using Lane = typename LaneType<kElement>::Type;

template <Element kElement>
struct Integer {
  using Unsigned = Lane<kElement>;
  using Signed = std::make_signed_t<Unsigned>;
  static constexpr unsigned kBits = kElement == Element::kI1 ? 1 : 8 * sizeof(Unsigned);

  // An i1 that is set is -1 where the sign counts.
  TRITONRL_LANE static Signed as_signed(Unsigned lane) {
    if constexpr (kElement == Element::kI1) return static_cast<Signed>(-static_cast<Signed>(lane));
    return static_cast<Signed>(lane);
  }
  template <class Value>
  TRITONRL_LANE static Unsigned lane(Value value) {
    if constexpr (kElement == Element::kI1) return static_cast<Unsigned>(value) & 1U;
    return static_cast<Unsigned>(value);
  }
};

// What an operation on floats leaves in a lane of this type.
template <Element kElement, class Value>
TRITONRL_LANE Lane<kElement> rounded(Value value) {
  if constexpr (kElement == Element::kF64 || kElement == Element::kF32) {
    return with_one_nan(value);
  } else {
    return FloatFormat<kElement>::nearest(value);
  }
}

template <class Operation, class In, class Out>
void each(void* out, const void* a, std::size_t count) {
  auto* result = static_cast<Out*>(out);
  const auto* x = static_cast<const In*>(a);
  TRITONRL_LANE_LOOP
  for (std::size_t i = 0; i < count; ++i) result[i] = Operation::apply(x[i]);
}

template <class Operation, class In, class Out, Uniform kUniform>
void each_pair(void* out, const void* a, const void* b, std::size_t count) {
  auto* result = static_cast<Out*>(out);
  const auto* x = static_cast<const In*>(a);
  const auto* y = static_cast<const In*>(b);
  if (count == 0) return;
  const In first = x[0];
  const In second = y[0];
  TRITONRL_LANE_LOOP
  for (std::size_t i = 0; i < count; ++i) {
    result[i] =
        Operation::apply(kUniform == Uniform::kFirst ? first : x[i], kUniform == Uniform::kSecond ? second : y[i]);
  }
}

template <class Operation, class In, class Out>
Binary pair_loop(Uniform uniform) {
  switch (uniform) {
    case Uniform::kFirst:
      return each_pair<Operation, In, Out, Uniform::kFirst>;
    case Uniform::kSecond:
      return each_pair<Operation, In, Out, Uniform::kSecond>;
    default:
      return each_pair<Operation, In, Out, Uniform::kNone>;
  }
}

// Calls `use` with the element as a template argument, or gives nullptr: a table over elements without its rows.
template <Element... kElements, class Use>
auto with_element(Element element, Use use) {
  decltype(use.template operator()<Element::kI32>()) result = nullptr;
  (void)((element == kElements ? (result = use.template operator()<kElements>(), true) : false) || ...);
  return result;
}
template <class Use>
auto with_integer(Element element, Use use) {
  return with_element<Element::kI1, Element::kI8, Element::kI16, Element::kI32, Element::kI64>(element, use);
}

}  // namespace tritonrl::ttir::lanes::TRITONRL_ISA
