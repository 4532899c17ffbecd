#include "ttir/memory/race_clock.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <random>
#include <vector>

namespace tritonrl::ttir {
namespace {

TEST(RaceClock, HoldsATimeForEachProgram) {
  const RaceClock none;
  EXPECT_EQ(none.at(0), 0);
  const RaceClock first = none.with(5, 3);
  const RaceClock second = first.with(4000000000U, 9);
  EXPECT_EQ(none.at(5), 0);
  EXPECT_EQ(first.at(5), 3);
  EXPECT_EQ(first.at(4000000000U), 0);
  EXPECT_EQ(second.at(5), 3);
  EXPECT_EQ(second.at(4000000000U), 9);
}

TEST(RaceClock, JoiningWhatIsHeldAlreadyGivesTheSameTree) {
  RaceClock clock;
  for (std::uint32_t program = 0; program < 1000; ++program) clock = clock.with(program, program + 1);
  const RaceClock older = clock;
  const RaceClock newer = clock.with(500, 5000);
  EXPECT_TRUE(newer.joined(older).same(newer));
  EXPECT_TRUE(older.joined(newer).same(newer));
  EXPECT_TRUE(newer.joined(newer).same(newer));
  EXPECT_TRUE(newer.joined(RaceClock()).same(newer));
}

TEST(RaceClock, AgreesWithAMap) {
  std::mt19937 random(1);
  std::vector<RaceClock> clocks(8);
  std::vector<std::map<std::uint32_t, std::uint32_t>> maps(8);
  for (int i = 0; i < 3000; ++i) {
    const std::size_t a = random() % 8;
    const std::size_t b = random() % 8;
    if (random() % 3 == 0) {
      clocks[a] = clocks[a].joined(clocks[b]);
      for (const auto& [program, time] : maps[b]) maps[a][program] = std::max(maps[a][program], time);
    } else {
      const auto program = static_cast<std::uint32_t>(random() % (random() % 2 == 0 ? 40 : 100000));
      const std::uint32_t time = maps[a][program] + 1;
      clocks[a] = clocks[a].with(program, time);
      maps[a][program] = time;
    }
    for (const auto& [program, time] : maps[a]) ASSERT_EQ(clocks[a].at(program), time);
  }
}

}  // namespace
}  // namespace tritonrl::ttir
