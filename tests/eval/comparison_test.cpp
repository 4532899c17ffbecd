#include "eval/comparison.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace tritonrl::eval {
namespace {

JudgedSample sample(const std::string& task, bool correct, double speedup = 1) {
  return {
      .task = task, .level = 1, .valid = true, .compiled = true, .correct = correct, .speedup = correct ? speedup : 0};
}

// Task i is solved in `right` of 4 samples.
void add_task(std::vector<JudgedSample>& samples, int task, int right, double speedup = 1) {
  for (int n = 0; n < 4; ++n) samples.push_back(sample("t" + std::to_string(task), n < right, speedup));
}

const Difference& find(const std::vector<std::pair<std::string, Difference>>& all, const std::string& name) {
  return std::ranges::find(all, name, &std::pair<std::string, Difference>::first)->second;
}

TEST(Comparison, IsPairedByTask) {
  std::vector<JudgedSample> before;
  std::vector<JudgedSample> after;
  for (int task = 0; task < 40; ++task) {
    add_task(before, task, task % 4);
    add_task(after, task, task % 4 + 1);
  }
  add_task(after, 999, 0);  // was not asked before: does not count
  const auto all = compare(by_task(before), by_task(after), {.ks = {1}});
  const Difference& correct = find(all, "correct@1");
  EXPECT_DOUBLE_EQ(correct.first, 0.375);
  EXPECT_DOUBLE_EQ(correct.gain.value, 0.25);
  // Every task gained the same: nothing is left to chance.
  EXPECT_DOUBLE_EQ(correct.gain.low, 0.25);
  EXPECT_TRUE(correct.gain.above_zero());
}

TEST(Comparison, OfSpeedCountsOnlyTasksThatBothSolve) {
  std::vector<JudgedSample> before;
  std::vector<JudgedSample> after;
  add_task(before, 1, 4, 1.0);
  add_task(after, 1, 2, 2.0);
  add_task(before, 2, 0);
  add_task(after, 2, 4, 0.1);
  const auto all = compare(by_task(before), by_task(after), {.ks = {1}, .best_known = {{"t1", 2.0}, {"t2", 1.0}}});
  EXPECT_DOUBLE_EQ(find(all, "share_of_best").first, 0.5);
  EXPECT_DOUBLE_EQ(find(all, "share_of_best").second, 1.0);
  EXPECT_NEAR(find(all, "geometric_speedup").gain.value, std::log(2.0), 1e-12);
}

TEST(Comparison, OfSpeedCountsEachTaskOnce) {
  std::vector<JudgedSample> before;
  std::vector<JudgedSample> after;
  add_task(before, 1, 1, 2.0);
  add_task(after, 1, 4, 2.0);
  add_task(before, 2, 4, 1.0);
  add_task(after, 2, 1, 1.0);
  const auto all = compare(by_task(before), by_task(after), {.ks = {1}, .best_known = {{"t1", 2.0}, {"t2", 2.0}}});
  const Difference& share = find(all, "share_of_best");
  EXPECT_EQ(share.tasks, 2);
  EXPECT_DOUBLE_EQ(share.first, 0.75);
  EXPECT_DOUBLE_EQ(share.gain.value, 0) << "right more often where kernels are fast is not faster";
  EXPECT_DOUBLE_EQ(find(all, "geometric_speedup").gain.value, 0);
}

}  // namespace
}  // namespace tritonrl::eval
