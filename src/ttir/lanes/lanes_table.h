#pragma once

#include <cstddef>
#include <cstdint>

#include "ttir/lanes/dot.h"
#include "ttir/lanes/lanes.h"

// The lane operations as compiled for one instruction set. Every set gives the same bits: no contraction, no
// reassociation, fma only where the GPU has one.
namespace tritonrl::ttir::lanes {

enum class Isa : std::uint8_t { kBaseline, kV3, kV4 };  // x86-64, x86-64-v3 (AVX2, FMA), x86-64-v4 (AVX-512)

enum class Predicate : std::uint8_t {
  kEq,
  kNe,
  kSlt,
  kSle,
  kSgt,
  kSge,
  kUlt,
  kUle,
  kUgt,
  kUge,  // of integers
  kFalse,
  kOeq,
  kOgt,
  kOge,
  kOlt,
  kOle,
  kOne,
  kOrd,
  kUeq,
  kUgtF,
  kUgeF,
  kUltF,
  kUleF,
  kUne,
  kUno,
  kTrue,  // of floats
};

enum class Rounding : std::uint8_t { kNearestEven, kTowardZero };

// libdevice functions of one f32 that are worth vectorising and are no operation of MLIR.
enum class FastMath : std::uint8_t {
  kExp,
  kExp10,
  kFastExp,
  kFastExp10,
  kLog10,
  kFastLog,
  kFastLog2,
  kFastLog10,
  kFastSin,
  kFastCos,
  kFastTan,
  kReciprocal,
  kSaturate,
  kAbsolute,
};

// Floating-point operands of dot, each of whose products is added with one rounding, in order of k.
using FloatDot = void (*)(float* out, const float* a, const float* b, const float* c, const DotShape& shape);
using DoubleDot = void (*)(double* out, const double* a, const double* b, const double* c, const DotShape& shape);
using ByteDot = void (*)(std::int32_t* out, const std::int8_t* a, const std::int8_t* b, const std::int32_t* c,
                         const DotShape& shape);

struct Table {
  Binary (*binary)(Opcode, Element, Uniform);
  Binary (*compare)(Predicate, Element, Uniform);
  Unary (*unary)(Opcode, Element);
  Unary (*fast_math)(FastMath);
  Ternary (*fma)(Element);
  Ternary (*clamp)(Element, bool propagate_nan);
  Ternary (*select)(std::size_t lane_bytes);
  Unary (*convert)(Opcode, Element from, Element to, Rounding);
  Unary (*decode)(Element);
  Unary (*encode)(Element);
  void (*fill)(std::size_t lane_bytes, void* out, const void* lane, std::size_t count);
  void (*range)(std::int32_t* out, std::int32_t first, std::size_t count);
  decltype(&lanes::add_offsets) add_offsets;
  decltype(&lanes::any) any;
  FloatDot float_dot;
  DoubleDot double_dot;
  ByteDot byte_dot;
};

// nullptr where this build or this machine has none.
const Table* table_of(Isa isa);
// The widest that this machine runs.
const Table& table();

}  // namespace tritonrl::ttir::lanes
