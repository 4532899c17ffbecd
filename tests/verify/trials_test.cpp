#include "verify/trials.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace tritonrl::verify {
namespace {

task::Task task_of(std::vector<task::Dimension> dims, std::vector<task::Variant> variants = {}) {
  task::Task task;
  task.dims = std::move(dims);
  task.variants = std::move(variants);
  return task;
}

TEST(Trials, BothDepthsReplaceKernelsByNothingOnce) {
  for (const Depth depth : {Depth::kFull, Depth::kTrain}) {
    const auto plan = plan_trials(task_of({{"N", 64}}), depth, 1);
    EXPECT_EQ(std::ranges::count_if(plan.trials, &Trial::ghost), 1);
  }
}

TEST(Trials, NewBytesComeAtPointersThatWereUsedBefore) {
  const auto plan = plan_trials(task_of({{"N", 64}}), Depth::kTrain, 1);
  EXPECT_TRUE(plan.trials[0].fresh_memory);
  EXPECT_FALSE(plan.trials[1].fresh_memory);
}

TEST(Trials, FullTriesEveryDistributionAndSizesNobodyListed) {
  const auto plan = plan_trials(task_of({{"N", 64}, {"M", 100}}), Depth::kFull, 1);
  for (const std::string_view name : {"as-given", "normal", "sign-varied", "heavy-tailed", "clustered", "large", "tiny",
                                      "constant-rows", "far-up", "far-up-others"}) {
    EXPECT_TRUE(std::ranges::any_of(plan.trials, [&](const Trial& trial) { return trial.distribution == name; }))
        << name;
  }
  EXPECT_GE(std::ranges::count_if(plan.sizes, [](const Sizes& sizes) { return !sizes.listed; }), kEnoughUnlisted);
}

TEST(Trials, SizesNobodyListedAreLargerThenSmallerOddAndDependOnTheSeed) {
  const auto task = task_of({{"N", 64}, {"M", 1000}});
  const auto plan = plan_trials(task, Depth::kFull, 1);
  const auto& larger = plan.sizes[1].variant;
  const auto& smaller = plan.sizes[2].variant;
  for (std::size_t n = 0; n < task.dims.size(); ++n) {
    EXPECT_GT(larger[n].value, task.dims[n].value);
    EXPECT_LT(smaller[n].value, task.dims[n].value);
    EXPECT_EQ(larger[n].value % 2, 1);
    EXPECT_EQ(smaller[n].value % 2, 1);
  }
  EXPECT_EQ(larger, plan_trials(task, Depth::kFull, 1).sizes[1].variant);
  EXPECT_NE(larger, plan_trials(task, Depth::kFull, 2).sizes[1].variant);
}

TEST(Trials, ATaskOfFixedShapeIsTriedAtItsOwnSizesOnly) {
  const auto plan = plan_trials(task_of({}), Depth::kFull, 1);
  EXPECT_EQ(plan.sizes.size(), 1U);
}

TEST(Trials, ListedVariantsAreTried) {
  const auto task = task_of({{"N", 64}}, {{{"N", 33}}, {{"N", 1}}});
  const auto plan = plan_trials(task, Depth::kFull, 1);
  EXPECT_EQ(std::ranges::count_if(plan.sizes, &Sizes::listed), 3);
  EXPECT_EQ(plan_trials(task, Depth::kTrain, 1).sizes.size(), 2U);
}

TEST(Trials, TrainTriesTheVariantThatBlocksDivideLeast) {
  const auto task =
      task_of({{"N", 64}, {"M", 64}}, {{{"N", 16}, {"M", 32}}, {{"N", 33}, {"M", 65}}, {{"N", 16}, {"M", 7}}});
  for (std::uint64_t seed = 0; seed < 8; ++seed) {
    EXPECT_EQ(plan_trials(task, Depth::kTrain, seed).sizes[1].variant, task.variants[1]) << seed;
  }
}

TEST(Trials, TrainTriesSmallAndLargeNumbersAtItsSmallestSizes) {
  const auto plan = plan_trials(task_of({{"N", 64}}, {{{"N", 33}}}), Depth::kTrain, 1);
  for (const std::string_view name : {"tiny", "large"}) {
    EXPECT_TRUE(std::ranges::any_of(plan.trials, [&](const Trial& trial) {
      return trial.distribution == name && trial.sizes == 1;
    })) << name;
  }
  const auto without_variants = plan_trials(task_of({{"N", 64}}), Depth::kTrain, 1);
  EXPECT_EQ(without_variants.trials.back().sizes, 0U);
}

TEST(Trials, AGpuRunsTheTasksSizesAndStandInsBesidesForASecondOpinion) {
  const auto task = task_of({{"N", 4096}});
  const auto plan = plan_trials(task, Depth::kFull, 1, {{{"N", 128}}}, true);
  EXPECT_TRUE(plan.sizes[0].variant.empty());
  const auto replayed = std::ranges::find_if(plan.trials, &Trial::replayed);
  ASSERT_NE(replayed, plan.trials.end());
  const Sizes& small = plan.sizes[replayed->sizes];
  EXPECT_EQ(small.variant, (task::Variant{{"N", 128}}));
  EXPECT_FALSE(small.listed);
}

TEST(Trials, ASmallTaskGetsItsSecondOpinionAtItsOwnSizes) {
  const auto plan = plan_trials(task_of({{"N", 64}}), Depth::kFull, 1, {}, true);
  const auto replayed = std::ranges::find_if(plan.trials, &Trial::replayed);
  ASSERT_NE(replayed, plan.trials.end());
  EXPECT_EQ(replayed->sizes, 0U);
}

TEST(Trials, RunStandInsInPlaceOfTheTasksSizes) {
  auto task = task_of({{"N", 4096}, {"M", 4096}});
  task.variants = {{{"N", 33}, {"M", 65}}, {{"N", 8191}}};
  const std::vector<task::Variant> stand_ins = {
      {{"N", 128}, {"M", 128}}, {{"N", 256}, {"M", 128}}, {{"N", 256}, {"M", 256}}};
  const auto plan = plan_trials(task, Depth::kFull, 1, stand_ins);
  for (std::size_t n = 0; n < stand_ins.size(); ++n) EXPECT_EQ(plan.sizes[n].variant, stand_ins[n]);
  EXPECT_EQ(plan.sizes[3].variant, task.variants[0]);
  for (std::size_t n = 4; n < plan.sizes.size(); ++n) {
    EXPECT_FALSE(plan.sizes[n].listed);
    for (const auto& dimension : plan.sizes[n].variant) EXPECT_LE(dimension.value, 256);
  }
  const auto counted = std::ranges::count_if(plan.trials, &Trial::counted);
  EXPECT_EQ(counted, 2);
}

}  // namespace
}  // namespace tritonrl::verify
