#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace tritonrl::ttir {

enum class Element : std::uint8_t {
  kI1,
  kI8,
  kI16,
  kI32,
  kI64,
  kF8E4M3FN,       // fp8e4nv
  kF8E5M2,         // fp8e5
  kF8E4M3FNUZ,     // fp8e4b8
  kF8E5M2FNUZ,     // fp8e5b16
  kF8E4M3B11FNUZ,  // fp8e4b15
  kF16,
  kBF16,
  kF32,
  kF64,
  kPointer,       // an address of one `pointee`
  kBlockPointer,  // !tt.ptr<tensor<...>>
  kDescriptor,    // !tt.tensordesc<tensor<...>>
};

bool is_integer(Element element);  // i1 included
bool is_float(Element element);
// Bytes of one element in device memory; i1 takes one, pointers eight.
std::size_t bytes_of(Element element);
// As Triton IR spells it: "i32", "f8E4M3FN".
std::string name_of(Element element);

using Shape = std::vector<std::int64_t>;
inline constexpr std::size_t kMaxRank = 32;
// Triton's own limit for a tensor: TRITON_MAX_TENSOR_NUMEL.
inline constexpr std::int64_t kMaxElements = std::int64_t{1} << 20;
std::int64_t element_count(const Shape& shape);

// Whether a descriptor's integers have a sign; elsewhere operations decide.
enum class Signedness : std::uint8_t { kSignless, kSigned, kUnsigned };

// A scalar (empty shape) or a tensor of scalars or pointers.
struct Type {
  Element element = Element::kI32;
  Shape shape;
  Element pointee = Element::kI8;                 // kPointer, kBlockPointer, kDescriptor: what lies in memory
  Shape block;                                    // kBlockPointer, kDescriptor: the block's shape
  Signedness signedness = Signedness::kSignless;  // kDescriptor: of the pointee

  bool is_tensor() const { return !shape.empty(); }
  bool operator==(const Type&) const = default;
  // As Triton IR spells it: "tensor<128x!tt.ptr<f32>>".
  std::string text() const;
};

}  // namespace tritonrl::ttir
