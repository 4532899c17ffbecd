#pragma once

#include <cstdint>

// Causal attention within each of several texts that stand one after the other, on the CPU in fp32. On CUDA the wheel's
// flash attention does this. A text's result depends on neither the other texts nor the number of threads.
namespace tritonrl::kernels {

struct PackedTextShape {
  const std::int32_t* text_starts = nullptr;  // [texts + 1]
  std::int64_t texts = 0;
  std::int64_t heads = 0;
  std::int64_t kv_heads = 0;
  std::int64_t head_dim = 0;
  float scale = 1;
};

struct PackedAttentionForward {
  PackedTextShape shape;
  const float* q = nullptr;  // [tokens, heads, head_dim]
  const float* k = nullptr;  // [tokens, kv_heads, head_dim]
  const float* v = nullptr;  // the same, rows v_stride apart
  std::int64_t v_stride = 0;
  float* out = nullptr;       // [tokens, heads, head_dim]
  float* log_sums = nullptr;  // [tokens, heads], of the exponentials; what backward needs
};

struct PackedAttentionBackward {
  PackedTextShape shape;
  const float* q = nullptr;
  const float* k = nullptr;
  const float* v = nullptr;
  std::int64_t v_stride = 0;
  const float* out = nullptr;
  const float* log_sums = nullptr;
  const float* grad_out = nullptr;  // [tokens, heads, head_dim]
  float* grad_q = nullptr;          // [tokens, heads, head_dim]
  float* grad_k = nullptr;          // [tokens, kv_heads, head_dim]
  float* grad_v = nullptr;          // [tokens, kv_heads, head_dim]
};

namespace cpu {
void packed_attention(const PackedAttentionForward& work);
void packed_attention_backward(const PackedAttentionBackward& work);
}  // namespace cpu

}  // namespace tritonrl::kernels
