#include "ttir/memory/race_unordered.h"

#include "ttir/memory/race_cells.h"

namespace tritonrl::ttir {

void UnorderedRaces::read(Address begin, Address end, RaceConflicts& conflicts) {
  update_cells(shadow_, begin, end, conflicts, [this](UnorderedCell cell, std::optional<RaceConflict>& conflict) {
    return after_read(cell, conflict);
  });
}

void UnorderedRaces::write(Address begin, Address end, RaceConflicts& conflicts) {
  update_cells(shadow_, begin, end, conflicts, [this](UnorderedCell cell, std::optional<RaceConflict>& conflict) {
    return after_write(cell, conflict);
  });
}

void UnorderedRaces::merge(const UnorderedRaces& other, RaceConflicts& conflicts) {
  other.shadow_.for_each_page([&](const ShadowMemory<UnorderedCell>::Cells& cells) {
    std::size_t at = 0;
    while (at < cells.count) {
      const std::size_t from = at;
      const bool written = cells.first[at].writer != 0;
      const bool used = written || cells.first[at].reader != 0;
      do ++at;
      while (at < cells.count && (cells.first[at].writer != 0) == written &&
             (written || (cells.first[at].reader != 0) == used));
      if (written) {
        write(cells.address_of(from), cells.address_of(at), conflicts);
      } else if (used) {
        read(cells.address_of(from), cells.address_of(at), conflicts);
      }
    }
  });
}

}  // namespace tritonrl::ttir
