#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "ttir/finding.h"
#include "ttir/machine/code.h"
#include "ttir/memory/address_space.h"
#include "ttir/memory/memory_view.h"

namespace tritonrl::ttir {

enum class ProgramOrder : std::uint8_t { kInOrder, kReversed, kShuffled };

// A grid of more programs runs in no order but its own.
inline constexpr std::uint64_t kMostShuffled = std::uint64_t{1} << 26U;

struct LaunchOptions {
  bool sanitize = true;
  unsigned threads = 1;
  ProgramOrder order = ProgramOrder::kInOrder;
  std::uint64_t seed = 0;
  std::uint64_t step_budget = std::uint64_t{1} << 38U;  // operations on lanes, over all programs
  std::uint64_t resident = std::uint64_t{1} << 14U;     // programs on the device at once; by default, more than fit
};

// One argument, for the parameter at the same place.
struct Argument {
  std::int64_t integer = 0;               // integers, addresses
  double real = 0;                        // floats
  ArgumentExtent extent;                  // pointers and descriptors: the tensor behind them
  std::array<std::int64_t, 5> shape{};    // descriptors
  std::array<std::int64_t, 5> strides{};  // descriptors, in elements
  std::int32_t rank = 0;
  bool nan_padding = false;
};

// What one launch did, added up over its programs.
struct LaunchCounters {
  std::uint64_t programs = 0;
  std::vector<TrafficCounters> traffic;   // by site of the code
  std::vector<std::uint64_t> executions;  // by step of the code's body
  MemoryView::UniqueBytes unique_bytes;
};

struct LaunchReport {
  std::vector<Finding> findings;
  std::vector<std::string> printed;
  LaunchCounters counters;
};

// Runs every program of the grid. The result, findings and counters included, does not depend on `threads`: programs
// run side by side only when no store can be seen by another; where that turns out wrong, memory is put back and they
// run one after the other. Programs that wait for each other take turns at atomics, `resident` of them at a time:
// others begin when one of these ends.
LaunchReport launch(const Code& code, AddressSpace& space, ProgramId grid, std::span<const Argument> arguments,
                    const LaunchOptions& options);

}  // namespace tritonrl::ttir
