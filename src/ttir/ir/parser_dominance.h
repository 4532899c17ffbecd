#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace tritonrl::ttir {

// Which blocks of a region every way from its first block to another one leads through.
class Dominance {
 public:
  Dominance(std::uint32_t blocks, std::span<const std::pair<std::uint32_t, std::uint32_t>> branches);

  // True for a block that nothing reaches.
  bool dominates(std::uint32_t block, std::uint32_t other) const;

 private:
  // A block's place in a walk over the tree of immediate dominators, and how many blocks it dominates; 0: unreached.
  std::vector<std::uint32_t> place_;
  std::vector<std::uint32_t> dominated_;
};

}  // namespace tritonrl::ttir
