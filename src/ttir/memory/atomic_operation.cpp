#include "ttir/memory/atomic_operation.h"

#include <algorithm>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "ttir/lanes/float_format.h"

namespace tritonrl::ttir {
namespace {

template <typename T>
T read(const std::byte* bytes) {
  T value;
  std::memcpy(&value, bytes, sizeof(T));
  return value;
}

template <typename T, typename Combine>
void update(std::byte* memory, const std::byte* operand) {
  const T result = Combine{}(read<T>(memory), read<T>(operand));
  std::memcpy(memory, &result, sizeof(T));
}

struct Exchange {
  template <typename T>
  T operator()(T, T operand) const {
    return operand;
  }
};
struct Add {
  template <typename T>
  T operator()(T a, T b) const {
    return static_cast<T>(a + b);
  }
};
struct And {
  template <typename T>
  T operator()(T a, T b) const {
    return a & b;
  }
};
struct Or {
  template <typename T>
  T operator()(T a, T b) const {
    return a | b;
  }
};
struct Xor {
  template <typename T>
  T operator()(T a, T b) const {
    return a ^ b;
  }
};
struct Max {
  template <typename T>
  T operator()(T a, T b) const {
    if constexpr (std::floating_point<T>) return std::fmax(a, b);
    return std::max(a, b);
  }
};
struct Min {
  template <typename T>
  T operator()(T a, T b) const {
    if constexpr (std::floating_point<T>) return std::fmin(a, b);
    return std::min(a, b);
  }
};

// The same on a float of 16 bits: in single precision, then rounded to its own.
template <Element kElement, typename Combine>
struct Narrow {
  using Format = FloatFormat<kElement>;
  using Bits = Format::Bits;
  Bits operator()(Bits a, Bits b) const {
    return Format::encode(Format::nearest(Combine{}(Format::decode(a), Format::decode(b))));
  }
};

template <std::unsigned_integral T>
RmwFunction integer_function(RmwOperation operation) {
  using Signed = std::make_signed_t<T>;
  switch (operation) {
    case RmwOperation::kAnd:
      return update<T, And>;
    case RmwOperation::kOr:
      return update<T, Or>;
    case RmwOperation::kXor:
      return update<T, Xor>;
    case RmwOperation::kAdd:
      return update<T, Add>;
    case RmwOperation::kMax:
      return update<Signed, Max>;
    case RmwOperation::kMin:
      return update<Signed, Min>;
    case RmwOperation::kUMax:
      return update<T, Max>;
    case RmwOperation::kUMin:
      return update<T, Min>;
    case RmwOperation::kExchange:
      return update<T, Exchange>;
    case RmwOperation::kFAdd:
      return nullptr;
  }
  return nullptr;
}

template <std::floating_point T>
RmwFunction float_function(RmwOperation operation) {
  switch (operation) {
    case RmwOperation::kFAdd:
      return update<T, Add>;
    case RmwOperation::kMax:
      return update<T, Max>;
    case RmwOperation::kMin:
      return update<T, Min>;
    default:
      return nullptr;
  }
}

template <Element kElement>
RmwFunction narrow_function(RmwOperation operation) {
  switch (operation) {
    case RmwOperation::kFAdd:
      return update<std::uint16_t, Narrow<kElement, Add>>;
    case RmwOperation::kMax:
      return update<std::uint16_t, Narrow<kElement, Max>>;
    case RmwOperation::kMin:
      return update<std::uint16_t, Narrow<kElement, Min>>;
    default:
      return nullptr;
  }
}

RmwFunction integer_function(RmwOperation operation, std::size_t bytes) {
  switch (bytes) {
    case 1:
      return integer_function<std::uint8_t>(operation);
    case 2:
      return integer_function<std::uint16_t>(operation);
    case 4:
      return integer_function<std::uint32_t>(operation);
    default:
      return integer_function<std::uint64_t>(operation);
  }
}

}  // namespace

RmwFunction rmw_function(RmwOperation operation, Element element) {
  if (is_integer(element) || element == Element::kPointer || operation == RmwOperation::kExchange) {
    return integer_function(operation, bytes_of(element));
  }
  switch (element) {
    case Element::kF16:
      return narrow_function<Element::kF16>(operation);
    case Element::kBF16:
      return narrow_function<Element::kBF16>(operation);
    case Element::kF32:
      return float_function<float>(operation);
    case Element::kF64:
      return float_function<double>(operation);
    default:
      return nullptr;
  }
}

}  // namespace tritonrl::ttir
