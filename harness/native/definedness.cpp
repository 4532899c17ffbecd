#include "definedness.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include <c10/util/SmallVector.h>

#include "memory.h"

namespace tritonrl::device {
namespace {

// A tensor in more runs than this is treated as one run when it is written and not looked at when it is read: a finding
// may be missed, but none is made up.
constexpr std::int64_t kMostRuns = 65536;

struct Dimension {
  std::int64_t size;
  std::int64_t stride;
};

// A tensor's elements as equal contiguous runs of bytes, at the offsets that `outer` spans.
struct Runs {
  std::uint64_t begin = 0;
  std::int64_t bytes = 0;
  std::int64_t count = 1;
  std::int64_t span = 0;  // from the first byte to behind the last
  c10::SmallVector<Dimension, 6> outer;
};

Runs runs_of(const at::Tensor& tensor) {
  Runs runs;
  const auto item = static_cast<std::int64_t>(tensor.element_size());
  runs.begin = reinterpret_cast<std::uint64_t>(tensor.const_data_ptr());
  runs.bytes = item;
  runs.span = item;
  if (tensor.is_contiguous()) {
    runs.bytes = runs.span = item * tensor.numel();
    return runs;
  }
  c10::SmallVector<Dimension, 6> dimensions;
  for (std::int64_t d = 0; d < tensor.dim(); ++d) {
    if (tensor.size(d) > 1 && tensor.stride(d) != 0) dimensions.push_back({tensor.size(d), tensor.stride(d) * item});
  }
  std::ranges::sort(dimensions, {}, &Dimension::stride);
  for (const auto& [size, stride] : dimensions) {
    runs.span += (size - 1) * stride;
    if (runs.outer.empty() && stride == runs.bytes) {
      runs.bytes *= size;
    } else {
      runs.outer.push_back({size, stride});
      runs.count *= size;
    }
  }
  return runs;
}

// Stops where `visit` returns false.
template <typename Visit>
void for_each_run(const Runs& runs, Visit visit) {
  for (std::int64_t index = 0; index < runs.count; ++index) {
    std::int64_t rest = index;
    std::int64_t offset = 0;
    for (const auto& [size, stride] : runs.outer) {
      offset += rest % size * stride;
      rest /= size;
    }
    if (!visit(runs.begin + static_cast<std::uint64_t>(offset), static_cast<std::uint64_t>(runs.bytes))) return;
  }
}

Block* undefined_block(const at::Tensor& tensor) {
  if (tensor.numel() == 0 || !tensor.has_storage()) return nullptr;
  Block* block = block_of(tensor.storage().data_ptr());
  return block != nullptr && block->undefined.load(std::memory_order_relaxed) ? block : nullptr;
}

bool covers(const Runs& runs, const Block& block) {
  return runs.count == 1 && static_cast<std::uint64_t>(runs.bytes) == block.bytes;
}

}  // namespace

void mark_written(const at::Tensor& tensor) {
  Block* block = undefined_block(tensor);
  if (block == nullptr) return;
  const Runs runs = runs_of(tensor);
  const auto mark = [](std::uint64_t address, std::uint64_t bytes) {
    executor().written(executor().device, address, bytes);
    return true;
  };
  if (runs.count > kMostRuns) {
    mark(runs.begin, static_cast<std::uint64_t>(runs.span));
  } else {
    for_each_run(runs, mark);
  }
  if (covers(runs, *block)) block->undefined = false;
}

void check_written(const at::Tensor& tensor, const char* op) {
  Block* block = undefined_block(tensor);
  if (block == nullptr || block->reported.load(std::memory_order_relaxed)) return;
  const Runs runs = runs_of(tensor);
  if (runs.count > kMostRuns) return;
  bool all = true;
  for_each_run(runs, [&](std::uint64_t address, std::uint64_t bytes) {
    const std::int64_t offset = executor().first_undefined(executor().device, address, bytes);
    if (offset < 0) return true;
    all = false;
    if (!block->reported.exchange(true)) {
      executor().unwritten(op, runs.begin, static_cast<std::uint64_t>(runs.span),
                           address - runs.begin + static_cast<std::uint64_t>(offset));
    }
    return false;
  });
  if (all && covers(runs, *block)) block->undefined = false;
}

}  // namespace tritonrl::device
