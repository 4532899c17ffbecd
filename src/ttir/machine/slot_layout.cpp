#include "ttir/machine/slot_layout.h"

#include <algorithm>
#include <map>
#include <numeric>

namespace tritonrl::ttir {
namespace {

constexpr std::uint64_t kAlignment = 64;

// Free stretches of the frame, by offset.
class FreeMemory {
 public:
  std::uint64_t take(std::uint64_t bytes) {
    auto best = free_.end();
    for (auto it = free_.begin(); it != free_.end(); ++it)
      if (it->second >= bytes && (best == free_.end() || it->second < best->second)) best = it;
    if (best == free_.end()) {
      const std::uint64_t offset = end_;
      end_ += bytes;
      return offset;
    }
    const auto [offset, size] = *best;
    free_.erase(best);
    if (size > bytes) free_[offset + bytes] = size - bytes;
    return offset;
  }

  void give_back(std::uint64_t offset, std::uint64_t bytes) {
    auto next = free_.lower_bound(offset);
    if (next != free_.end() && offset + bytes == next->first) {
      bytes += next->second;
      next = free_.erase(next);
    }
    if (next != free_.begin()) {
      const auto before = std::prev(next);
      if (before->first + before->second == offset) {
        before->second += bytes;
        return;
      }
    }
    free_[offset] = bytes;
  }

  std::uint64_t end() const { return end_; }

 private:
  std::map<std::uint64_t, std::uint64_t> free_;
  std::uint64_t end_ = 0;
};

}  // namespace

SlotId SlotLayout::add(std::uint64_t bytes) {
  slots_.push_back({.bytes = std::max<std::uint64_t>((bytes + kAlignment - 1) / kAlignment * kAlignment, kAlignment)});
  return static_cast<SlotId>(slots_.size() - 1);
}

void SlotLayout::touch(SlotId slot, std::size_t step) {
  Lifetime& lifetime = slots_[slot];
  lifetime.first = std::min(lifetime.first, step);
  lifetime.last = std::max(lifetime.last, step);
}

void SlotLayout::pin(SlotId slot) { slots_[slot].pinned = true; }

void SlotLayout::extend_over_loops() {
  // Inner loops first: what an inner loop extends may reach into an outer one.
  std::ranges::sort(loops_, {}, [](const Loop& loop) { return loop.last - loop.first; });
  for (bool changed = true; changed;) {
    changed = false;
    for (const Loop& loop : loops_) {
      for (Lifetime& slot : slots_) {
        // Alive when the loop is entered and used inside: its next trip needs it too.
        if (slot.first < loop.first && slot.last >= loop.first && slot.last < loop.last) {
          slot.last = loop.last;
          changed = true;
        }
      }
    }
    for (const auto& [a, b] : pairs_) {
      const std::size_t first = std::min(slots_[a].first, slots_[b].first);
      const std::size_t last = std::max(slots_[a].last, slots_[b].last);
      for (Lifetime* slot : {&slots_[a], &slots_[b]}) {
        changed |= slot->first != first || slot->last != last;
        slot->first = first;
        slot->last = last;
      }
    }
  }
}

std::vector<SlotPlace> SlotLayout::place(std::uint64_t& frame_bytes) {
  extend_over_loops();
  std::vector<SlotPlace> places(slots_.size());
  FreeMemory memory;
  for (std::size_t i = 0; i < slots_.size(); ++i) {
    if (!slots_[i].pinned) continue;
    places[i] = {memory.take(slots_[i].bytes), slots_[i].bytes};
  }
  std::vector<std::size_t> by_start(slots_.size());
  std::iota(by_start.begin(), by_start.end(), 0);
  std::ranges::stable_sort(by_start, {}, [&](std::size_t i) { return slots_[i].first; });
  std::multimap<std::size_t, std::size_t> ends;  // last step -> slot
  for (const std::size_t i : by_start) {
    if (slots_[i].pinned || slots_[i].first > slots_[i].last) continue;
    while (!ends.empty() && ends.begin()->first < slots_[i].first) {
      const std::size_t ended = ends.begin()->second;
      memory.give_back(places[ended].offset_bytes, slots_[ended].bytes);
      ends.erase(ends.begin());
    }
    places[i] = {memory.take(slots_[i].bytes), slots_[i].bytes};
    ends.emplace(slots_[i].last, i);
  }
  frame_bytes = memory.end();
  return places;
}

}  // namespace tritonrl::ttir
