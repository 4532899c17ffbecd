#include "eval/best_known.h"

#include <gtest/gtest.h>

namespace tritonrl::eval {
namespace {

JudgedSample sample(const std::string& task, bool correct, double speedup) {
  return {.task = task, .level = 1, .valid = true, .compiled = true, .correct = correct, .speedup = speedup};
}

TEST(BestKnown, IsTheFastestCorrectSampleOfAnyModel) {
  const auto schedules = by_task(std::vector{sample("a", true, 1.5), sample("a", true, 2), sample("b", true, 1)});
  const auto model = by_task(std::vector{sample("b", true, 3), sample("c", false, 9), sample("d", true, 0.5)});
  EXPECT_EQ(best_known_speedups({&schedules, &model}),
            (std::map<std::string, double>{{"a", 2.0}, {"b", 3.0}, {"d", 0.5}}));
}

}  // namespace
}  // namespace tritonrl::eval
