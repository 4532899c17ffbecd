#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "ttir/ir/opcode.h"
#include "ttir/ir/type.h"

// Operations on lanes: arrays with one entry for each element of a tensor, one tight loop an operation. Functions are
// looked up once, when a kernel is lowered; nullptr means that there is none.
//
// How an element is held in a lane: i1 and i8 as uint8_t (i1 is 0 or 1), i16, i32, i64 as integers of their width,
// pointers as uint64_t, f64 as double, every other float as a float that holds a value of its type. Results of f16 and
// bf16 operations are rounded to their type (nearest even). `out` may be an input, or apart from all of them.
namespace tritonrl::ttir::lanes {

std::size_t bytes_of_lane(Element element);

// Which operands are one lane that stands for all: a splat.
enum class Uniform : std::uint8_t { kNone, kFirst, kSecond };

using Unary = void (*)(void* out, const void* a, std::size_t count);
using Binary = void (*)(void* out, const void* a, const void* b, std::size_t count);
using Ternary = void (*)(void* out, const void* a, const void* b, const void* c, std::size_t count);

// Arithmetic, min and max, shifts, bit operations, mulhi, pow, atan2, copysign...: results of the operands' type.
// Integer division by zero gives 0 (the caller has reported it), shifts past the width give 0 or the sign, as on a GPU.
Binary binary(Opcode opcode, Element element, Uniform uniform);
// kArithCmpI or kArithCmpF: "slt", "ult", "oeq", "une"...; gives i1.
Binary compare(Opcode opcode, std::string_view predicate, Element element, Uniform uniform);
Unary unary(Opcode opcode, Element element);
// kMathFma; kTtClampF with "propagateNan" as attribute word "none" or "all".
Ternary fma(Element element);
Ternary clamp(Element element, bool propagate_nan);
// out[i] = condition[i] ? a[i] : b[i], with `condition` as bytes.
Ternary select(Element element);
// extf, truncf, fp_to_fp, sitofp, uitofp, fptosi, fptoui, extsi, extui, trunci, bitcast, index_cast. `rounding` is
// "rtne", "rtz" or empty.
Unary convert(Opcode opcode, Element from, Element to, std::string_view rounding);
// libdevice by symbol: "__nv_expf".
Unary extern_unary(std::string_view symbol, Element from, Element to);
Binary extern_binary(std::string_view symbol, Element element);
Ternary extern_ternary(std::string_view symbol, Element element);

// Between lanes and elements as they lie in memory.
Unary decode(Element element);
Unary encode(Element element);

void fill(Element element, void* out, const void* lane, std::size_t count);
// out[i] = first + i
void range(std::int32_t* out, std::int32_t first, std::size_t count);
// out[i] = base[i] + offset[i] * scale, of i32 or i64 offsets (sign-extended).
void add_offsets(std::uint64_t* out, const std::uint64_t* base, bool base_uniform, const void* offsets, Element element,
                 bool offsets_uniform, std::uint64_t scale, std::size_t count);
// Whether any lane is not 0.
bool any(const std::uint8_t* lanes, std::size_t count);

}  // namespace tritonrl::ttir::lanes
