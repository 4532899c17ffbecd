#include "eval/scores.h"

#include <gtest/gtest.h>

#include <cmath>

#include "base/error.h"

namespace tritonrl::eval {
namespace {

JudgedSample right(const std::string& task, double speedup, int level = 1) {
  return {.task = task,
          .level = level,
          .valid = true,
          .compiled = true,
          .correct = true,
          .correct_unchecked = true,
          .general = true,
          .speedup = speedup};
}

JudgedSample wrong(const std::string& task, const std::string& reason, int level = 1) {
  return {.task = task, .level = level, .valid = true, .compiled = true, .reason = reason};
}

JudgedSample cheat(const std::string& task) {
  return {.task = task, .level = 1, .compiled = true, .correct_unchecked = true, .reason = "torch-compute"};
}

double value(const Scores& scores, const std::string& name) {
  const Interval* found = scores.find(name);
  EXPECT_NE(found, nullptr) << name;
  return found == nullptr ? NAN : found->value;
}

const std::vector<JudgedSample> kSamples = {right("a", 2.0), wrong("a", "wrong-result"), cheat("b"),
                                            cheat("b"),      right("c", 0.5, 2),         right("c", 1.5, 2)};

TEST(Scores, AreMeansOverTasks) {
  const Scores scores = score(by_task(kSamples), {.ks = {1, 2, 5}});
  EXPECT_DOUBLE_EQ(value(scores, "correct@1"), 0.5);
  EXPECT_DOUBLE_EQ(value(scores, "correct@2"), 2.0 / 3);
  EXPECT_DOUBLE_EQ(value(scores, "valid@1"), 2.0 / 3);
  EXPECT_DOUBLE_EQ(value(scores, "unchecked@1"), (0.5 + 1 + 1) / 3);
  EXPECT_DOUBLE_EQ(value(scores, "fast_1@1"), (0.5 + 0.5) / 3);
  EXPECT_DOUBLE_EQ(value(scores, "fast_1@2"), 2.0 / 3);
  EXPECT_EQ(scores.find("correct@5"), nullptr) << "two samples say nothing about five";
}

TEST(Scores, CountFailuresAsNoSpeed) {
  const Scores scores = score(by_task(kSamples), {.ks = {1, 2}});
  EXPECT_DOUBLE_EQ(value(scores, "mean_speedup@1"), (1.0 + 0 + 1.0) / 3);
  EXPECT_DOUBLE_EQ(value(scores, "mean_speedup@2"), (2.0 + 0 + 1.5) / 3);
  EXPECT_NEAR(value(scores, "geometric_speedup"), std::cbrt(2.0 * 0.5 * 1.5), 1e-12);
}

TEST(Scores, AreThereForEachLevel) {
  const auto levels = score_by_level(by_task(kSamples), {.ks = {1}});
  ASSERT_EQ(levels.size(), 3U);
  EXPECT_EQ(levels[2].first, "level 2");
  EXPECT_DOUBLE_EQ(value(levels[2].second, "correct@1"), 1);
  EXPECT_EQ(levels[1].second.failures,
            (std::map<std::string, std::int64_t>{{"torch-compute", 2}, {"wrong-result", 1}}));
}

TEST(Scores, CountATaskInEachOfItsSlices) {
  const auto slices =
      score_by_slice(by_task(kSamples), {{"a", {"unseen-size"}}, {"c", {"longer", "unseen-size"}}}, {.ks = {1}});
  ASSERT_EQ(slices.size(), 2U);
  EXPECT_EQ(slices[0].first, "longer");
  EXPECT_EQ(slices[0].second.tasks, 1);
  EXPECT_EQ(slices[1].second.tasks, 2);
  EXPECT_TRUE(score_by_slice(by_task(kSamples), {}, {}).empty());
}

TEST(Scores, KnowTheShareOfTheBestSchedule) {
  const Scores scores = score(by_task(kSamples), {.ks = {1}, .best_known = {{"a", 4.0}, {"c", 1.0}}});
  EXPECT_DOUBLE_EQ(value(scores, "share_of_best"), (0.5 + (0.5 + 1) / 2) / 2)
      << "what is faster than the best known is the best";
}

TEST(Scores, OfNothingAreNone) {
  EXPECT_TRUE(score({}, {}).figures.empty());
  const Scores scores = score(by_task(std::vector<JudgedSample>{cheat("b")}), {});
  EXPECT_TRUE(std::isnan(value(scores, "geometric_speedup")));
  EXPECT_TRUE(scores.json().at("figures").at("geometric_speedup").at("value").is_null());
}

TEST(JudgedSample, ReadsAVerdictOfAVerifierThatWentOn) {
  const base::Json verdict = {
      {"task", "level1/1"},         {"sample", 4},     {"accepted", false},  {"valid", false},
      {"compiled", true},           {"correct", true}, {"general", nullptr}, {"reason", "torch-compute"},
      {"speedup", {{"value", 5.0}}}};
  const JudgedSample sample = judged_sample(verdict, 1, {});
  EXPECT_FALSE(sample.correct);
  EXPECT_TRUE(sample.correct_unchecked);
  EXPECT_EQ(sample.speedup, 0);
  EXPECT_EQ(sample.sample, 4);
  EXPECT_THROW(judged_sample({{"error", "no memory"}}, 1, {}), base::InputError);
}

}  // namespace
}  // namespace tritonrl::eval
