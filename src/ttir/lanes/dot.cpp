#include "ttir/lanes/dot.h"

#include <array>
#include <bit>
#include <span>
#include <vector>

#include "ttir/lanes/float_format.h"
#include "ttir/lanes/lanes_table.h"

namespace tritonrl::ttir {
namespace {

using FloatSpan = std::span<const float>;

struct Operands {
  FloatSpan a;
  FloatSpan b;
};

// One allocation a thread, not one a call.
std::span<float> scratch(std::size_t count, std::size_t which) {
  thread_local std::array<std::vector<float>, 8> buffers;
  std::vector<float>& buffer = buffers[which];
  if (buffer.size() < count) buffer.resize(count);
  return {buffer.data(), count};
}

// Tensor cores read no more than 10 bits of a tf32 operand's mantissa.
FloatSpan cut_to_tf32(FloatSpan values, std::size_t which) {
  const std::span<float> cut = scratch(values.size(), which);
  for (std::size_t i = 0; i < values.size(); ++i) cut[i] = float_of(bits_of(values[i]) & 0xffffe000U);
  return cut;
}

// cvt.rna.tf32.f32: halfway cases away from zero.
float nearest_tf32(float value) {
  const std::uint32_t bits = bits_of(value);
  if ((bits & kInfinityBits) == kInfinityBits) return value;
  return float_of((bits + 0x1000U) & 0xffffe000U);
}

float nearest_bf16(float value) { return FloatFormat<Element::kBF16>::nearest(value); }

// A float as a sum of `kParts` narrower ones: each takes what the one before it leaves.
template <std::size_t kParts>
std::array<FloatSpan, kParts> split(FloatSpan values, float (*narrow)(float), std::size_t which) {
  std::array<FloatSpan, kParts> parts;
  std::array<std::span<float>, kParts> buffers;
  for (std::size_t p = 0; p < kParts; ++p) parts[p] = buffers[p] = scratch(values.size(), which + p);
  for (std::size_t i = 0; i < values.size(); ++i) {
    float rest = values[i];
    for (std::size_t p = 0; p + 1 < kParts; ++p) {
      buffers[p][i] = narrow(rest);
      rest -= buffers[p][i];
    }
    buffers[kParts - 1][i] = rest;
  }
  return parts;
}

std::size_t a_count(const DotShape& shape) { return shape.batch * shape.m * shape.k; }
std::size_t b_count(const DotShape& shape) { return shape.batch * shape.k * shape.n; }
std::size_t out_count(const DotShape& shape) { return shape.batch * shape.m * shape.n; }

// Products of parts as Triton's F32DotTC pass adds them, the small ones first; the NaN of infinity times a part that is
// 0 is dropped before the product of the large parts, which has the right one.
void add_parts(float* out, const float* c, std::span<const Operands> small, const Operands& large,
               const DotShape& shape) {
  const auto dot_of = lanes::table().float_dot;
  const std::span<float> sum = scratch(out_count(shape), 7);
  for (float& value : sum) value = 0.0F;
  for (const Operands& part : small) dot_of(sum.data(), part.a.data(), part.b.data(), sum.data(), shape);
  for (float& value : sum) value = is_nan(value) ? 0.0F : value;
  dot_of(sum.data(), large.a.data(), large.b.data(), sum.data(), shape);
  for (std::size_t i = 0; i < sum.size(); ++i) out[i] = sum[i] + c[i];
}

void ieee(float* out, FloatSpan a, FloatSpan b, const float* c, const DotShape& shape) {
  lanes::table().float_dot(out, a.data(), b.data(), c, shape);
}
void tf32(float* out, FloatSpan a, FloatSpan b, const float* c, const DotShape& shape) {
  ieee(out, cut_to_tf32(a, 0), cut_to_tf32(b, 1), c, shape);
}
void tf32x3(float* out, FloatSpan a, FloatSpan b, const float* c, const DotShape& shape) {
  const auto [a_large, a_rest] = split<2>(a, nearest_tf32, 0);
  const auto [b_large, b_rest] = split<2>(b, nearest_tf32, 2);
  const FloatSpan a_small = cut_to_tf32(a_rest, 4);
  const FloatSpan b_small = cut_to_tf32(b_rest, 5);
  add_parts(out, c, std::array{Operands{a_small, b_large}, Operands{a_large, b_small}}, {a_large, b_large}, shape);
}

// bf16 parts, the last one rounded too.
template <std::size_t kParts>
std::array<FloatSpan, kParts> split_bf16(FloatSpan values, std::size_t which) {
  auto parts = split<kParts>(values, nearest_bf16, which);
  const std::span<float> last = scratch(values.size(), which + kParts - 1);
  for (float& value : last) value = nearest_bf16(value);
  return parts;
}
void bf16x3(float* out, FloatSpan a, FloatSpan b, const float* c, const DotShape& shape) {
  const auto x = split_bf16<2>(a, 0);
  const auto y = split_bf16<2>(b, 2);
  add_parts(out, c, std::array{Operands{x[1], y[0]}, Operands{x[0], y[1]}}, {x[0], y[0]}, shape);
}
void bf16x6(float* out, FloatSpan a, FloatSpan b, const float* c, const DotShape& shape) {
  const auto x = split_bf16<3>(a, 0);
  const auto y = split_bf16<3>(b, 3);
  add_parts(out, c,
            std::array{Operands{x[1], y[1]}, Operands{x[2], y[0]}, Operands{x[0], y[2]}, Operands{x[1], y[0]},
                       Operands{x[0], y[1]}},
            {x[0], y[0]}, shape);
}

using FloatProduct = void (*)(float*, FloatSpan, FloatSpan, const float*, const DotShape&);

// An f16 or bf16 accumulator is rounded once, at the end; tensor cores round it once for each instruction.
template <FloatProduct kProduct, Element kAccumulator>
void float_product(void* out, const void* a, const void* b, const void* c, DotShape shape) {
  auto* result = static_cast<float*>(out);
  kProduct(result, {static_cast<const float*>(a), a_count(shape)}, {static_cast<const float*>(b), b_count(shape)},
           static_cast<const float*>(c), shape);
  if constexpr (kAccumulator != Element::kF32) {
    for (std::size_t i = 0; i < out_count(shape); ++i) result[i] = FloatFormat<kAccumulator>::nearest(result[i]);
  }
}

template <FloatProduct kProduct>
Dot with_accumulator(Element accumulator) {
  switch (accumulator) {
    case Element::kF32:
      return float_product<kProduct, Element::kF32>;
    case Element::kF16:
      return float_product<kProduct, Element::kF16>;
    case Element::kBF16:
      return float_product<kProduct, Element::kBF16>;
    default:
      return nullptr;
  }
}

void double_product(void* out, const void* a, const void* b, const void* c, DotShape shape) {
  lanes::table().double_dot(static_cast<double*>(out), static_cast<const double*>(a), static_cast<const double*>(b),
                            static_cast<const double*>(c), shape);
}

void byte_product(void* out, const void* a, const void* b, const void* c, DotShape shape) {
  lanes::table().byte_dot(static_cast<std::int32_t*>(out), static_cast<const std::int8_t*>(a),
                          static_cast<const std::int8_t*>(b), static_cast<const std::int32_t*>(c), shape);
}

// One operand of dot_scaled, seen as rows along its scaled dimension k, whichever way it lies.
struct Grid {
  std::size_t rows;  // m, or n
  std::size_t k;
  std::size_t row_step;  // between values of the decoded operand
  std::size_t k_step;
};

float scale_of(std::uint8_t scale, Element compute) {
  const float power = float_of(static_cast<std::uint32_t>(scale) << 23U);
  // bf16's smallest exponent belongs to subnormals, and the bits of the scale 0 are a zero's.
  return compute == Element::kF16 ? FloatFormat<Element::kF16>::nearest(power) : power;
}

float rounded_to(Element compute, float value) {
  return compute == Element::kF16 ? FloatFormat<Element::kF16>::nearest(value) : nearest_bf16(value);
}

float e2m1(std::uint32_t bits) {
  constexpr std::array<float, 8> kValues = {0.0F, 0.5F, 1.0F, 1.5F, 2.0F, 3.0F, 4.0F, 6.0F};
  return (bits & 8U) != 0 ? -kValues[bits & 7U] : kValues[bits & 7U];
}

void decode_grid(std::string_view format, const void* values, const std::uint8_t* scales, const Grid& grid,
                 bool packed_along_k, Element compute, float* out) {
  constexpr std::size_t kGroup = 32;
  const std::size_t groups = grid.k / kGroup;
  const bool packed = format == "e2m1";
  // The innermost dimension is the one of step 1; the other one's step halves if it is along the packed one.
  const std::size_t row_step = packed && packed_along_k && grid.k_step == 1 ? grid.row_step / 2 : grid.row_step;
  const std::size_t k_step = packed && !packed_along_k && grid.row_step == 1 ? grid.k_step / 2 : grid.k_step;
  for (std::size_t row = 0; row < grid.rows; ++row) {
    for (std::size_t k = 0; k < grid.k; ++k) {
      float value = 0.0F;
      if (packed) {
        const std::size_t at = packed_along_k ? row * row_step + k / 2 * k_step : row / 2 * row_step + k * k_step;
        const std::uint32_t pair = static_cast<const std::uint8_t*>(values)[at];
        value = e2m1(((packed_along_k ? k : row) & 1U) != 0 ? pair >> 4U : pair & 15U);
      } else {
        value = static_cast<const float*>(values)[row * row_step + k * k_step];
      }
      if (scales != nullptr) {
        const std::uint8_t scale = scales[row * groups + k / kGroup];
        value = scale == 255 ? float_of(kNanBits) : value * scale_of(scale, compute);
      }
      out[row * grid.row_step + k * grid.k_step] = rounded_to(compute, value);
    }
  }
}

void decode_batches(std::string_view format, const void* values, const std::uint8_t* scales, std::size_t batches,
                    const Grid& grid, bool packed_along_k, Element compute, float* out) {
  const std::size_t count = grid.rows * grid.k;
  const std::size_t bytes = format == "e2m1" ? count / 2 : count * sizeof(float);
  for (std::size_t batch = 0; batch < batches; ++batch) {
    decode_grid(format, static_cast<const std::byte*>(values) + batch * bytes,
                scales == nullptr ? nullptr : scales + batch * grid.rows * (grid.k / 32), grid, packed_along_k, compute,
                out + batch * count);
  }
}

}  // namespace

Dot dot(Element a, Element b, Element accumulator, DotPrecision precision) {
  if (a == Element::kI8 && b == Element::kI8) return accumulator == Element::kI32 ? byte_product : nullptr;
  if (a == Element::kF64 && b == Element::kF64) return accumulator == Element::kF64 ? double_product : nullptr;
  if (!is_float(a) || !is_float(b) || a == Element::kF64 || b == Element::kF64) return nullptr;
  if (a != Element::kF32 || b != Element::kF32) return with_accumulator<ieee>(accumulator);
  switch (precision) {
    case DotPrecision::kIeee:
      return with_accumulator<ieee>(accumulator);
    case DotPrecision::kTf32:
      return with_accumulator<tf32>(accumulator);
    case DotPrecision::kTf32x3:
      return with_accumulator<tf32x3>(accumulator);
    case DotPrecision::kBf16x3:
      return with_accumulator<bf16x3>(accumulator);
    case DotPrecision::kBf16x6:
      return with_accumulator<bf16x6>(accumulator);
  }
  return nullptr;
}

void decode_scaled_lhs(std::string_view format, const void* values, const std::uint8_t* scales, const DotShape& shape,
                       bool packed_along_k, float* out, Element compute) {
  decode_batches(format, values, scales, shape.batch, {shape.m, shape.k, shape.k, 1}, packed_along_k, compute, out);
}

void decode_scaled_rhs(std::string_view format, const void* values, const std::uint8_t* scales, const DotShape& shape,
                       bool packed_along_k, float* out, Element compute) {
  decode_batches(format, values, scales, shape.batch, {shape.n, shape.k, 1, shape.n}, packed_along_k, compute, out);
}

}  // namespace tritonrl::ttir
