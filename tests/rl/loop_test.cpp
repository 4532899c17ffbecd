#include "rl/loop.h"

#include <ATen/Functions.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "base/error.h"
#include "base/file.h"
#include "base/log.h"
#include "runlog/metrics_log.h"
#include "tests/base/temporary_folder.h"
#include "tests/rl/parity_workshop.h"

namespace tritonrl::rl {
namespace {

using ::testing::HasSubstr;

// Judges as ParityJudge does, and fails in a given way.
class FaultyJudge final : public Judge {
 public:
  struct Faults {
    int collections_until_failure = -1;  // -1: it never fails
    bool accepts_all = false;
    bool rejects_all = false;
    bool awake = false;  // has a GPU's memory, if there is one
    bool has_a_device_of_its_own = false;
  };
  FaultyJudge(Faults& faults, const Faults& of_other) : faults_(faults), of_other_(of_other) {}
  ~FaultyJudge() override { faults_.awake = false; }

  void submit(verify::Candidate candidate) override {
    EXPECT_FALSE(of_other_.awake && !of_other_.has_a_device_of_its_own && !faults_.has_a_device_of_its_own)
        << "there is memory for one";
    faults_.awake = true;
    judge_.submit(std::move(candidate));
  }
  void rest() override { faults_.awake = false; }
  verify::VerifierCosts costs() const override { return judge_.costs(); }
  std::vector<base::Json> collect() override {
    if (faults_.collections_until_failure == 0) throw base::HostError("the verifier fails: no memory");
    if (faults_.collections_until_failure > 0) --faults_.collections_until_failure;
    std::vector<base::Json> verdicts = judge_.collect();
    for (base::Json& verdict : verdicts) {
      if (faults_.accepts_all || faults_.rejects_all) {
        verdict = {{"accepted", faults_.accepts_all}, {"valid", true}, {"compiled", true}, {"reason", nullptr}};
        if (faults_.rejects_all) verdict["reason"] = "wrong-result";
      }
    }
    return verdicts;
  }

 private:
  Faults& faults_;
  const Faults& of_other_;
  ParityJudge judge_;
};

class Loop : public ::testing::Test {
 protected:
  Loop() : tokenizer_(small_tokenizer()) {
    base::log::set_level(base::log::Level::kOff);
    Workshop::make_model(tokenizer_, 1).save(folder_.path() / "model", model::DType::kFloat32);
    // Long enough that a model which draws tokens evenly often ends by chance.
    config_ = small_config();
    config_.max_tokens = 64;
    config_.steps = 6;
    config_.model = folder_.path() / "model";
    config_.tasks = "tasks";
    config_.run = {.folder = run_folder("run"), .device = "cpu", .threads = 1, .save_every = 4};
    config_.dev_every = 2;
    config_.dev_samples = 2;
  }
  ~Loop() override { base::log::set_level(base::log::Level::kInfo); }

  std::string run_folder(const std::string& name) const { return (folder_.path() / name).string(); }

  LoopResult run(const std::function<bool()>& stop = [] { return false; }) {
    return run_rl(config_, {.problems = problems_of(tokenizer_),
                            .dev_problems = problems_of(tokenizer_),
                            .tokenizer = tokenizer_,
                            .make_judge = [this](Purpose purpose) -> std::unique_ptr<Judge> {
                              const bool training = purpose == Purpose::kTraining;
                              return std::make_unique<FaultyJudge>(training ? training_ : measuring_,
                                                                   training ? measuring_ : training_);
                            },
                            .agreement = nullptr,
                            .stop = stop});
  }

  std::string failure() {
    try {
      run();
    } catch (const base::HostError& error) {
      return error.what();
    }
    return "";
  }

  std::vector<std::map<std::string, double>> metrics() const {
    std::vector<std::map<std::string, double>> steps;
    for (const auto& step : runlog::read_metrics(config_.run.folder + "/metrics.jsonl")) {
      std::map<std::string, double> values;
      for (const auto& [name, value] : step.values) {
        const bool of_time = name.starts_with("time") || name.starts_with("perf/");
        if (!of_time && !std::isnan(value)) values[name] = value;
      }
      values["step"] = static_cast<double>(step.step);
      steps.push_back(std::move(values));
    }
    return steps;
  }
  std::string weights(std::int64_t step) const {
    return base::read_file(fmt::format("{}/checkpoints/step-{:06}/model.safetensors", config_.run.folder, step));
  }
  std::set<std::string> checkpoints() const {
    std::set<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(config_.run.folder + "/checkpoints")) {
      names.insert(entry.path().filename());
    }
    return names;
  }
  // Goes on to the end, which must be that of a run nobody disturbed.
  void finish_as_if_undisturbed() {
    training_ = {};
    measuring_ = {};
    EXPECT_EQ(run().steps, config_.steps);
    const auto found = metrics();
    const std::string end = weights(config_.steps);
    config_.run.folder = run_folder("undisturbed");
    run();
    EXPECT_EQ(found, metrics());
    EXPECT_TRUE(end == weights(config_.steps));
  }

