#pragma once

#include <array>
#include <span>
#include <string_view>
#include <tuple>

#include "ttir/lanes/lanes.h"

// libdevice by symbol, in tables. Functions of f32 are computed in double unless the last bits are those of other steps
// on the GPU; results have no more than the error that CUDA documents.
namespace tritonrl::ttir::lanes {

struct ExternUnary {
  std::string_view symbol;
  Element from;
  Element to;
  Unary function;
};
struct ExternBinary {
  std::string_view symbol;
  Element first;
  Binary function;
};
struct ExternTernary {
  std::string_view symbol;
  Element first;
  Ternary function;
};

// What libdevice has for f64 as `name` and for f32 as `name` + "f".
struct MathFunction {
  std::string_view name;
  Unary of_float;
  Unary of_double;
};
struct MathPair {
  std::string_view name;
  Binary of_float;
  Binary of_double;
};

// What libdevice has with the suffixes _rn, _rz, _ru and _rd: to nearest, toward zero, up and down.
inline constexpr std::array<std::string_view, 4> kRoundingSuffixes = {"_rn", "_rz", "_ru", "_rd"};
struct RoundedUnary {
  std::string_view name;
  Element from;
  Element to;
  std::array<Unary, 4> functions;
};
struct RoundedBinary {
  std::string_view name;
  Element first;
  std::array<Binary, 4> functions;
};
struct RoundedTernary {
  std::string_view name;
  Element first;
  std::array<Ternary, 4> functions;
};

std::span<const MathFunction> math_functions();       // lanes_extern_math.cpp
std::span<const MathPair> math_pairs();               // lanes_extern_math.cpp
std::span<const ExternUnary> integer_functions();     // lanes_extern_integer.cpp
std::span<const ExternBinary> integer_pairs();        // lanes_extern_integer.cpp
std::span<const ExternTernary> ternary_functions();   // lanes_extern_integer.cpp
std::span<const RoundedUnary> rounded_functions();    // lanes_extern_rounding.cpp
std::span<const RoundedBinary> rounded_pairs();       // lanes_extern_rounding.cpp
std::span<const RoundedTernary> rounded_ternaries();  // lanes_extern_rounding.cpp

// A scalar function as a loop over lanes, its types taken from its signature.
template <class T>
constexpr Element element_of() {
  if constexpr (std::is_same_v<T, double>) return Element::kF64;
  if constexpr (std::is_same_v<T, float>) return Element::kF32;
  return sizeof(T) == 8 ? Element::kI64 : Element::kI32;
}

template <class T>
struct Signature;
template <class Class, class Out, class... In>
struct Signature<Out (Class::*)(In...) const> {
  using Result = Out;
  using First = std::tuple_element_t<0, std::tuple<In...>>;

  template <auto kFunction>
  static void unary(void* out, const void* a, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) static_cast<Out*>(out)[i] = kFunction(static_cast<const In*>(a)[i]...);
  }
  template <auto kFunction>
  static void binary(void* out, const void* a, const void* b, std::size_t count) {
    using Second = std::tuple_element_t<1, std::tuple<In...>>;
    for (std::size_t i = 0; i < count; ++i) {
      static_cast<Out*>(out)[i] = kFunction(static_cast<const First*>(a)[i], static_cast<const Second*>(b)[i]);
    }
  }
  template <auto kFunction>
  static void ternary(void* out, const void* a, const void* b, const void* c, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
      static_cast<Out*>(out)[i] =
          kFunction(static_cast<const First*>(a)[i], static_cast<const First*>(b)[i], static_cast<const First*>(c)[i]);
    }
  }
};
template <auto kFunction>
using SignatureOf = Signature<decltype(&decltype(kFunction)::operator())>;

template <auto kFunction>
constexpr ExternUnary extern_entry(std::string_view symbol) {
  using S = SignatureOf<kFunction>;
  return {symbol, element_of<typename S::First>(), element_of<typename S::Result>(), S::template unary<kFunction>};
}
template <auto kFunction>
constexpr ExternBinary extern_pair(std::string_view symbol) {
  using S = SignatureOf<kFunction>;
  return {symbol, element_of<typename S::First>(), S::template binary<kFunction>};
}
template <auto kFunction>
constexpr ExternTernary extern_three(std::string_view symbol) {
  using S = SignatureOf<kFunction>;
  return {symbol, element_of<typename S::First>(), S::template ternary<kFunction>};
}

}  // namespace tritonrl::ttir::lanes
