#include "rl/level_mix.h"

#include <fmt/format.h>

#include <span>

#include "base/error.h"
#include "base/random.h"

namespace tritonrl::rl {
namespace {

// The tasks in the order of their `round`-th turn.
std::vector<std::size_t> order(const std::vector<std::size_t>& tasks, std::uint64_t seed, std::size_t level,
                               std::uint64_t round) {
  std::vector<std::size_t> shuffled = tasks;
  base::Random random(seed, (static_cast<std::uint64_t>(level) << 48U) | round);
  random.shuffle(std::span(shuffled));
  return shuffled;
}

}  // namespace

LevelMix::LevelMix(const std::vector<int>& levels, const std::vector<double>& shares, std::uint64_t seed)
    : levels_(shares.size()), seed_(seed) {
  double sum = 0;
  for (const double share : shares) sum += share;
  for (std::size_t l = 0; l < shares.size(); ++l) {
    levels_[l].share = shares[l] / sum;
    for (std::size_t task = 0; task < levels.size(); ++task) {
      if (levels[task] == static_cast<int>(l) + 1) levels_[l].tasks.push_back(task);
    }
    if (shares[l] > 0 && levels_[l].tasks.empty()) {
      throw base::InputError({.file = "rl.level_mix"},
                             fmt::format("no task is of level {}, which is to have a share of {}", l + 1, shares[l]),
                             "add tasks of that level, or change the mix");
    }
  }
}

std::vector<std::size_t> LevelMix::draw(std::int64_t step, std::int64_t prompts) const {
  std::vector<std::size_t> tasks;
  std::vector<std::uint64_t> drawn(levels_.size(), 0);
  for (std::int64_t n = 0; n < (step + 1) * prompts; ++n) {
    // The level that lags most behind its share.
    std::size_t level = 0;
    const auto lag = [&](std::size_t l) {
      return levels_[l].share * static_cast<double>(n + 1) - static_cast<double>(drawn[l]);
    };
    for (std::size_t l = 1; l < levels_.size(); ++l) {
      if (lag(l) > lag(level)) level = l;
    }
    const std::uint64_t before = drawn[level]++;
    if (n < step * prompts) continue;
    const std::size_t size = levels_[level].tasks.size();
    tasks.push_back(order(levels_[level].tasks, seed_, level, before / size)[before % size]);
  }
  return tasks;
}

}  // namespace tritonrl::rl
