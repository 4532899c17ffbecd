#pragma once

#include <cstddef>
#include <optional>

#include "ttir/memory/race_conflict.h"
#include "ttir/memory/shadow_memory.h"

namespace tritonrl::ttir {

// Replaces each cell of [begin, end) by step(cell, conflict). Neighbours are mostly alike: `step` is asked once for
// each stretch of equal cells. Where it sets `conflict`, that is appended with the bytes of the stretch.
template <typename Cell, typename Step>
void update_cells(ShadowMemory<Cell>& shadow, Address begin, Address end, RaceConflicts& conflicts, Step&& step) {
  shadow.touch(begin, end, [&](const typename ShadowMemory<Cell>::Cells& cells) {
    std::size_t at = 0;
    while (at < cells.count) {
      const std::size_t from = at;
      const Cell seen = cells.first[at];
      std::optional<RaceConflict> conflict;
      const Cell next = step(seen, conflict);
      do {
        cells.first[at] = next;
        ++at;
      } while (at < cells.count && cells.first[at] == seen);
      if (conflict) [[unlikely]] {
        conflict->begin = cells.address_of(from);
        conflict->end = cells.address_of(at);
        conflicts.push_back(*conflict);
      }
    }
  });
}

}  // namespace tritonrl::ttir
