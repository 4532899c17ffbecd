#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tritonrl::rl {

// Which tasks a step asks about: levels by their shares, and within a level every task once before any comes again, in
// an order that the seed decides. What step n draws depends on nothing but (seed, n): there is no state to save.
class LevelMix {
 public:
  // `levels[i]` is the level of task i; `shares[l]` that of level l + 1, of any sum. InputError where a level with a
  // share has no task.
  LevelMix(const std::vector<int>& levels, const std::vector<double>& shares, std::uint64_t seed);

  // The tasks of step `step`, counted from 0, of `prompts` each.
  std::vector<std::size_t> draw(std::int64_t step, std::int64_t prompts) const;

 private:
  struct Level {
    double share = 0;
    std::vector<std::size_t> tasks = {};
  };

  std::vector<Level> levels_;
  std::uint64_t seed_;
};

}  // namespace tritonrl::rl
