#include "kernels/packed_attention.h"

#include <algorithm>
#include <vector>

#include "kernels/cpu/attention_tiles.h"
#include "kernels/cpu/row_kernels.h"
#include "kernels/parallel_rows.h"

namespace tritonrl::kernels::cpu {
namespace {

struct Item {
  std::int64_t text;
  std::int64_t kv_head;
  std::int64_t length;
};

// Longest first and dealt out in turn, so that contiguous ranges of items cost about the same.
std::vector<Item> items_of(const PackedTextShape& shape) {
  std::vector<Item> sorted;
  for (std::int64_t text = 0; text < shape.texts; ++text) {
    const std::int64_t length = shape.text_starts[text + 1] - shape.text_starts[text];
    if (length == 0) continue;
    for (std::int64_t head = 0; head < shape.kv_heads; ++head) sorted.push_back({text, head, length});
  }
  std::ranges::stable_sort(sorted, std::ranges::greater{}, &Item::length);
  const auto hands = static_cast<std::size_t>(thread_count());
  std::vector<Item> dealt;
  dealt.reserve(sorted.size());
  for (std::size_t hand = 0; hand < hands; ++hand) {
    for (std::size_t i = hand; i < sorted.size(); i += hands) dealt.push_back(sorted[i]);
  }
  return dealt;
}

// Room for the longest text. What is taken from it: attention_kernels.cpp.
std::size_t scratch_floats(std::int64_t length, std::int64_t head_dim) {
  const std::int64_t dim = padded_dim(head_dim);
  const std::int64_t across = head_dim * rounded_up(length, kColumnStep);
  const std::int64_t blocks = 2 * kQueryBlock * kKeyBlock + kQueryBlock * (3 * dim + 2);
  return static_cast<std::size_t>(2 * across + 3 * length * dim + blocks);
}

template <typename Work>
void launch(const Work& work, void (*attend)(const Work&, std::int64_t, std::int64_t, float*)) {
  const auto items = items_of(work.shape);
  for_each_range(static_cast<std::int64_t>(items.size()), 1, [&](std::int64_t begin, std::int64_t end) {
    std::vector<float> scratch;
    for (std::int64_t i = begin; i < end; ++i) {
      const Item& item = items[static_cast<std::size_t>(i)];
      const std::size_t floats = scratch_floats(item.length, work.shape.head_dim);
      if (scratch.size() < floats) scratch.resize(floats);
      attend(work, item.text, item.kv_head, scratch.data());
    }
  });
}

}  // namespace

void packed_attention(const PackedAttentionForward& work) { launch(work, row_kernels().attend_text); }

void packed_attention_backward(const PackedAttentionBackward& work) {
  launch(work, row_kernels().attend_text_backward);
}

}  // namespace tritonrl::kernels::cpu
