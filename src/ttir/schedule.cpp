#include "ttir/schedule.h"

#include <span>
#include <string>

#include <fmt/format.h>

#include "base/random.h"
#include "ttir/unsupported.h"

namespace tritonrl::ttir {
namespace {

constexpr std::uint64_t kMaxPrograms = (std::uint64_t{1} << 31U) - 2;

}  // namespace

Schedule::Schedule(ProgramId grid, const LaunchOptions& options) : grid_(grid), order_(options.order) {
  if (std::uint64_t{grid[1]} * grid[2] != 0 && grid[0] > kMaxPrograms / grid[1] / grid[2])
    throw UnsupportedError(fmt::format("a grid of {} x {} x {} programs", grid[0], grid[1], grid[2]));
  count_ = std::uint64_t{grid[0]} * grid[1] * grid[2];
  if (order_ != ProgramOrder::kShuffled) return;
  if (count_ > kMostShuffled) throw UnsupportedError("a shuffled grid of " + std::to_string(count_) + " programs");
  shuffled_.resize(count_);
  for (std::uint64_t i = 0; i < count_; ++i) shuffled_[i] = static_cast<std::uint32_t>(i);
  base::Random(options.seed).shuffle(std::span(shuffled_));
}

ProgramId Schedule::program(std::uint64_t index) const {
  return {static_cast<std::uint32_t>(index % grid_[0]), static_cast<std::uint32_t>(index / grid_[0] % grid_[1]),
          static_cast<std::uint32_t>(index / grid_[0] / grid_[1])};
}

ProgramId Schedule::at(std::uint64_t number) const {
  if (order_ == ProgramOrder::kReversed) return program(count_ - 1 - number);
  return program(order_ == ProgramOrder::kShuffled ? shuffled_[number] : number);
}

}  // namespace tritonrl::ttir
