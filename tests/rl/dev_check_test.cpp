#include "rl/dev_check.h"

#include <ATen/Functions.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "tests/rl/parity_workshop.h"

namespace tritonrl::rl {
namespace {

RlConfig dev_config() {
  RlConfig config = small_config();
  config.dev_every = 4;
  config.dev_samples = 3;
  config.dev_tasks = 0;
  return config;
}

std::map<std::string, double> measure(Workshop& shop, const RlConfig& config, Judge& judge) {
  runlog::StepMetrics metrics;
  DevCheck(config, problems_of(shop.tokenizer), shop.tokenizer).measure(shop.engine, judge, metrics);
  return {metrics.values.begin(), metrics.values.end()};
}

// Accepts the samples with these numbers of each task.
class ChosenJudge final : public Judge {
 public:
  explicit ChosenJudge(std::vector<std::pair<std::string, std::int64_t>> accepted) : accepted_(std::move(accepted)) {}
  void submit(verify::Candidate candidate) override { candidates_.push_back(std::move(candidate)); }
  std::vector<base::Json> collect() override {
    std::vector<base::Json> verdicts;
    for (const auto& candidate : std::exchange(candidates_, {})) {
      if (candidate.task->id == broken) {
        verdicts.push_back({{"error", "the reference fails"}, {"fault", "task"}});
        continue;
      }
      const bool right = std::ranges::count(accepted_, std::pair(candidate.task->id, candidate.sample)) > 0;
      verdicts.push_back({{"accepted", right},
                          {"valid", true},
                          {"compiled", true},
                          {"reason", right ? base::Json() : base::Json("wrong-result")},
                          {"speedup", right ? base::Json{{"value", 0.5}} : base::Json()}});
    }
    return verdicts;
  }

  std::string broken;

 private:
  std::vector<std::pair<std::string, std::int64_t>> accepted_;
  std::vector<verify::Candidate> candidates_;
};

TEST(DevCheck, CountsSamplesAndTasksThatPass) {
  Workshop shop(dev_config());
  ChosenJudge judge({{"t0", 0}, {"t0", 2}, {"t3", 1}});
  auto found = measure(shop, shop.config, judge);
  EXPECT_DOUBLE_EQ(found["dev/pass@1"], 3.0 / 18);
  EXPECT_DOUBLE_EQ(found["dev/pass@3"], 2.0 / 6);
  EXPECT_EQ(found["dev/valid"], 1);
  EXPECT_EQ(found["dev/fast_1"], 0);
  EXPECT_DOUBLE_EQ(found["dev/speedup"], 1.5 / 18);

  judge.broken = "t0";
  EXPECT_DOUBLE_EQ(measure(shop, shop.config, judge)["dev/pass@3"], 1.0 / 5) << "a broken task is no failure";
}

TEST(DevCheck, IsDueAtTheStartNowAndThenAndAtTheEnd) {
  Workshop shop(dev_config());
  shop.config.steps = 10;
  const DevCheck check(shop.config, problems_of(shop.tokenizer), shop.tokenizer);
  std::vector<std::int64_t> due;
  for (std::int64_t step = 0; step <= 10; ++step) {
    if (check.due(step)) due.push_back(step);
  }
  EXPECT_EQ(due, (std::vector<std::int64_t>{0, 4, 8, 10}));
  EXPECT_FALSE(DevCheck(shop.config, {}, shop.tokenizer).due(0)) << "without tasks there is nothing to measure";
}

TEST(DevCheck, SaysTheSameOfTheSameModel) {
  Workshop shop(dev_config());
  ParityJudge judge;
  auto first = measure(shop, shop.config, judge);
  auto second = measure(shop, shop.config, judge);
  first.erase("time/dev");
  second.erase("time/dev");
  EXPECT_EQ(first, second);
  RlConfig fewer = shop.config;
  fewer.dev_tasks = 1;
  const double share = 3 * measure(shop, fewer, judge)["dev/pass@1"];
  EXPECT_EQ(share, std::round(share)) << "three samples of one task";
}

TEST(DevCheck, ChangesNothingInTraining) {
  Workshop measured(dev_config());
  Workshop alone(dev_config());
  ParityJudge judge;
  for (std::int64_t step = 0; step < 3; ++step) {
    measure(measured, measured.config, judge);
    measured.run(step);
    alone.run(step);
  }
  for (std::size_t i = 0; i < alone.model.parameters().size(); ++i) {
    EXPECT_TRUE(at::equal(measured.model.parameters()[i], alone.model.parameters()[i])) << i;
  }
}

}  // namespace
}  // namespace tritonrl::rl
