#include "eval/arm.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "base/error.h"
#include "base/file.h"
#include "eval/arm_section.h"
#include "eval/report.h"
#include "tests/base/temporary_folder.h"

namespace tritonrl::eval {
namespace {

namespace fs = std::filesystem;
using base::Json;
using testing::HasSubstr;
using testing::Not;

// Of 40 tasks the first are solved, the next give right results that are refused, the others fail.
struct Outcome {
  int solved = 0;
  int cheated = 0;
  double speedup = 1;
  int first_task = 0;
};

class Arms : public testing::Test {
 protected:
  fs::path evaluation(const std::string& name, const Outcome& outcome, const std::string& against = "") {
    std::string rows;
    for (int task = 0; task < 40; ++task) {
      const bool solved = task < outcome.solved;
      const bool cheated = !solved && task < outcome.solved + outcome.cheated;
      Json row = {{"task", "t" + std::to_string(outcome.first_task + task)}, {"sample", 0}, {"level", 1}};
      row.update({{"accepted", solved}, {"valid", !cheated}, {"compiled", true}, {"correct", solved || cheated}});
      if (solved || cheated) row["speedup"] = {{"value", outcome.speedup}};
      rows += base::json_line(row) + "\n";
    }
    const fs::path path = folder(name);
    base::write_file_atomically(path / "verdicts.jsonl", rows);
    Json report = {{"suite", "test.jsonl"}};
    if (!against.empty()) report["compared_with"] = folder(against).string();
    base::write_file_atomically(path / "eval.json", report.dump());
    return path;
  }

  fs::path folder(const std::string& name) const {
    fs::create_directories(folder_.path() / name);
    return folder_.path() / name;
  }

  // Two arms over three seeds and one.
  std::vector<Arm> experiment() {
    ArmConfig better{.name = "better<1>"};
    for (int seed = 0; seed < 3; ++seed) {
      const std::string number = std::to_string(seed);
      evaluation("sft-" + number, {.solved = 10, .cheated = 4, .first_task = 100 * seed});
      better.seeds.push_back(
          {evaluation("rl-" + number, {.solved = 18 + 2 * seed, .cheated = 1, .speedup = 2, .first_task = 100 * seed},
                      "sft-" + number)});
    }
    return compare_arms(
        {better, {.name = "same", .seeds = {{evaluation("again", {.solved = 10, .cheated = 4}, "sft-0")}}}});
  }

  std::string refusal(const std::vector<ArmConfig>& configs) const {
    try {
      compare_arms(configs);
    } catch (const base::InputError& error) {
      return error.where().text() + ": " + error.problem() + "; " + error.advice();
    }
    return "";
  }

