#include "ttir/race_unordered.h"

#include "ttir/race_cells.h"

namespace tritonrl::ttir {
namespace {

using Other = RaceConflict::Other;

RaceConflict with(std::uint32_t program, Other other) {
  return {.other = other, .program = program == UnorderedCell::kMany ? program : program - 1};
}

}  // namespace

void UnorderedRaces::read(Address begin, Address end, RaceConflicts& conflicts) {
  const std::uint32_t self = self_;
  update_cells(shadow_, begin, end, conflicts, [self](UnorderedCell cell, std::optional<RaceConflict>& conflict) {
    if (cell.writer == self) {
      if (cell.reader == 0) cell.reader = UnorderedCell::kOwn;
      return cell;
    }
    if (cell.writer != 0) [[unlikely]] {
      conflict = with(cell.writer, Other::kWrote);
    }
    const bool alone = cell.reader == 0 || cell.reader == self || cell.reader == UnorderedCell::kOwn;
    cell.reader = alone ? self : UnorderedCell::kMany;
    return cell;
  });
}

void UnorderedRaces::write(Address begin, Address end, RaceConflicts& conflicts) {
  const std::uint32_t self = self_;
  update_cells(shadow_, begin, end, conflicts, [self](UnorderedCell cell, std::optional<RaceConflict>& conflict) {
    if (cell.reader != 0 && cell.reader != self && cell.reader != UnorderedCell::kOwn) [[unlikely]] {
      conflict = with(cell.reader, Other::kRead);
    } else if (cell.writer != 0 && cell.writer != self) [[unlikely]] {
      conflict = with(cell.writer, Other::kWrote);
    }
    cell.writer = self;
    return cell;
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
