#pragma once

#include "ttir/lanes/lanes_table.h"

// The entries of one instruction set's table, each defined in the file of its name: lanes_binary.cpp...
namespace tritonrl::ttir::lanes::TRITONRL_ISA {

const Table& operations();  // all of them

Binary binary(Opcode opcode, Element element, Uniform uniform);
Binary compare(Predicate predicate, Element element, Uniform uniform);
Unary unary(Opcode opcode, Element element);
Unary fast_math(FastMath function);
Ternary fma(Element element);
Ternary clamp(Element element, bool propagate_nan);
Ternary select(std::size_t lane_bytes);
Unary convert(Opcode opcode, Element from, Element to, Rounding rounding);
Unary decode(Element element);
Unary encode(Element element);
void fill(std::size_t lane_bytes, void* out, const void* lane, std::size_t count);
void range(std::int32_t* out, std::int32_t first, std::size_t count);
void add_offsets(std::uint64_t* out, const std::uint64_t* base, bool base_uniform, const void* offsets, Element element,
                 bool offsets_uniform, std::uint64_t scale, std::size_t count);
bool any(const std::uint8_t* lanes, std::size_t count);
void float_dot(float* out, const float* a, const float* b, const float* c, const DotShape& shape);
void double_dot(double* out, const double* a, const double* b, const double* c, const DotShape& shape);
void byte_dot(std::int32_t* out, const std::int8_t* a, const std::int8_t* b, const std::int32_t* c,
              const DotShape& shape);

}  // namespace tritonrl::ttir::lanes::TRITONRL_ISA
