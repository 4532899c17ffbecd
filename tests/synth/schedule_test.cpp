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

TEST(Schedule, AnotherDecisionKeepsTheWordingAndAllElse) {
  const std::string plan =
      "<think>Rows are short. Decision: fused, no intermediate tensor goes to memory for pointwise work. "
      "Each program holds 4 complete rows at once and uses 8 warps. Masks next.</think>";
  EXPECT_EQ(replace_decision(plan, {{kFusion, 1}, {kRowWidth, 0}, {kRowCount, 16}, {kRowWarps, 2}}),
            "<think>Rows are short. Decision: fused, no intermediate tensor goes to memory for pointwise work. "
            "Each program holds 16 complete rows at once and uses 2 warps. Masks next.</think>");
  EXPECT_EQ(replace_decision("<think>a softmax at M 4. Fused. Whole rows, ROWS=4, four warps.</think>",
                             {{kFusion, 1}, {kRowWidth, 256}, {kRowCount, 1}, {kRowWarps, 2}}),
            "<think>a softmax at M 4. Fused. Rows in steps, WIDTH=256, ROWS=1, two warps.</think>");
  EXPECT_EQ(replace_decision("prose, 4 warps", {{kFusion, 1}}), std::nullopt);
}

TEST(Schedule, DecidingAboutOtherKernelsIsNotTheSameChoice) {
  const Schedule rows{{kFusion, 1}, {kRowWidth, 0}, {kRowCount, 4}, {kRowWarps, 8}};
  EXPECT_TRUE(same_choices(rows, {{kFusion, 0}, {kRowWidth, 64}, {kRowCount, 1}, {kRowWarps, 1}}));
  EXPECT_FALSE(same_choices(rows, {{kFusion, 1}, {kFlatBlock, 64}, {kFlatWarps, 1}, {kFlatPersistent, 0}}));
  EXPECT_FALSE(same_choices(rows, Schedule()));
}

TEST(Schedule, EveryDecisionOfATaskCanReplaceEveryOther) {
  for (const bool compact : {false, true}) {
    TeacherConfig config;
    config.seed = 11;
    config.samples = 0;
    config.compact = compact;
    config.make_no_faults();
    for (std::uint64_t index = 0; index < 60; ++index) {
      const auto samples = teach(config, index).samples;
      for (const auto& from : samples) {
        const auto plan = analysis::split_response(from.response, "ModelNew").plan.of(from.response);
        for (const auto& to : samples) {
          const auto replaced = replace_decision(plan, to.schedule);
          ASSERT_TRUE(replaced) << plan << schedule_text(to.schedule);
          EXPECT_EQ(read_plan(*replaced), to.schedule) << *replaced;
          EXPECT_EQ(*replaced == plan, from.schedule == to.schedule);
        }
      }
    }
  }
}

TEST(Schedule, CodeCarriesOutWhatAPlanDecides) {
  const Schedule code{{kFusion, 1}, {kRowWidth, 0}, {kRowCount, 4}, {kRowWarps, 8}};
  EXPECT_TRUE(carries_out(code, {{kFusion, 1}, {kRowCount, 4}}));
  EXPECT_FALSE(carries_out(code, {{kFusion, 1}, {kRowCount, 2}}));
  EXPECT_FALSE(carries_out(Schedule(), {{kFusion, 1}}));
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
