#pragma once

#include <ATen/Parallel.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "model/qwen3.h"
#include "rl/step.h"
#include "rollout/local_engine.h"
#include "tests/train/tiny_model.h"
#include "tokenizer/definition.h"
#include "tokenizer/trainer.h"

// A step over a model that knows nothing, and a judge that wants even bytes.
namespace tritonrl::rl {

// Threads that wait for each other on a busy machine take a hundred times as long.
class OneThread : public testing::Environment {
  void SetUp() override { at::set_num_threads(1); }
};
inline const auto* const kOneThread = testing::AddGlobalTestEnvironment(new OneThread);

inline tokenizer::Tokenizer small_tokenizer() {
  tokenizer::Trainer trainer({.size = 262});
  trainer.add_text("text", "text");
  return tokenizer::Tokenizer::parse(tokenizer::definition_text(trainer.train()), "tokenizer.json");
}

// Accepts responses that start with an even byte, and calls those with a small second byte fast.
class ParityJudge final : public Judge {
 public:
  void submit(verify::Candidate candidate) override { texts_.push_back(std::move(candidate.text)); }

  std::vector<base::Json> collect() override {
    std::vector<base::Json> verdicts;
    for (const std::string& text : std::exchange(texts_, {})) {
      costs_.from_cache += ++costs_.judged % 4 == 0 ? 1 : 0;
      costs_.seconds += 0.5;
      if (broken_task) {
        verdicts.push_back({{"schema", 1}, {"error", "the reference fails"}, {"fault", "task"}});
        continue;
      }
      const bool even = !text.empty() && static_cast<unsigned char>(text[0]) % 2 == 0;
      verdicts.push_back({{"accepted", even},
                          {"valid", true},
                          {"compiled", true},
                          {"reason", even ? base::Json() : base::Json("wrong-result")},
                          {"speedup", even ? base::Json{{"value", 1.5}} : base::Json()}});
    }
    return verdicts;
  }

  verify::VerifierCosts costs() const override { return costs_; }

  bool broken_task = false;

 private:
  std::vector<std::string> texts_;
  verify::VerifierCosts costs_;
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

inline std::vector<Problem> problems_of(const tokenizer::Tokenizer& tokenizer) {
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

inline RlConfig small_config() {
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

  StepResult run(std::int64_t number) {
    Step step(config, parts());
    StepResult result = step.sample(number);
    step.learn(number, result);
    return result;
  }
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

}  // namespace tritonrl::rl
