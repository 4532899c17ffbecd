#include <algorithm>
#include <vector>

#include "base/error.h"
#include "base/random.h"
#include "kernels/cpu/decode_kernels.h"
#include "kernels/cpu/product_panels.h"
#include "kernels/linear_rows.h"
#include "kernels/paged_attention.h"
#include "kernels/parallel_rows.h"
#include "kernels/sample_tokens.h"

// The CPU's launch functions of decoding.
namespace tritonrl::kernels {

double uniform_of(std::int64_t seed, std::int32_t position) {
  const auto key = static_cast<std::uint64_t>(seed);
  const auto block = base::philox4x32({static_cast<std::uint32_t>(position), 0, 0, 0},
                                      {static_cast<std::uint32_t>(key), static_cast<std::uint32_t>(key >> 32U)});
  const std::uint64_t bits = (std::uint64_t{block[0]} << 21U) ^ (block[1] >> 11U);
  return static_cast<double>(bits) * 0x1p-53;
}

namespace cpu {
namespace {

constexpr std::int64_t kGrainProducts = 1 << 17;  // multiplications that are worth a second thread

std::int64_t grain_of(std::int64_t products_per_item) {
  return std::max<std::int64_t>(1, kGrainProducts / std::max<std::int64_t>(1, products_per_item));
}

}  // namespace

std::int64_t panel_floats(std::int64_t in_columns, std::int64_t out_columns) {
  return in_columns * padded_columns(out_columns);
}

void cut_panels(const CutPanels& work) {
  const std::int64_t panels = (work.out_columns + kPanelColumns - 1) / kPanelColumns;
  for_each_range(panels, grain_of(kPanelColumns * work.in_columns), [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
      const Panel panel = panel_of(i * kPanelColumns, work.out_columns);
      const std::int64_t columns = std::min(panel.width, work.out_columns - panel.first);
      const float* from = work.weight + panel.first * work.in_columns;
      float* to = work.panels + panel.first * work.in_columns;
      for (std::int64_t term = 0; term < work.in_columns; ++term, ++from, to += panel.width) {
        for (std::int64_t column = 0; column < columns; ++column) to[column] = from[column * work.in_columns];
        std::fill(to + columns, to + panel.width, 0.0F);
      }
    }
  });
}

void linear_rows(const LinearRows& work) {
  const std::int64_t steps = padded_columns(work.out_columns) / kPanelStep;
  for_each_range(steps, grain_of(kPanelStep * work.row_count * work.in_columns),
                 [&](std::int64_t begin, std::int64_t end) {
                   decode_kernels().multiply({.rows = work.rows,
                                              .row_stride = work.in_columns,
                                              .row_count = work.row_count,
                                              .panels = work.panels,
                                              .columns = work.out_columns,
                                              .first_column = begin * kPanelStep,
                                              .end_column = std::min(end * kPanelStep, work.out_columns),
                                              .length = work.in_columns,
                                              .out = work.out,
                                              .out_stride = work.out_columns,
                                              .soon = end - begin == steps ? work.soon : nullptr});
                 });
}

void paged_attention(const PagedAttention& work) {
  base::check(work.dtype == DType::kFloat32, "CPU kernels compute in fp32");
  const std::int64_t tokens = work.query_starts[work.requests];
  const std::int64_t group = work.heads / work.kv_heads;
  const std::int64_t longest = work.max_pages * work.page_size;
  std::int64_t seen = 0;  // by all queries, at most
  for (std::int64_t request = 0; request < work.requests; ++request) {
    seen += static_cast<std::int64_t>(work.query_starts[request + 1] - work.query_starts[request]) *
            work.context_lengths[request];
  }
  const std::int64_t products = 2 * group * work.head_dim * seen / std::max<std::int64_t>(1, tokens);
  // An item is a token's heads of one key head, so that one token alone is shared by the threads, too.
  for_each_range(tokens * work.kv_heads, grain_of(products), [&](std::int64_t begin, std::int64_t end) {
    std::vector<float> scores(static_cast<std::size_t>(work.heads * longest));
    const auto* after = std::upper_bound(work.query_starts, work.query_starts + work.requests + 1,
                                         static_cast<std::int32_t>(begin / work.kv_heads));
    std::int64_t request = after - work.query_starts - 1;
    for (std::int64_t item = begin; item < end;) {
      const std::int64_t token = item / work.kv_heads;
      const std::int64_t kv_head = item % work.kv_heads;
      const std::int64_t kv_heads = std::min(work.kv_heads - kv_head, end - item);  // the token's, in this range
      item += kv_heads;
      while (token >= work.query_starts[request + 1]) ++request;
      const std::int64_t offset = (token * work.heads + kv_head * group) * work.head_dim;
      const auto* keys = static_cast<const float*>(work.k_pages) + kv_head * work.head_dim;
      const std::int64_t slot_floats = work.kv_heads * work.head_dim;
      const std::int64_t next = std::min(request + 1, work.requests - 1);
      decode_kernels().attend(
          {.queries = static_cast<const float*>(work.q) + offset,
           .kv_heads = kv_heads,
           .group = group,
           .length = work.head_dim,
           .keys = keys,
           .values = static_cast<const float*>(work.v_pages) + kv_head * work.head_dim,
           .slot_stride = slot_floats,
           .pages = work.block_table + request * work.max_pages,
           .page_size = work.page_size,
           .context_length = work.context_lengths[request] - (work.query_starts[request + 1] - 1 - token),
           .next_keys = keys + work.block_table[next * work.max_pages] * work.page_size * slot_floats,
           .scale = work.scale,
           .scores = scores.data(),
           .out = static_cast<float*>(work.out) + offset});
    }
  });
}

void sample_tokens(const SampleTokens& work) {
  for_each_range(work.draws, grain_of(8 * work.vocabulary), [&](std::int64_t begin, std::int64_t end) {
    std::vector<float> scratch(static_cast<std::size_t>(work.vocabulary));
    for (std::int64_t i = begin; i < end; ++i) {
      const Drawn drawn = decode_kernels().draw({.logits = work.logits + work.rows[i] * work.vocabulary,
                                                 .count = work.vocabulary,
                                                 .temperature = work.temperatures[i],
                                                 .top_p = work.top_p[i],
                                                 .min_p = work.min_p[i],
                                                 .top_k = work.top_k[i],
                                                 .uniform = uniform_of(work.seeds[i], work.positions[i]),
                                                 .scratch = scratch.data()});
      work.ids[i] = drawn.id;
      work.log_probs[i] = drawn.log_prob;
      work.raw_log_probs[i] = drawn.raw_log_prob;
    }
  });
}

}  // namespace cpu
}  // namespace tritonrl::kernels
