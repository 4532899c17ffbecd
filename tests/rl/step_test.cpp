#include "rl/step.h"

#include <ATen/Functions.h>
#include <ATen/Parallel.h>
#include <gtest/gtest.h>

#include "model/qwen3.h"
#include "rollout/local_engine.h"
#include "tests/train/tiny_model.h"
#include "tokenizer/definition.h"
#include "tokenizer/trainer.h"

namespace tritonrl::rl {
namespace {

using base::Json;

// Threads that wait for each other on a busy machine take a hundred times as long.
class OneThread : public testing::Environment {
  void SetUp() override { at::set_num_threads(1); }
};
const auto* const kOneThread = testing::AddGlobalTestEnvironment(new OneThread);

tokenizer::Tokenizer small_tokenizer() {
  tokenizer::Trainer trainer({.size = 262});
  trainer.add_text("text", "text");
  return tokenizer::Tokenizer::parse(tokenizer::definition_text(trainer.train()), "tokenizer.json");
}

// Accepts responses that start with an even byte, and calls those with a small second byte fast.
class ParityJudge final : public Judge {
 public:
  void submit(verify::Candidate candidate) override { texts_.push_back(std::move(candidate.text)); }

  std::vector<Json> collect() override {
    std::vector<Json> verdicts;
    for (const std::string& text : std::exchange(texts_, {})) {
      if (broken_task) {
        verdicts.push_back({{"schema", 1}, {"error", "the reference fails"}, {"fault", "task"}});
        continue;
      }
      const bool even = !text.empty() && static_cast<unsigned char>(text[0]) % 2 == 0;
      verdicts.push_back({{"accepted", even},
                          {"valid", true},
                          {"compiled", true},
                          {"reason", even ? Json() : Json("wrong-result")},
                          {"speedup", even ? Json{{"value", 1.5}} : Json()}});
    }
    return verdicts;
  }

  bool broken_task = false;

 private:
  std::vector<std::string> texts_;
};

// A model that knows nothing never ends a response: what it has written counts as whole.
class WholeResponses final : public rollout::Engine {
 public:
  explicit WholeResponses(rollout::Engine& engine) : engine_(engine) {}

  std::uint64_t submit(rollout::Request request, rollout::Listener listener) override {
    return engine_.submit(std::move(request), {.on_response = [listener](rollout::Response&& response) {
                            response.finish = rollout::Finish::kStop;
                            listener.on_response(std::move(response));
                          }});
  }
  bool step() override { return engine_.step(); }

 private:
  rollout::Engine& engine_;
};

std::vector<Problem> problems_of(const tokenizer::Tokenizer& tokenizer) {
  std::vector<Problem> problems;
  for (int i = 0; i < 6; ++i) {
    task::Task task;
    task.id = "t" + std::to_string(i);
    task.level = 1;
    const std::string prompt = "task " + task.id;
    problems.push_back(
        {.task = std::make_shared<task::Task>(task), .prompt_ids = tokenizer.encode(prompt), .prompt = prompt});
  }
  return problems;
}

RlConfig small_config() {
  RlConfig config;
  config.steps = 40;
  config.prompts = 4;
  config.group = 8;
  config.level_mix = {1};
  config.max_tokens = 4;
  config.kl_every = 0;
  config.optimizer = {.lr = 1e-2, .warmup = 0, .decay = train::Decay::kConstant};
  return config;
}

// A model, its engine and a step over them.
struct Workshop {
  explicit Workshop(const RlConfig& given, std::uint64_t seed = 1)
      : config(given), model(make_model(tokenizer, seed)), engine(model, &tokenizer, {.max_context = 32}) {}

  static model::Qwen3 make_model(const tokenizer::Tokenizer& tokenizer, std::uint64_t seed) {
    model::ModelConfig shape = tests::tiny_config();
    shape.vocab_size = static_cast<std::int64_t>(tokenizer.size());
    return model::Qwen3::random(shape, seed, {});
  }

  StepResult run(std::int64_t number) { return Step(config, parts()).run(number); }
  StepParts parts() {
    return {.problems = problems,
            .tokenizer = tokenizer,
            .engine = whole_responses ? static_cast<rollout::Engine&>(whole) : engine,
            .judge = judge,
            .learner = learner,
            .reference = reference,
            .after_update = [this] { engine.forget_prefixes(); }};
  }

