#include "kernels/paged_attention.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/error.h"
#include "kernels/parallel_rows.h"

namespace tritonrl::kernels::cpu {
namespace {

// One query of one head over the first `visible` tokens of its request.
void attend(const PagedAttention& work, const float* q, const std::int32_t* pages, std::int64_t kv_head,
            std::int64_t visible, float* scores, float* out) {
  const auto row_of = [&](const void* cache, std::int64_t token) {
    const std::int64_t slot = pages[token / work.page_size] * work.page_size + token % work.page_size;
    return static_cast<const float*>(cache) + (slot * work.kv_heads + kv_head) * work.head_dim;
  };
  float greatest = -INFINITY;
  for (std::int64_t token = 0; token < visible; ++token) {
    const float* k = row_of(work.k_pages, token);
    float score = 0;
    for (std::int64_t i = 0; i < work.head_dim; ++i) score += q[i] * k[i];
    scores[token] = score * work.scale;
    greatest = std::max(greatest, scores[token]);
  }
  float sum = 0;
  std::fill_n(out, work.head_dim, 0.0F);
  for (std::int64_t token = 0; token < visible; ++token) {
    const float weight = std::exp(scores[token] - greatest);
    sum += weight;
    const float* v = row_of(work.v_pages, token);
    for (std::int64_t i = 0; i < work.head_dim; ++i) out[i] += weight * v[i];
  }
  for (std::int64_t i = 0; i < work.head_dim; ++i) out[i] /= sum;
}

}  // namespace

void paged_attention(const PagedAttention& work) {
  base::check(work.dtype == DType::kFloat32, "CPU kernels compute in fp32");
  for_each_range(work.requests * work.heads, 1, [&](std::int64_t begin, std::int64_t end) {
    std::vector<float> scores;
    for (std::int64_t item = begin; item < end; ++item) {
      const std::int64_t request = item / work.heads;
      const std::int64_t head = item % work.heads;
      const std::int64_t first = work.query_starts[request];
      const std::int64_t queries = work.query_starts[request + 1] - first;
      const std::int64_t context = work.context_lengths[request];
      scores.resize(static_cast<std::size_t>(std::max<std::int64_t>(context, 1)));
      for (std::int64_t query = 0; query < queries; ++query) {
        const std::int64_t offset = ((first + query) * work.heads + head) * work.head_dim;
        attend(work, static_cast<const float*>(work.q) + offset, work.block_table + request * work.max_pages,
               head / (work.heads / work.kv_heads), context - queries + query + 1, scores.data(),
               static_cast<float*>(work.out) + offset);
      }
    }
  });
}

}  // namespace tritonrl::kernels::cpu
