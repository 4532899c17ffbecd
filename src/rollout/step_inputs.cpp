#include "rollout/step_inputs.h"

#include <ATen/ops/empty.h>
#include <ATen/ops/where.h>

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

#include "base/error.h"

namespace tritonrl::rollout {
namespace {

void write(std::span<std::int32_t> words, const std::vector<std::int32_t>& values, std::int32_t padding) {
  const auto rest = std::ranges::copy(values, words.begin()).out;
  std::fill(rest, words.end(), padding);
}

template <typename T>
const T* data_of(const WordList& list) {
  return static_cast<const T*>(list.device.const_data_ptr());
}

}  // namespace

WordBuffer::WordBuffer(std::int64_t words, at::Device device) {
  const auto options = at::TensorOptions(at::kInt).pinned_memory(!device.is_cpu());
  host_ = at::empty({words}, options);
  other_host_ = device.is_cpu() ? host_ : at::empty({words}, options);
  device_ = device.is_cpu() ? host_ : at::empty({words}, at::TensorOptions(at::kInt).device(device));
}

WordList WordBuffer::append(std::int64_t count) {
  base::check(used_ + count <= host_.size(0), "a buffer of words is too small");
  WordList list{.offset = used_, .count = count, .device = device_.narrow(0, used_, count)};
  used_ += count;
  return list;
}

std::span<std::int32_t> WordBuffer::host(const WordList& list) const {
  return {host_.data_ptr<std::int32_t>() + list.offset, static_cast<std::size_t>(list.count)};
}

void WordBuffer::upload() {
  if (device_.is_cpu()) return;
  device_.copy_(host_, /*non_blocking=*/true);
  std::swap(host_, other_host_);
}

TokenInputs::TokenInputs(const Extent& extent, at::Device device)
    : extent_(extent),
      device_(device),
      words_(3 * extent.tokens + 1 + extent.sequences * (2 + extent.max_pages), device),
      token_ids_(words_.append(extent.tokens)),
      positions_(words_.append(extent.tokens)),
      slots_(words_.append(extent.tokens)),
      query_starts_(words_.append(extent.sequences + 1)),
      context_lengths_(words_.append(extent.sequences)),
      block_table_(words_.append(extent.sequences * extent.max_pages)) {}

void TokenInputs::fill(const Step& step) {
  write(words_.host(token_ids_), step.token_ids, 0);
  write(words_.host(positions_), step.positions, 0);
  write(words_.host(slots_), step.slots, -1);
  write(words_.host(query_starts_), step.query_starts, step.tokens());
  write(words_.host(context_lengths_), step.context_lengths, 0);
  const auto table = words_.host(block_table_);
  std::ranges::fill(table, 0);
  for (std::size_t s = 0; s < step.pages.size(); ++s) {
    std::ranges::copy(step.pages[s], table.begin() + static_cast<std::ptrdiff_t>(s) * extent_.max_pages);
  }
  // A padded sequence has one padded token.
  for (std::int64_t s = step.sequences(); s < extent_.sequences; ++s) {
    words_.host(query_starts_)[static_cast<std::size_t>(s + 1)] =
        step.tokens() + static_cast<std::int32_t>(s + 1 - step.sequences());
  }
  max_query_length_ = 1;
  for (std::size_t s = 1; s < step.query_starts.size(); ++s) {
    max_query_length_ = std::max<std::int64_t>(max_query_length_, step.query_starts[s] - step.query_starts[s - 1]);
  }
  in_flight_ = std::ranges::any_of(step.token_ids, [](std::int32_t id) { return id < 0; });
  words_.upload();
  if (extent_.page_size > 0 && max_query_length_ > 1) fill_chunks(step);
}

void TokenInputs::fill_chunks(const Step& step) {
  std::size_t decodes = 0;
  while (step.query_starts[decodes + 1] - step.query_starts[decodes] == 1) ++decodes;
  const auto count = static_cast<std::size_t>(step.sequences()) - decodes;
  std::int64_t contexts = 0;
  std::int64_t longest = 0;
  for (std::size_t s = decodes; s < decodes + count; ++s) {
    contexts += step.context_lengths[s];
    longest = std::max<std::int64_t>(longest, step.context_lengths[s]);
  }
  WordBuffer words(2 * static_cast<std::int64_t>(count + 1) + contexts, device_);
  const WordList query_starts = words.append(static_cast<std::int64_t>(count + 1));
  const WordList context_starts = words.append(static_cast<std::int64_t>(count + 1));
  const WordList slots = words.append(contexts);
  const auto query_words = words.host(query_starts);
  const auto context_words = words.host(context_starts);
  const auto slot_words = words.host(slots);
  std::size_t at = 0;
  for (std::size_t i = 0; i <= count; ++i) {
    query_words[i] = step.query_starts[decodes + i] - step.query_starts[decodes];
    context_words[i] = static_cast<std::int32_t>(at);
    if (i == count) break;
    for (std::int32_t t = 0; t < step.context_lengths[decodes + i]; ++t) {
      const Page page = step.pages[decodes + i][static_cast<std::size_t>(t / extent_.page_size)];
      slot_words[at++] = page * extent_.page_size + t % extent_.page_size;
    }
  }
  words.upload();
  chunks_ = {.decodes = static_cast<std::int64_t>(decodes),
             .query_starts = query_starts.device,
             .context_starts = context_starts.device,
             .context_slots = slots.device,
             .max_context = longest};
}

model::PagedBatch TokenInputs::batch(const at::Tensor& drawn) const {
  at::Tensor ids = token_ids_.device.to(at::kLong);
  // A graph is recorded once for steps of both kinds.
  if (in_flight_ || !ids.is_cpu())
    ids = at::where(ids.lt(0), drawn.index_select(0, ids.neg().sub(1).clamp_min(0)), ids);
  return {.token_ids = ids,
          .positions = positions_.device,
          .slots = slots_.device,
          .query_starts = query_starts_.device,
          .block_table = block_table_.device.view({extent_.sequences, extent_.max_pages}),
          .context_lengths = context_lengths_.device,
          .max_query_length = max_query_length_,
          .chunks = chunks_};
}

DrawInputs::DrawInputs(std::int64_t draws, at::Device device)
    : draws_(draws),
      words_(9 * draws, device),
      seeds_(words_.append(2 * draws)),  // first: they are aligned to 8 bytes
      token_rows_(words_.append(draws)),
      rows_(words_.append(draws)),
      top_k_(words_.append(draws)),
      positions_(words_.append(draws)),
      temperatures_(words_.append(draws)),
      top_p_(words_.append(draws)),
      min_p_(words_.append(draws)) {}

void DrawInputs::fill(const Step& step, std::span<const DrawOptions> options) {
  distinct_rows_ = 0;
  const auto seeds = words_.host(seeds_);
  const auto token_rows = words_.host(token_rows_);
  const auto rows = words_.host(rows_);
  const auto top_k = words_.host(top_k_);
  const auto positions = words_.host(positions_);
  const auto temperatures = words_.host(temperatures_);
  const auto top_p = words_.host(top_p_);
  const auto min_p = words_.host(min_p_);
  const auto word = [](float value) { return std::bit_cast<std::int32_t>(value); };
  for (std::size_t i = 0; i < static_cast<std::size_t>(draws_); ++i) {
    const bool padding = i >= step.draws.size();
    const DrawOptions option = padding ? DrawOptions{.sampling = {.temperature = 0}} : options[i];
    const std::int32_t token_row = padding ? static_cast<std::int32_t>(i) : step.draws[i].row;
    if (i == 0 || token_rows[static_cast<std::size_t>(distinct_rows_ - 1)] != token_row) {
      token_rows[static_cast<std::size_t>(distinct_rows_++)] = token_row;
    }
    const auto seed_words = std::bit_cast<std::array<std::int32_t, 2>>(option.seed);
    seeds[2 * i] = seed_words[0];
    seeds[2 * i + 1] = seed_words[1];
    rows[i] = static_cast<std::int32_t>(distinct_rows_ - 1);
    top_k[i] = option.sampling.top_k;
    positions[i] = padding ? 0 : step.draws[i].position;
    temperatures[i] = word(option.sampling.temperature);
    top_p[i] = word(option.sampling.top_p);
    min_p[i] = word(option.sampling.min_p);
  }
  words_.upload();
}

at::Tensor DrawInputs::token_rows() const { return token_rows_.device.narrow(0, 0, distinct_rows_); }

kernels::SampleTokens DrawInputs::work() const {
  return {.rows = data_of<std::int32_t>(rows_),
          .temperatures = data_of<float>(temperatures_),
          .top_p = data_of<float>(top_p_),
          .min_p = data_of<float>(min_p_),
          .top_k = data_of<std::int32_t>(top_k_),
          .seeds = data_of<std::int64_t>(seeds_),
          .positions = data_of<std::int32_t>(positions_),
          .draws = draws_};
}

}  // namespace tritonrl::rollout
