#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>

#include "ttir/ir/program.h"

namespace tritonrl::ttir {

class Machine;

// A slot holds the lanes of one value; its number is an index into a frame's table of slots.
using SlotId = std::uint32_t;
inline constexpr SlotId kNoSlot = ~SlotId{0};

enum class WorkKind : std::uint8_t { kNone, kInteger, kFloat, kSpecial, kDot, kConversion, kLoopTrip };

// What one execution of a step adds to the counters: operations of a kind on an element type.
struct Work {
  WorkKind kind = WorkKind::kNone;
  Element element = Element::kI32;
  std::uint64_t operations = 0;
  bool loads = false;          // from memory
  bool follows_load = false;   // a load: its addresses were loaded themselves
  bool stores = false;         // to memory, atomics too
  bool combines = false;       // lanes with each other: a reduction or a scan
  std::uint64_t factors = 0;   // dot: elements of both
  bool exact = false;          // dot: of fp32 without rounding its factors
  std::size_t loop_start = 0;  // loop trip: the first step of the loop's body
};

// One thing that the machine does for all lanes at once. Steps are immutable and shared by every program and thread:
// what changes lies in the machine and its frame.
class Step {
 public:
  Step() = default;
  Step(const Step&) = delete;
  Step& operator=(const Step&) = delete;
  virtual ~Step() = default;

  virtual void run(Machine& machine) const = 0;

  LocationId location = 0;
  Work work;
};

}  // namespace tritonrl::ttir
