#pragma once

#include <cstdint>
#include <optional>

#include "ttir/memory/race_conflict.h"
#include "ttir/memory/shadow_memory.h"

namespace tritonrl::ttir {

// Who used the bytes of a cell: programs count from 1, 0 is nobody.
struct UnorderedCell {
  std::uint32_t writer = 0;  // the last one
  std::uint32_t reader = 0;

  static constexpr std::uint32_t kMany = ~std::uint32_t{0};
  // A program read what it had written itself: a read, but what races with it races with the write too.
  static constexpr std::uint32_t kOwn = kMany - 1;

  bool operator==(const UnorderedCell&) const = default;
};

// Races of a kernel that has no way to order its programs: any two of them are concurrent.
class UnorderedRaces {
 public:
  static constexpr std::uint64_t kMaxPrograms = UnorderedCell::kOwn - 1;

  void enter(std::uint32_t program) { self_ = program + 1; }
  // Record an access to [begin, end), and append what it conflicts with.
  void read(Address begin, Address end, RaceConflicts& conflicts);
  void write(Address begin, Address end, RaceConflicts& conflicts);

  // The same for one element of 2^shift bytes, in two steps, so that many can be under way: its cell, valid until the
  // next read() or write(), or nullptr when there is none of that size yet; then done and true unless that is a
  // conflict.
  UnorderedCell* cell(Address address, unsigned shift) { return shadow_.single(address, shift); }
  bool quick_read(UnorderedCell& cell) const { return quick<&UnorderedRaces::after_read>(cell); }
  bool quick_write(UnorderedCell& cell) const { return quick<&UnorderedRaces::after_write>(cell); }

  const ShadowMemory<UnorderedCell>& shadow() const { return shadow_; }
  // Takes over what other programs did, as the doing of the current one.
  void merge(const UnorderedRaces& other, RaceConflicts& conflicts);

 private:
  static RaceConflict with(std::uint32_t program, RaceConflict::Other other) {
    return {.other = other, .program = program == UnorderedCell::kMany ? program : program - 1};
  }
  UnorderedCell after_read(UnorderedCell cell, std::optional<RaceConflict>& conflict) const;
  UnorderedCell after_write(UnorderedCell cell, std::optional<RaceConflict>& conflict) const;
  template <auto kAfter>
  bool quick(UnorderedCell& cell) const;

  ShadowMemory<UnorderedCell> shadow_;
  std::uint32_t self_ = 0;
};

inline UnorderedCell UnorderedRaces::after_read(UnorderedCell cell, std::optional<RaceConflict>& conflict) const {
  if (cell.writer == self_) {
    if (cell.reader == 0) cell.reader = UnorderedCell::kOwn;
    return cell;
  }
  if (cell.writer != 0) [[unlikely]] {
    conflict = with(cell.writer, RaceConflict::Other::kWrote);
  }
  const bool alone = cell.reader == 0 || cell.reader == self_ || cell.reader == UnorderedCell::kOwn;
  cell.reader = alone ? self_ : UnorderedCell::kMany;
  return cell;
}

inline UnorderedCell UnorderedRaces::after_write(UnorderedCell cell, std::optional<RaceConflict>& conflict) const {
  if (cell.reader != 0 && cell.reader != self_ && cell.reader != UnorderedCell::kOwn) [[unlikely]] {
    conflict = with(cell.reader, RaceConflict::Other::kRead);
  } else if (cell.writer != 0 && cell.writer != self_) [[unlikely]] {
    conflict = with(cell.writer, RaceConflict::Other::kWrote);
  }
  cell.writer = self_;
  return cell;
}

template <auto kAfter>
[[gnu::always_inline]] inline bool UnorderedRaces::quick(UnorderedCell& cell) const {
  std::optional<RaceConflict> conflict;
  const UnorderedCell next = (this->*kAfter)(cell, conflict);
  if (conflict) return false;
  cell = next;
  return true;
}

}  // namespace tritonrl::ttir
