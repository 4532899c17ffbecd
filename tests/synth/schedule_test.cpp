#include "synth/schedule.h"

#include <gtest/gtest.h>

#include "analysis/response.h"
#include "synth/families.h"
#include "synth/solution.h"
#include "synth/teacher.h"

namespace tritonrl::synth {
namespace {

using enum Choice;

TEST(Schedule, IsReadBackFromPlanAndCodeOfThousandsOfSamples) {
  TeacherConfig config;
  config.seed = 5;
  config.make_no_faults();
  for (std::uint64_t index = 0; index < 1000; ++index) {
    for (const auto& sample : teach(config, index).samples) {
      const auto response = analysis::split_response(sample.response, "ModelNew");
      ASSERT_TRUE(response.code) << sample.response;
      EXPECT_EQ(schedule_text(read_plan(response.plan.of(sample.response))), schedule_text(sample.schedule))
          << sample.response;
      EXPECT_EQ(schedule_text(read_code(response.code->of(sample.response))), schedule_text(sample.schedule))
          << sample.response;
    }
  }
}

TEST(Schedule, IsReadBackFromCompactPlansOfEveryFamily) {
  for (const Family& family : families()) {
    base::Random random(7, 3);
    const Problem problem = family.draw(random);
    for (const Schedule& schedule : problem.schedules()) {
      const std::string plan = write_brief_plan(problem, schedule);
      EXPECT_EQ(schedule_text(read_plan(plan)), schedule_text(schedule)) << plan;
    }
  }
}

TEST(Schedule, EveryScheduleOfAProblemIsDifferentAndReadsBack) {
  for (const Family& family : families()) {
    base::Random random(7, 3);
    const Problem problem = family.draw(random);
    const auto schedules = problem.schedules();
    EXPECT_GE(schedules.size(), 3U) << family.name;
    for (const Schedule& schedule : schedules) {
      EXPECT_EQ(std::ranges::count(schedules, schedule), 1) << family.name;
      EXPECT_EQ(schedule_text(read_plan(write_plan(problem, schedule, random))), schedule_text(schedule))
          << family.name;
      EXPECT_EQ(schedule_text(read_code(restyled(write_code(problem, schedule), random))), schedule_text(schedule))
          << family.name;
    }
  }
}

TEST(Schedule, TheSamePlanAlwaysMeansTheSame) {
  const std::string plan =
      "Think. I fuse all pointwise work into the kernel that produces or consumes it. "
      "Row kernels: the whole row sits in registers, 4 rows a program, 8 warps.";
  const Schedule expected{{kFusion, 1}, {kRowWidth, 0}, {kRowCount, 4}, {kRowWarps, 8}};
  EXPECT_EQ(read_plan(plan), expected);
  EXPECT_EQ(read_plan("prose without a decision, 4 warps"), Schedule());
  EXPECT_EQ(read_code("x = 1\n"), Schedule());
  EXPECT_EQ(read_code("kernel[(4,)](x, y, BLOCK="), read_code("kernel[(4,)](x, y, BLOCK="));
}

TEST(Schedule, ACodeThatDoesOtherThanThePlanIsSeen) {
  TeacherConfig config;
  config.make_no_faults();
  config.families = {"elementwise"};
  const auto sample = teach(config, 0).samples.front();
  std::string code = sample.response;
  const std::size_t at = code.find("num_warps=");
  code.replace(at, 11, "num_warps=2");
  EXPECT_NE(read_code(code), sample.schedule);
}

}  // namespace
}  // namespace tritonrl::synth
