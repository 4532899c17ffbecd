#pragma once

#include <cstdint>
#include <vector>

#include "ttir/memory/address_space.h"

namespace tritonrl::ttir {

// Bytes of an access that another program has used, with nothing to order the two.
struct RaceConflict {
  // What the other program did. The later ones weigh more: a write over an unordered read is a race whatever its value.
  enum class Other : std::uint8_t { kWrote, kRead, kUsedAtomically };

  Address begin = 0;
  Address end = 0;
  Other other = Other::kWrote;
  std::uint32_t program = 0;
};

// In ascending order of address within one access.
using RaceConflicts = std::vector<RaceConflict>;

}  // namespace tritonrl::ttir
