#include "verify/timing.h"

#include <gtest/gtest.h>

#include <set>

namespace tritonrl::verify {
namespace {

TEST(TimingTest, MedianIsTheMiddleOfOddAndTheMeanOfEvenCounts) {
  EXPECT_EQ(median({3, 1, 2}), 2);
  EXPECT_EQ(median({4, 1, 3, 2}), 2.5);
  EXPECT_EQ(median({7}), 7);
}

TEST(TimingTest, WhatRunsOnAfterTheCallCountsAndAnIdleDeviceDoesNot) {
  EXPECT_EQ(call_us({.call_us = 50, .tail_us = 5}), 50);
  EXPECT_EQ(call_us({.call_us = 50, .tail_us = 120}), 150);
}

TEST(TimingTest, EveryEvenRunMayBeTheUnforeseenOneAndNoOther) {
  base::Random random(3);
  for (const TimingPlan plan : {TimingPlan{}, TimingPlan::for_reference(1e6)}) {
    std::set<int> drawn;
    for (int n = 0; n < 1000; ++n) drawn.insert(plan.even_run(random));
    std::set<int> even;
    for (int n = plan.warm_ups; n < plan.warm_ups + plan.runs; ++n) {
      if (n % 2 == 0) even.insert(n);
    }
    EXPECT_EQ(drawn, even);
  }
}

TEST(TimingTest, SpeedupIsTheRatioOfMediansInsideItsInterval) {
  base::Random random(1);
  Timings timings{.reference_us = {{}}, .candidate_us = {{}}};
  for (int n = 0; n < 30; ++n) {
    timings.reference_us.front().push_back(100 + random.uniform());
    timings.candidate_us.front().push_back(50 + random.uniform());
  }
  const Speedup speedup = measured_speedup(timings, random);
  EXPECT_FALSE(speedup.modelled);
  EXPECT_NEAR(speedup.value, 2, 0.05);
  EXPECT_LE(speedup.low, speedup.value);
  EXPECT_GE(speedup.high, speedup.value);
  EXPECT_LT(speedup.high - speedup.low, 0.1);
}

TEST(TimingTest, OneOutlierMovesNothing) {
  base::Random random(1);
  Timings timings{.reference_us = {std::vector<double>(30, 100.0)}, .candidate_us = {std::vector<double>(30, 50.0)}};
  timings.candidate_us.front()[7] = 5000;
  const Speedup speedup = measured_speedup(timings, random);
  EXPECT_EQ(speedup.value, 2);
  EXPECT_EQ(speedup.low, 2);
  EXPECT_EQ(speedup.high, 2);
}

TEST(TimingTest, BothSidesTakeTheMeanOfWhatTheirProcessesTake) {
  base::Random random(1);
  const Timings timings{.reference_us = {{90, 100, 500}, {110}}, .candidate_us = {{40}, {9, 50, 60}, {60}}};
  const Speedup speedup = measured_speedup(timings, random);
  EXPECT_EQ(speedup.reference_us, 105);
  EXPECT_EQ(speedup.candidate_us, 50);
  EXPECT_EQ(speedup.value, 2.1);
}

TEST(TimingTest, SlowerOnUnseenInputsIsWhoTakesLongerOnAllOfThem) {
  const std::vector<double> seen_us = {100, 101, 99, 250, 100};  // one was slow by chance
  EXPECT_TRUE(slower_on_unseen({180, 112}, seen_us));
  EXPECT_FALSE(slower_on_unseen({180, 109}, seen_us));
  EXPECT_FALSE(slower_on_unseen({100}, seen_us));
  EXPECT_FALSE(slower_on_unseen({5.9}, {4, 4, 4}));  // no memory of answers gains so little
  EXPECT_TRUE(slower_on_unseen({6.1}, {4, 4, 4}));
}

TEST(TimingTest, ProcessesThatDifferWidenTheInterval) {
  base::Random random(1);
  const auto runs = [](double us) { return std::vector<double>(30, us); };
  const Timings alike{.reference_us = {3, runs(100)}, .candidate_us = {2, runs(50)}};
  EXPECT_EQ(measured_speedup(alike, random).low, 2);
  EXPECT_EQ(measured_speedup(alike, random).high, 2);
  const Timings references_apart{.reference_us = {runs(95), runs(105), runs(100)}, .candidate_us = {2, runs(50)}};
  const Timings candidates_apart{.reference_us = {3, runs(100)}, .candidate_us = {runs(48), runs(52)}};
  for (const Timings& apart : {references_apart, candidates_apart}) {
    const Speedup speedup = measured_speedup(apart, random);
    EXPECT_EQ(speedup.value, 2);
    EXPECT_LT(speedup.low, 1.95);
    EXPECT_GT(speedup.high, 2.05);
  }
}

TEST(TimingTest, ProcessesShowInCallsThatAreShortOrMadeOfShortSteps) {
  EXPECT_TRUE(processes_differ(20, 1));
  EXPECT_TRUE(processes_differ(300, 120));
  EXPECT_FALSE(processes_differ(300, 5));
  EXPECT_FALSE(processes_differ(5000, 120));
}

TEST(TimingTest, AMeanOverProcessesIsCertainWhenTheyAgreeOrThereAreEnough) {
  constexpr Certainty kCertainty{.least = 2, .enough = 4, .standard_error = 0.01};
  EXPECT_FALSE(kCertainty.reached({}));
  EXPECT_FALSE(kCertainty.reached({20}));
  EXPECT_TRUE(kCertainty.reached({20, 20.2}));
  EXPECT_FALSE(kCertainty.reached({20, 21}));
  EXPECT_FALSE(kCertainty.reached({20, 21, 20}));
  EXPECT_TRUE(kCertainty.reached({20, 21, 20, 30}));
}

TEST(TimingTest, RunsAreSettledUnlessAQuarterOrMoreLieElsewhere) {
  std::vector<double> runs(20, 100.0);
  EXPECT_TRUE(settled(runs));
  std::fill_n(runs.begin() + 3, 4, 500.0);  // a fifth
  EXPECT_TRUE(settled(runs));
  std::fill_n(runs.begin(), 10, 124.0);
  EXPECT_FALSE(settled(runs));
  for (std::size_t n = 0; n < runs.size(); ++n) runs[n] = 4 + 0.01 * static_cast<double>(n);
  EXPECT_TRUE(settled(runs));
  EXPECT_TRUE(settled({7}));
}

TEST(TimingTest, CallersTakeTurnsAndWarmUpsDoNotCount) {
  std::vector<int> order;
  const auto caller = [&](int number) -> TimedCall {
    return [&order, number](int run) {
      order.push_back(number);
      return 10.0 * number + run;
    };
  };
  const auto runs_us = time_by_turns({caller(1), caller(2)}, {.warm_ups = 1, .runs = 2});
  ASSERT_TRUE(runs_us);
  EXPECT_EQ(*runs_us, (std::vector<std::vector<double>>{{11, 12}, {21, 22}}));
  EXPECT_EQ(order, (std::vector<int>{1, 2, 1, 2, 1, 2}));
}

TEST(TimingTest, ACallThatFailsEndsAllTurns) {
  int calls = 0;
  const TimedCall fine = [&](int) { return ++calls; };
  const TimedCall fails_later = [](int run) { return run < 2 ? std::optional(1.0) : std::nullopt; };
  EXPECT_FALSE(time_by_turns({fine, fails_later}, {.warm_ups = 1, .runs = 9}));
  EXPECT_EQ(calls, 3);
}

TEST(TimingTest, OnlyTheReferenceDecidesHowOftenIsTimed) {
  EXPECT_EQ(TimingPlan::for_reference(100).runs, 20);
  EXPECT_EQ(TimingPlan::for_reference(50e3).runs, 10);
}

}  // namespace
}  // namespace tritonrl::verify