  const tests::TemporaryFolder folder_;
};

TEST_F(Arms, GainTheMeanOverSeedsWithAnIntervalThatCoversIt) {
  const auto arms = experiment();
  ASSERT_EQ(arms.size(), 2);
  EXPECT_EQ(arms[0].tasks, 120);
  const ArmGain& correct = *arms[0].find("correct@1");
  EXPECT_DOUBLE_EQ(correct.first, 0.25);
  EXPECT_DOUBLE_EQ(correct.second, 0.5);
  EXPECT_DOUBLE_EQ(correct.gain.value, 0.25);
  EXPECT_THAT(correct.by_seed, testing::ElementsAre(0.2, 0.25, 0.3));
  EXPECT_GT(correct.gain.low, 0.05);
  EXPECT_LT(correct.gain.low, 0.25);
  EXPECT_GT(correct.gain.high, 0.25);
  EXPECT_LT(correct.gain.high, 0.45);
  EXPECT_DOUBLE_EQ(arms[0].find("mean_speedup@1")->gain.value, 1 - 0.25);
  EXPECT_DOUBLE_EQ(arms[0].find("fast_1@1")->gain.value, 0.5);
}

TEST_F(Arms, AreComparedInSpeedOnTasksThatBothSolve) {
  const auto arms = experiment();
  const ArmGain& speed = *arms[0].find("geometric_speedup");
  EXPECT_EQ(speed.tasks, 30);
  EXPECT_NEAR(speed.gain.value, std::log(2.0), 1e-12);
  EXPECT_NEAR(speed.second, 2, 1e-12);
}

TEST_F(Arms, CountRightResultsThatWereRefusedAsCheats) {
  const auto arms = experiment();
  const ArmGain& cheats = *arms[0].find("cheats@1");
  EXPECT_DOUBLE_EQ(cheats.first, 0.1);
  EXPECT_DOUBLE_EQ(cheats.second, 0.025);
  EXPECT_NEAR(cheats.gain.value, -0.075, 1e-12);
}

TEST_F(Arms, ThatDoNotDifferGainNothing) {
  const auto arms = experiment();
  const Interval& gain = arms[1].find("correct@1")->gain;
  EXPECT_EQ(gain.value, 0);
  EXPECT_EQ(gain.low, 0);
  EXPECT_EQ(gain.high, 0);
}

TEST_F(Arms, WithoutATaskThatBothSolveHaveNoSpeed) {
  evaluation("sft", {});
  const auto arms = compare_arms({{.name = "a", .seeds = {{evaluation("rl", {.solved = 5}, "sft")}}}});
  EXPECT_EQ(arms[0].find("geometric_speedup"), nullptr);
  EXPECT_THAT(arm_section(arms), HasSubstr("<td>-</td>"));
  EXPECT_THAT(arms_svg(arms), Not(HasSubstr("nan")));
}

TEST_F(Arms, AreShownOnAPageWithoutAnyRun) {
  const auto arms = experiment();
  const std::string page = report_page({}, {}, arms);
  EXPECT_THAT(page, HasSubstr("<h2>Arms</h2>"));
  EXPECT_THAT(page, HasSubstr("<td>better&lt;1&gt;</td><td>3</td><td>120</td>"));
  EXPECT_THAT(page, HasSubstr("<td>same</td><td>1</td><td>40</td>")) << "fewer seeds are allowed, and shown";
  EXPECT_THAT(page, HasSubstr("25.0 % → 50.0 %<br><b class='good'>+25.0 points</b>"));
  EXPECT_THAT(page, HasSubstr("10.0 % → 2.5 %<br><b class='good'>-7.5 points</b>")) << "fewer cheats are better";
  EXPECT_THAT(page, HasSubstr("<b class='good'>+100.0 %</b>")) << "twice as fast";
  EXPECT_THAT(page, Not(HasSubstr("Curves")));
  for (const char* reference : {"http://", "https://", "src=", "url("}) EXPECT_THAT(page, Not(HasSubstr(reference)));
}

TEST_F(Arms, AreWrittenAsJson) {
  const auto arms = experiment();
  const Json json = arms_json(arms);
  ASSERT_EQ(json.at("arms").size(), 2);
  const Json& better = json.at("arms").at(0);
  EXPECT_EQ(better.at("name"), "better<1>");
  EXPECT_EQ(better.at("seeds").at(2).at("compared_with"), folder("sft-2").string());
  EXPECT_EQ(better.at("figures").at("correct@1").at("gain"), 0.25);
  EXPECT_EQ(better.at("figures").at("correct@1").at("by_seed").size(), 3);
}

TEST_F(Arms, MayNameWhatTheyAreComparedWith) {
  evaluation("sft", {.solved = 10});
  evaluation("other", {.solved = 20});
  const fs::path own = evaluation("rl", {.solved = 30}, "sft");
  EXPECT_DOUBLE_EQ(compare_arms({{.name = "a", .seeds = {{own}}}})[0].find("correct@1")->gain.value, 0.5);
  EXPECT_DOUBLE_EQ(compare_arms({{.name = "a", .seeds = {{own, folder("other")}}}})[0].find("correct@1")->gain.value,
                   0.25);
}

TEST_F(Arms, AreRefusedWithWhatIsWrongWhereAndWhatToDo) {
  evaluation("sft", {.solved = 1});
  evaluation("elsewhere", {.solved = 1, .first_task = 1000});
  const fs::path alone = evaluation("alone", {.solved = 1});
  const fs::path compared = evaluation("compared", {.solved = 1}, "sft");
  EXPECT_THAT(refusal({{.name = "a", .seeds = {{folder("empty")}}}}), HasSubstr("empty: is no evaluation"));
  EXPECT_THAT(refusal({{.name = "a", .seeds = {{alone}}}}),
              testing::AllOf(HasSubstr("alone/eval.json"), HasSubstr("does not say what it was compared with"),
                             HasSubstr("evaluate it with --against")));
  EXPECT_THAT(refusal({{.name = "a", .seeds = {{compared}}}, {.name = "a", .seeds = {{compared}}}}),
              HasSubstr("--arm a: stands there twice"));
  EXPECT_THAT(refusal({{.name = "a", .seeds = {{compared}, {folder("compared") / "."}}}}), HasSubstr("twice"));
  EXPECT_THAT(refusal({{.name = "a", .seeds = {{compared, folder("elsewhere")}}}}), HasSubstr("shares no task with"));
  fs::remove_all(folder("sft"));
  EXPECT_THAT(refusal({{.name = "a", .seeds = {{compared}}}}), HasSubstr("which is not there"));
  base::write_file_atomically(alone / "eval.json", R"({"temperatures": []})");
  EXPECT_THAT(refusal({{.name = "a", .seeds = {{alone}}}}), HasSubstr("several temperatures"));
}

TEST(ParseArm, ReadsANameAndAFolderForEverySeed) {
  const ArmConfig arm = parse_arm("hrd_1=runs/a-41,runs/a-42:runs/sft-42");
  EXPECT_EQ(arm.name, "hrd_1");
  ASSERT_EQ(arm.seeds.size(), 2);
  EXPECT_EQ(arm.seeds[0].own, "runs/a-41");
  EXPECT_EQ(arm.seeds[0].other, "");
  EXPECT_EQ(arm.seeds[1].own, "runs/a-42");
  EXPECT_EQ(arm.seeds[1].other, "runs/sft-42");
}

TEST(ParseArm, RefusesWhatHasNoNameOrNoFolder) {
  for (const char* text : {"", "a", "=x", " =x", "a=", "a=x,", "a=x,,y", "a=x:", "a=:y", "a=x:y:z", "\xff=x"}) {
    EXPECT_THROW(parse_arm(text), base::InputError) << text;
  }
}

}  // namespace
}  // namespace tritonrl::eval
