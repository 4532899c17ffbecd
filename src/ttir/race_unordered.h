#pragma once

#include <cstdint>

#include "ttir/race_conflict.h"
#include "ttir/shadow_memory.h"

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

  const ShadowMemory<UnorderedCell>& shadow() const { return shadow_; }
  // Takes over what other programs did, as the doing of the current one.
  void merge(const UnorderedRaces& other, RaceConflicts& conflicts);

 private:
  ShadowMemory<UnorderedCell> shadow_;
  std::uint32_t self_ = 0;
};

}  // namespace tritonrl::ttir
