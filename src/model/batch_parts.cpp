#include "model/batch_parts.h"

#include <ATen/ops/empty.h>

#include <algorithm>

namespace tritonrl::model {
namespace {

constexpr std::int64_t kLeastTokens = 8;  // of a part

struct Request {
  std::int64_t tokens;
  std::int64_t products;
};

std::vector<Request> requests_of(const PagedBatch& batch, const ModelConfig& config) {
  const std::int64_t layer_products = config.hidden_size * (config.qkv_rows() + 3 * config.intermediate_size) +
                                      config.hidden_size * config.heads * config.head_dim;
  const std::int64_t context_products = 2 * config.heads * config.head_dim;
  const auto* starts = batch.query_starts.const_data_ptr<std::int32_t>();
  const auto* contexts = batch.context_lengths.const_data_ptr<std::int32_t>();
  std::vector<Request> requests(static_cast<std::size_t>(batch.context_lengths.size(0)));
  for (std::size_t i = 0; i < requests.size(); ++i) {
    const std::int64_t tokens = starts[i + 1] - starts[i];
    requests[i] = {.tokens = tokens, .products = tokens * (layer_products + contexts[i] * context_products)};
  }
  return requests;
}

// Requests from `first` to before `end`.
PagedBatch part_of(const PagedBatch& batch, std::int64_t first, std::int64_t end) {
  const auto* starts = batch.query_starts.const_data_ptr<std::int32_t>();
  const std::int64_t token = starts[first];
  const std::int64_t tokens = starts[end] - token;
  const std::int64_t requests = end - first;
  return {.token_ids = batch.token_ids.narrow(0, token, tokens),
          .positions = batch.positions.narrow(0, token, tokens),
          .slots = batch.slots.narrow(0, token, tokens),
          .query_starts = batch.query_starts.narrow(0, first, requests + 1).sub(token),
          .block_table = batch.block_table.narrow(0, first, requests),
          .context_lengths = batch.context_lengths.narrow(0, first, requests),
          .max_query_length = batch.max_query_length};
}

}  // namespace

std::vector<PagedBatch> parts_of(const PagedBatch& batch, const ModelConfig& config, int threads) {
  const auto requests = requests_of(batch, config);
  std::int64_t left = 0;
  for (const Request& request : requests) left += request.products;
  std::vector<PagedBatch> parts;
  std::size_t first = 0;
  for (int part = 0; part < threads; ++part) {
    const std::int64_t share = left / (threads - part);
    std::int64_t tokens = 0;
    std::int64_t products = 0;
    std::size_t end = first;
    // The request that reaches past the share goes where more of it lies.
    while (end < requests.size() && products + requests[end].products / 2 <= share) {
      tokens += requests[end].tokens;
      products += requests[end++].products;
    }
    const bool uneven = products > share + share / 4;
    if (tokens < kLeastTokens || uneven) return {batch};
    parts.push_back(part_of(batch, static_cast<std::int64_t>(first), static_cast<std::int64_t>(end)));
    left -= products;
    first = end;
  }
  return parts;
}

}  // namespace tritonrl::model