  RlConfig config;
  tokenizer::Tokenizer tokenizer = small_tokenizer();
  model::Qwen3 model;
  rollout::LocalEngine engine;
  WholeResponses whole{engine};
  bool whole_responses = true;
  ParityJudge judge;
  train::Learner learner{model, {.temperature = config.temperature, .entropy = true}, {}};
  std::vector<Problem> problems = problems_of(tokenizer);
  const model::Qwen3* reference = nullptr;
};

double mean_correct(const StepResult& result) {
  double sum = 0;
  double count = 0;
  for (const Group& group : result.groups) {
    for (const Sample& sample : group.samples) {
      sum += sample.reward.correct;
      count += 1;
    }
  }
  return sum / count;
}

TEST(Step, LearnsWhatIsRewarded) {
  for (const LossKind loss : {LossKind::kGrpo, LossKind::kDrGrpo, LossKind::kDapo, LossKind::kGspo, LossKind::kCispo}) {
    RlConfig config = small_config();
    config.loss = loss;
    Workshop shop(config);
    const double before = mean_correct(shop.run(0));
    double after = 0;  // mean of the last ten steps
    for (std::int64_t step = 1; step < 80; ++step) after += mean_correct(shop.run(step)) * (step >= 70 ? 0.1 : 0.0);
    EXPECT_LT(before, 0.75);
    EXPECT_GT(after, 0.9) << static_cast<int>(loss);
  }
}

TEST(Step, IsAFunctionOfWeightsConfigurationAndNumber) {
  Workshop first(small_config());
  Workshop second(small_config());
  first.run(0);
  second.run(0);
  const StepResult a = first.run(5);
  const StepResult b = second.run(5);
  for (std::size_t g = 0; g < a.groups.size(); ++g) {
    for (std::size_t i = 0; i < a.groups[g].samples.size(); ++i) {
      EXPECT_EQ(a.groups[g].samples[i].response.token_ids, b.groups[g].samples[i].response.token_ids);
    }
  }
  for (std::size_t i = 0; i < first.model.parameters().size(); ++i) {
    EXPECT_TRUE(at::equal(first.model.parameters()[i], second.model.parameters()[i]));
  }
}

TEST(Step, TrainingSeesTheProbabilitiesThatWereSampledFrom) {
  Workshop shop(small_config());
  shop.config.updates = 2;  // so that they are computed and kept
  const StepResult result = shop.run(0);
  std::size_t compared = 0;
  for (const Group& group : result.groups) {
    for (const Sample& sample : group.samples) {
      for (std::size_t t = 0; t < sample.old_log_probs.size(); ++t, ++compared) {
        EXPECT_NEAR(sample.old_log_probs[t], sample.response.log_probs[t], 1e-4);
      }
    }
  }
  EXPECT_GT(compared, 20U);
}

TEST(Step, MeasuresTheDivergenceFromTheStart) {
  Workshop shop(small_config());
  const model::Qwen3 start = Workshop::make_model(shop.tokenizer, 1);
  shop.reference = &start;
  shop.config.kl = 0.1;
  const StepResult first = shop.run(0);
  ASSERT_TRUE(first.reference_known);
  EXPECT_NEAR(first.classes[1].reference_kl, 0, 1e-6);
  EXPECT_GT(shop.run(1).classes[1].reference_kl, 1e-4);
}

TEST(Step, RewardsNoTruncatedResponse) {
  Workshop shop(small_config());
  shop.whole_responses = false;
  const StepResult result = shop.run(0);
  std::size_t truncated = 0;
  for (const Group& group : result.groups) {
    for (const Sample& sample : group.samples) {
      if (!sample.truncated()) continue;
      ++truncated;
      EXPECT_EQ(sample.advantage.plan, 0);
      EXPECT_LE(sample.advantage.code, 0);
    }
  }
  EXPECT_GT(truncated, 20U);
}

TEST(Step, LearnsNothingFromATaskWhoseReferenceFails) {
  Workshop shop(small_config());
  shop.judge.broken_task = true;
  const at::Tensor before = shop.model.parameters()[0].detach().clone();
  const StepResult result = shop.run(0);
  EXPECT_FALSE(result.groups[0].judged);
  EXPECT_TRUE(at::equal(before, shop.model.parameters()[0].detach()));
}

TEST(Step, ReplacesGroupsWithoutSpreadWhenAskedTo) {
  RlConfig config = small_config();
  config.group = 2;
  config.resample = 3;
  Workshop shop(config);
  std::int64_t dropped = 0;
  std::size_t without = 0;
  for (std::int64_t step = 0; step < 5; ++step) {
    const StepResult result = shop.run(step);
    dropped += result.dropped_groups;
    EXPECT_EQ(result.groups.size(), 4U);
    for (const Group& group : result.groups) without += group.without_spread() ? 1 : 0;
  }
  EXPECT_GT(dropped, 3);
  EXPECT_LT(without, 6U);
}

}  // namespace
}  // namespace tritonrl::rl
