#include "rl/level_mix.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "base/error.h"

namespace tritonrl::rl {
namespace {

std::vector<int> levels(int of_level_1, int of_level_2) {
  std::vector<int> all(static_cast<std::size_t>(of_level_1), 1);
  all.resize(static_cast<std::size_t>(of_level_1 + of_level_2), 2);
  return all;
}

TEST(LevelMix, KeepsToTheSharesExactly) {
  const LevelMix mix(levels(10, 10), {0.75, 0.25}, 1);
  for (std::int64_t step = 0; step < 5; ++step) {
    std::map<bool, int> second;
    for (const std::size_t task : mix.draw(step, 8)) ++second[task >= 10];
    EXPECT_EQ(second[true], 2);
  }
}

TEST(LevelMix, AsksEveryTaskOnceBeforeAnyComesAgain) {
  const LevelMix mix(levels(12, 3), {1, 0}, 7);
  std::set<std::size_t> seen;
  for (std::int64_t step = 0; step < 3; ++step) {
    for (const std::size_t task : mix.draw(step, 4)) seen.insert(task);
  }
  EXPECT_EQ(seen.size(), 12U);
  EXPECT_EQ(*seen.rbegin(), 11U);
  EXPECT_NE(mix.draw(0, 12), mix.draw(1, 12));
}

TEST(LevelMix, DependsOnSeedAndStepOnly) {
  const LevelMix mix(levels(100, 100), {0.5, 0.5}, 3);
  const auto later = mix.draw(9, 16);
  EXPECT_EQ(LevelMix(levels(100, 100), {0.5, 0.5}, 3).draw(9, 16), later);
  EXPECT_NE(LevelMix(levels(100, 100), {0.5, 0.5}, 4).draw(9, 16), later);
}

TEST(LevelMix, RefusesAShareOfALevelWithoutTasks) {
  EXPECT_THROW(LevelMix(levels(5, 0), {0.5, 0.5}, 1), base::InputError);
}

}  // namespace
}  // namespace tritonrl::rl
