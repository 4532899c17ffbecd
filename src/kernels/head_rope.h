#pragma once

#include <cstdint>

#include "kernels/dtype.h"

// What lies between the query/key/value product and attention: per-head norm of queries and keys, then RoPE
// (rotate-half layout), and the way of keys and values to where attention reads them.
namespace tritonrl::kernels {

struct HeadShape {
  std::int64_t tokens = 0;
  std::int64_t heads = 0;
  std::int64_t kv_heads = 0;
  std::int64_t head_dim = 0;  // even

  constexpr std::int64_t qkv_columns() const { return (heads + 2 * kv_heads) * head_dim; }
};

struct HeadRopeForward {
  HeadShape shape;
  const void* qkv = nullptr;       // [tokens, queries | keys | values]
  const void* q_weight = nullptr;  // [head_dim]
  const void* k_weight = nullptr;
  const float* cosines = nullptr;  // [positions, head_dim / 2]
  const float* sines = nullptr;
  const std::int32_t* positions = nullptr;  // [tokens]
  const std::int32_t* slots =
      nullptr;            // [tokens], the row of k and v that a token goes to, none if negative; null: its own
  void* q = nullptr;      // [tokens, heads, head_dim]
  void* k = nullptr;      // [rows, kv_heads, head_dim]: a page of the cache, or a batch's keys
  void* v = nullptr;      // the same; null: values are used where they are
  float* rstd = nullptr;  // [tokens, heads + kv_heads], what backward needs; may be null
  float eps = 1e-6F;
  DType dtype = DType::kFloat32;
};

struct HeadRopeBackward {
  HeadShape shape;
  const void* qkv = nullptr;
  const void* q_weight = nullptr;
  const void* k_weight = nullptr;
  const float* cosines = nullptr;
  const float* sines = nullptr;
  const std::int32_t* positions = nullptr;
  const float* rstd = nullptr;
  const void* grad_q = nullptr;  // [tokens, heads, head_dim]
  const void* grad_k = nullptr;  // [tokens, kv_heads, head_dim]
  const void* grad_v = nullptr;  // [tokens, kv_heads, head_dim]
  void* grad_qkv = nullptr;
  float* weight_partials = nullptr;  // [weight_partials(tokens), 2, head_dim]: of q_weight and of k_weight
  DType dtype = DType::kFloat32;
};

namespace cpu {
void head_rope(const HeadRopeForward& work);
void head_rope_backward(const HeadRopeBackward& work);
}  // namespace cpu

namespace cuda {
void head_rope(const HeadRopeForward& work, Stream stream);
void head_rope_backward(const HeadRopeBackward& work, Stream stream);
}  // namespace cuda

}  // namespace tritonrl::kernels
