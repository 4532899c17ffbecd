#include "verify/reference_times.h"

#include <gtest/gtest.h>

namespace tritonrl::verify {
namespace {

using Runs = std::vector<double>;

TEST(ReferenceTimesTest, ThreeProcessesThatAgreeAreEnoughForAShortReference) {
  ReferenceTimes times;
  for (std::uint64_t process = 1; process <= 3; ++process) {
    EXPECT_TRUE(times.wants_another(20));
    EXPECT_FALSE(times.wants_another(500));
    times.tell(process, {20.0});
  }
  EXPECT_FALSE(times.wants_another(20));
}

TEST(ReferenceTimesTest, ProcessesThatDisagreeWantOthersButNotForEver) {
  ReferenceTimes times;
  for (std::uint64_t process = 1; process <= 6; ++process) {
    EXPECT_TRUE(times.wants_another(20));
    times.tell(process, {process % 2 == 0 ? 19.0 : 21.0});
  }
  EXPECT_FALSE(times.wants_another(20));
}

TEST(ReferenceTimesTest, AProcessThatTimesAgainReplacesWhatItTold) {
  ReferenceTimes times;
  times.tell(1, {20.0});
  times.tell(2, {30.0});
  times.tell(1, {21.0, 22.0});
  EXPECT_EQ(times.by_process(), (std::vector<Runs>{{21.0, 22.0}, {30.0}}));
}

TEST(ReferenceTimesTest, TheLatestProcessesAreKept) {
  ReferenceTimes times;
  for (std::uint64_t process = 1; process <= 20; ++process) times.tell(process, {static_cast<double>(process)});
  const auto kept = times.by_process();
  EXPECT_EQ(kept.size(), 8U);
  EXPECT_EQ(kept.front(), Runs{13.0});
  EXPECT_EQ(kept.back(), Runs{20.0});
}

}  // namespace
}  // namespace tritonrl::verify
