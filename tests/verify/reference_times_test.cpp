#include "verify/reference_times.h"

#include <gtest/gtest.h>

namespace tritonrl::verify {
namespace {

using Runs = std::vector<double>;

constexpr ReferenceCall kShort{.us = 20, .operators = 3};
constexpr Certainty kCertainty{.least = 3, .enough = 8, .standard_error = 0.005};

TEST(ReferenceTimesTest, ThreeProcessesThatAgreeAreEnoughForAShortReference) {
  ReferenceTimes times;
  EXPECT_EQ(times.wanted_beside(1, kShort, kCertainty), 2U);
  times.tell(1, {20.0});
  EXPECT_EQ(times.wanted_beside(1, kShort, kCertainty), 2U);
  times.tell(2, {20.0});
  EXPECT_EQ(times.wanted_beside(1, kShort, kCertainty), 1U);
  EXPECT_EQ(times.wanted_beside(7, kShort, kCertainty), 0U) << "it will be the third";
  times.tell(3, {20.0});
  EXPECT_EQ(times.wanted_beside(1, kShort, kCertainty), 0U);
}

TEST(ReferenceTimesTest, OneProcessIsEnoughForALongReferenceUnlessItIsMadeOfShortOperators) {
  const ReferenceTimes times;
  EXPECT_EQ(times.wanted_beside(1, {.us = 300, .operators = 5}, kCertainty), 0U);
  EXPECT_EQ(times.wanted_beside(1, {.us = 300, .operators = 240}, kCertainty), 2U);
  EXPECT_EQ(times.wanted_beside(1, {.us = 5000, .operators = 240}, kCertainty), 0U);
  EXPECT_EQ(times.wanted_beside(1, {.us = 120, .operators = 1}, kCertainty), 2U);
}

TEST(ReferenceTimesTest, ProcessesThatDisagreeWantOthersButNotForEver) {
  ReferenceTimes times;
  for (std::uint64_t process = 1; process <= 8; ++process) {
    times.tell(process, {process % 2 == 0 ? 19.0 : 21.0});
    const std::size_t wanted = process == 1 ? 2 : (process < 8 ? 1 : 0);
    EXPECT_EQ(times.wanted_beside(1, kShort, kCertainty), wanted) << process;
  }
}

TEST(ReferenceTimesTest, HowManyAreWantedDependsOnHowCertainTheMeanIsToBe) {
  ReferenceTimes times;
  for (std::uint64_t process = 1; process <= 3; ++process) times.tell(process, {process == 1 ? 19.8 : 20.2});
  EXPECT_EQ(times.wanted_beside(1, kShort, kCertainty), 1U);
  EXPECT_EQ(times.wanted_beside(1, kShort, {.least = 3, .enough = 6, .standard_error = 0.01}), 0U);
}

TEST(ReferenceTimesTest, AProcessThatHasNotToldYetMaySettleIt) {
  ReferenceTimes times;
  for (std::uint64_t process = 1; process <= 3; ++process) times.tell(process, {process == 1 ? 19.0 : 21.0});
  EXPECT_EQ(times.wanted_beside(4, kShort, kCertainty), 0U);
  EXPECT_EQ(times.wanted_beside(3, kShort, kCertainty), 1U);
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
