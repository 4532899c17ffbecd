#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "ttir/machine/code.h"

namespace tritonrl::ttir {

// Where slots lie in a frame: those that are never needed at the same time share memory, so that a program's working
// set stays in the cache.
class SlotLayout {
 public:
  SlotId add(std::uint64_t bytes);
  std::uint64_t bytes(SlotId slot) const { return slots_[slot].bytes; }

  std::size_t first_touch(SlotId slot) const { return slots_[slot].first; }
  bool is_pinned(SlotId slot) const { return slots_[slot].pinned; }

  // The slot is read or written by step `step`.
  void touch(SlotId slot, std::size_t step);
  // It keeps its memory for the whole run.
  void pin(SlotId slot);
  // Steps [first, last] may run again after `last`.
  void add_loop(std::size_t first, std::size_t last) { loops_.push_back({first, last}); }
  // The two exchange their memory while the program runs.
  void pair(SlotId a, SlotId b) { pairs_.emplace_back(a, b); }

  // Places by SlotId, and the bytes they take.
  std::vector<SlotPlace> place(std::uint64_t& frame_bytes);

 private:
  struct Lifetime {
    std::uint64_t bytes = 0;
    std::size_t first = ~std::size_t{0};
    std::size_t last = 0;
    bool pinned = false;
  };
  struct Loop {
    std::size_t first = 0;
    std::size_t last = 0;
  };

  void extend_over_loops();

  std::vector<Lifetime> slots_;
  std::vector<Loop> loops_;
  std::vector<std::pair<SlotId, SlotId>> pairs_;
};

}  // namespace tritonrl::ttir
