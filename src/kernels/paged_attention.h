#pragma once

#include <cstdint>

#include "kernels/dtype.h"

// Causal attention of a mixed batch over a paged cache: a request's queries are its last ones (one when it decodes, a
// chunk of the prompt when it prefills), and see its context up to their own position.
namespace tritonrl::kernels {

struct PagedAttention {
  const void* q = nullptr;        // [tokens, heads, head_dim]
  const void* k_pages = nullptr;  // [pages, page_size, kv_heads, head_dim], the new keys and values included
  const void* v_pages = nullptr;  // the same
  void* out = nullptr;            // [tokens, heads, head_dim]
  const std::int32_t* query_starts = nullptr;     // [requests + 1], the tokens of request r: [r], to before [r + 1]
  const std::int32_t* block_table = nullptr;      // [requests, max_pages], the pages of a request in order
  const std::int32_t* context_lengths = nullptr;  // [requests], tokens in the cache, the new ones included
  std::int64_t requests = 0;
  std::int64_t max_queries = 1;  // of a request
  std::int64_t max_pages = 0;
  std::int64_t page_size = 0;
  std::int64_t heads = 0;
  std::int64_t kv_heads = 0;
  std::int64_t head_dim = 0;
  float scale = 1;
  DType dtype = DType::kFloat32;
  float* scratch = nullptr;  // on CUDA, paged_attention_scratch() floats; may be null for none
};

namespace cpu {
void paged_attention(const PagedAttention& work);
}  // namespace cpu

namespace cuda {
std::int64_t paged_attention_scratch(const PagedAttention& work);
void paged_attention(const PagedAttention& work, Stream stream);
}  // namespace cuda

}  // namespace tritonrl::kernels
