#pragma once

#include <cstdint>
#include <vector>

#include "ttir/launch.h"

namespace tritonrl::ttir {

// The programs of a grid, and the order in which they start.
class Schedule {
 public:
  // UnsupportedError for a grid of too many programs.
  Schedule(ProgramId grid, const LaunchOptions& options);

  std::uint64_t size() const { return count_; }
  // Of the grid, counted along x first.
  ProgramId program(std::uint64_t index) const;
  // The one that starts as number `number`.
  ProgramId at(std::uint64_t number) const;

 private:
  ProgramId grid_;
  ProgramOrder order_;
  std::uint64_t count_ = 0;
  std::vector<std::uint32_t> shuffled_;
};

}  // namespace tritonrl::ttir