  tests::TemporaryFolder folder_;
  tokenizer::Tokenizer tokenizer_;
  RlConfig config_;
  FaultyJudge::Faults training_;
  FaultyJudge::Faults measuring_;
};

TEST_F(Loop, EndsInGoodOrderWhenAskedTo) {
  int asked = 0;
  const LoopResult result = run([&] { return ++asked == 3; });
  EXPECT_TRUE(result.stopped);
  EXPECT_EQ(result.steps, 3);
  EXPECT_EQ(checkpoints(), std::set<std::string>{"step-000003"});
  finish_as_if_undisturbed();
}

TEST_F(Loop, SavesEveryFinishedStepWhenTheVerifierFailsForGood) {
  training_.collections_until_failure = 2;
  EXPECT_THAT(failure(), HasSubstr("the verifier fails: no memory"));
  EXPECT_EQ(checkpoints(), std::set<std::string>{"step-000002"});
  EXPECT_THAT(base::read_file(config_.run.folder + "/log.txt"), HasSubstr("ends after step 2: the verifier fails"));
  training_.collections_until_failure = 0;
  EXPECT_NE(failure(), "");
  finish_as_if_undisturbed();
}

TEST_F(Loop, SavesEveryFinishedStepWhenTheAuditsVerifierFails) {
  config_.audit_share = 1;
  measuring_.collections_until_failure = 2;  // the start's dev tasks, and the first step's audit
  EXPECT_NE(failure(), "");
  EXPECT_EQ(checkpoints(), std::set<std::string>{"step-000001"});
  finish_as_if_undisturbed();
}

TEST_F(Loop, AuditsEverySoManySteps) {
  config_.audit_share = 1;
  config_.audit_every = 3;
  training_.accepts_all = measuring_.accepts_all = true;
  run();
  std::vector<double> checked;
  std::vector<double> verified;
  for (const auto& step : metrics()) {
    if (step.at("step") == 0) continue;
    checked.push_back(step.at("audit/checked"));
    verified.push_back(step.at("verify/total"));
  }
  const double a_step = static_cast<double>(config_.prompts * config_.group);
  EXPECT_EQ(checked, (std::vector<double>{0, 0, a_step, a_step, a_step, 2 * a_step}));
  EXPECT_EQ(verified, (std::vector<double>{a_step, 2 * a_step, 3 * a_step, 4 * a_step, 5 * a_step, 6 * a_step}));
}

TEST_F(Loop, AVerifierThatOnlyMeasuresStaysAwake) {
  config_.audit_share = 1;
  config_.verify_device = "cpu";
  config_.measure_device = "cuda";
  measuring_.has_a_device_of_its_own = true;
  training_.accepts_all = measuring_.accepts_all = true;
  bool awake = false;
  run([&] {
    awake = measuring_.awake;
    return false;
  });
  EXPECT_TRUE(awake);
}

TEST_F(Loop, GoesOnWithoutDevTasksThatCannotBeMeasured) {
  config_.audit_share = 0;
  measuring_.collections_until_failure = 1;
  EXPECT_EQ(run().steps, 6);
  std::vector<double> measured;
  for (const auto& step : metrics()) {
    if (step.contains("dev/pass@1")) measured.push_back(step.at("step"));
  }
  EXPECT_EQ(measured, std::vector<double>{0});
}

TEST_F(Loop, EndsWhereTheWholeVerifierRejectsWhatIsRewarded) {
  config_.audit_share = 1;
  measuring_.rejects_all = true;
  EXPECT_THAT(failure(), HasSubstr("rejects"));
  EXPECT_EQ(checkpoints(), std::set<std::string>{"step-000001"});
  EXPECT_THAT(base::read_file(config_.run.folder + "/samples/step-000001.jsonl"), HasSubstr(R"("audit":)"));
  EXPECT_THAT(failure(), HasSubstr("rejects")) << "it does not go on by itself";
  EXPECT_EQ(checkpoints().size(), 1U);
}

TEST_F(Loop, LearnsNothingWhereAllResponsesEarnTheSame) {
  training_.rejects_all = true;
  EXPECT_EQ(run().steps, 6);
  EXPECT_EQ(metrics().back().at("groups/without_spread"), 1);
  EXPECT_TRUE(weights(6) == base::read_file(config_.model + "/model.safetensors"));
}

TEST_F(Loop, CountsSkippedStepsAlsoOverARestart) {
  config_.steps = 40;
  config_.optimizer.lr = 1e30;
  config_.optimizer.clip_norm = 0;
  config_.run.most_skipped = 6;
  const auto skipped = [&] { return metrics().back()["optim/skipped"]; };
  run([&] { return skipped() >= 2; });
  EXPECT_GE(skipped(), 2);
  EXPECT_LT(skipped(), 6);
  EXPECT_THAT(failure(), HasSubstr("not finite in 6 steps in a row"));
  EXPECT_EQ(skipped(), 6);
}

TEST_F(Loop, RefusesAMixWithoutTasksBeforeAnythingIsBegun) {
  config_.level_mix = {0, 1};
  EXPECT_THROW(run(), base::InputError);
  EXPECT_FALSE(std::filesystem::exists(config_.run.folder));
}

TEST_F(Loop, RefusesResponsesThatTheModelHasNoPlaceFor) {
  config_.max_tokens = 126;
  try {
    run();
    FAIL();
  } catch (const base::InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("the model takes 128 in all"));
  }
  EXPECT_FALSE(std::filesystem::exists(config_.run.folder));
}

}  // namespace
}  // namespace tritonrl::rl
