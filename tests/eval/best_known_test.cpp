#include "eval/best_known.h"

#include <gtest/gtest.h>

namespace tritonrl::eval {
namespace {

JudgedSample sample(const std::string& task, bool correct, double speedup) {
  return {.task = task, .level = 1, .valid = true, .compiled = true, .correct = correct, .speedup = speedup};
}

TEST(BestKnown, IsTheFastestCorrectSampleOfAScheduleOrAModel) {
  const auto schedules = by_task(std::vector{sample("a", true, 1.5), sample("a", true, 2), sample("b", true, 1)});
  const auto model = by_task(std::vector{sample("a", false, 9), sample("b", true, 3)});
  EXPECT_EQ(best_known_speedups(schedules, {&model}), (std::map<std::string, double>{{"a", 2.0}, {"b", 3.0}}));
}

TEST(BestKnown, LeavesOutTasksWithoutAScheduleThatIsRight) {
  const auto schedules = by_task(std::vector{sample("a", true, 1), sample("b", false, 2)});
  const auto model = by_task(std::vector{sample("b", true, 3), sample("c", true, 0.5)});
  EXPECT_EQ(best_known_speedups(schedules, {&model}), (std::map<std::string, double>{{"a", 1.0}}));
}

}  // namespace
}  // namespace tritonrl::eval
