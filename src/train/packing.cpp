#include "train/packing.h"

#include <algorithm>
#include <numeric>

#include "base/error.h"

namespace tritonrl::train {

std::vector<std::vector<std::size_t>> pack(std::span<const TrainText> texts, std::int64_t max_tokens) {
  std::vector<std::size_t> order(texts.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) { return texts[a].tokens() > texts[b].tokens(); });
  struct Bin {
    std::int64_t tokens = 0;
    std::vector<std::size_t> texts = {};
  };
  std::int64_t all = 0;
  for (const TrainText& text : texts) all += text.tokens();
  std::vector<Bin> bins(static_cast<std::size_t>((all + max_tokens - 1) / max_tokens));
  for (const std::size_t text : order) {
    auto bin = std::ranges::min_element(bins, {}, &Bin::tokens);
    if (bin->tokens > 0 && bin->tokens + texts[text].tokens() > max_tokens) bin = bins.insert(bins.end(), Bin{});
    bin->tokens += texts[text].tokens();
    bin->texts.push_back(text);
  }
  std::vector<std::vector<std::size_t>> batches;
  for (Bin& bin : bins) {
    if (bin.texts.empty()) continue;
    std::ranges::sort(bin.texts);
    batches.push_back(std::move(bin.texts));
  }
  return batches;
}

PackedRows pack_rows(std::span<const TrainText> texts, std::span<const std::size_t> chosen) {
  PackedRows packed;
  for (const std::size_t number : chosen) {
    const TrainText& text = texts[number];
    base::check(text.prompt_tokens >= 1, "a text whose first token is scored");
    const auto start = static_cast<std::int64_t>(packed.token_ids.size());
    for (std::int64_t t = 0; t < text.tokens(); ++t) {
      const std::int64_t token = text.token_ids[static_cast<std::size_t>(t)];
      packed.token_ids.push_back(token);
      packed.positions.push_back(static_cast<std::int32_t>(t));
      if (t < text.prompt_tokens) continue;
      packed.rows.push_back(start + t - 1);
      packed.targets.push_back(token);
    }
    packed.text_starts.push_back(static_cast<std::int32_t>(packed.token_ids.size()));
    packed.max_length = std::max(packed.max_length, text.tokens());
  }
  return packed;
}

}  // namespace tritonrl::train
