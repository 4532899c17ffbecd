#include "rl/loop.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <memory>

#include "base/error.h"
#include "base/log.h"
#include "model/device_memory.h"
#include "rl/audit.h"
#include "rl/calibration.h"
#include "rl/dev_check.h"
#include "rl/level_mix.h"
#include "rl/run_plan.h"
#include "rl/step.h"
#include "rollout/local_engine.h"
#include "runlog/run_view.h"
#include "train/training_run.h"

namespace tritonrl::rl {
namespace {

constexpr double kLeastAgreement = 0.9;

runlog::RunViewConfig view_of(const RlConfig& config, std::int64_t done) {
  const std::string pass_at_k = fmt::format("pass@{}", config.dev_samples);
  return {
      .kind = "rl",
      .folder = config.run.folder,
      .steps = config.steps,
      .done = done,
      .rows = {{"reward",
                {{.metric = "reward/speedup", .label = "plan", .decimals = 3},
                 {.metric = "reward/correct", .label = "code", .decimals = 3}}},
               {"kernels",
                {{.metric = "verify/valid", .label = "valid"},
                 {.metric = "verify/correct", .label = "correct"},
                 {.metric = "verify/fast_1", .label = "fast"}}},
               {"dev",
                {{.metric = "dev/pass@1", .label = "dev pass@1"}, {.metric = "dev/" + pass_at_k, .label = pass_at_k}}},
               {"speed",
                {{.metric = "perf/tokens_per_s", .decimals = 0, .unit = " tokens/s"},
                 {.metric = "verify/cost_s", .label = "verdict", .unit = "s"},
                 {.metric = "verify/cache_hits", .label = "cached"}}},
               {"time",
                {{.metric = "time/rollout", .label = "rollout", .decimals = 1, .unit = "s"},
                 {.metric = "time/verify", .label = "verify", .decimals = 1, .unit = "s"},
                 {.metric = "time/update", .label = "update", .decimals = 1, .unit = "s"}}}},
      .curve = {.metric = "verify/correct", .label = "correct"}};
}

// A warning when they begin to part, and none while they stay apart.
class AgreementWatch {
 public:
  void see(const runlog::StepMetrics& metrics) {
    for (const auto& [name, value] : metrics.values) {
      if (name != "completions/plan_code_agreement" || std::isnan(value)) continue;
      if (value < kLeastAgreement && !apart_) {
        base::log::warning("plan and code agree in {:.0f} % of responses; a lower optimizer.lr or rl.alpha may help",
                           100 * value);
      }
      apart_ = value < kLeastAgreement;
    }
  }

 private:
  bool apart_ = false;
};

// A warning once nothing has been learned for a while.
class SpreadWatch {
 public:
  void see(const StepResult& done) {
    const bool learned = std::ranges::any_of(done.groups, [](const Group& group) { return !group.without_spread(); });
    without_ = learned ? 0 : without_ + 1;
    if (without_ % kPatience != 0 || without_ == 0) return;
    base::log::warning(
        "no group had any spread in {} steps: nothing is learned while all responses to a task earn the same; easier "
        "or harder tasks, or a larger rl.group, may help",
        without_);
  }

 private:
  static constexpr int kPatience = 5;
  int without_ = 0;
};

// On a GPU the verifier works while responses are written: what it takes must be free beside weights and cache.
void check_memory(const RlConfig& config, at::Device device) {
  if (device.is_cpu() || !judges_on_gpu(config)) return;
  model::release_unused_memory();
  const auto free = static_cast<double>(model::free_memory_bytes(device));
  const double left = free / static_cast<double>(model::device_memory_bytes(device)) - kShareOfVerifierProcesses;
  if (config.verify_memory <= left) return;
  throw base::InputError({.file = "rl.verify_memory"},
                         fmt::format("is {}, but weights, optimizer and cache leave {:.2f} of the GPU for tensors of "
                                     "candidates and references",
                                     config.verify_memory, std::max(0.0, left)),
                         "lower it, or rollout.memory_fraction");
}

class Loop {
 public:
  Loop(const RlConfig& config, LoopParts parts);

  LoopResult run();
  std::int64_t steps() const { return run_.step(); }

 private:
  void step();
  StepResult sample(std::int64_t number);
  void finish(std::int64_t number, const StepResult& done);
  void measure_start();
  void measure_dev(std::int64_t steps, runlog::StepMetrics& metrics);
  Judge& measuring_judge();
  void end_measuring();
  void lend_memory();
  void take_memory_back();
  void refuse_failed_audit() const;

  RlConfig config_;
  LoopParts parts_;
  train::TrainingRun run_;
  std::unique_ptr<model::Qwen3> reference_;
  rollout::LocalEngine engine_;
  std::unique_ptr<Judge> judge_;
  std::unique_ptr<Judge> measuring_judge_;  // once there is something to measure
  Audit audit_;
  Calibration calibration_;
  DevCheck dev_;
  runlog::RunView view_;
  AgreementWatch agreement_;
  SpreadWatch spread_;
  Step step_;
  std::int64_t verified_ = 0;
  bool stopped_ = false;
};

std::unique_ptr<model::Qwen3> load_reference(const RlConfig& config) {
  if (config.kl == 0 && config.kl_every == 0) return nullptr;
  return std::make_unique<model::Qwen3>(model::Qwen3::load(config.model, train::place_of(config.run)));
}

std::string text_of(RlConfig config) {
  return base::config_text([&](base::ConfigFields& fields) { declare(fields, config); });
}

Loop::Loop(const RlConfig& config, LoopParts parts)
    : config_(config),
      parts_(std::move(parts)),
      run_(config.run, config.optimizer,
           {.batch_tokens = config.run.batch_tokens,
            .temperature = config.temperature,
            .entropy = true,
            .recompute_layers = config.run.recompute_layers},
           config.model, text_of(config)),
      reference_(load_reference(config)),
      engine_(run_.model(), &parts_.tokenizer, rollout_config(config, run_.model().config())),
      judge_(parts_.make_judge(Purpose::kTraining)),
      audit_({.share = config.audit_share,
              .most = config.audit_most,
              .least = config.audit_least,
              .seed = config.run.seed},
             [this]() -> Judge& { return measuring_judge(); }),
      dev_(config, std::move(parts_.dev_problems), parts_.tokenizer),
      view_(view_of(config, run_.step())),
      step_(config, {.problems = parts_.problems,
                     .tokenizer = parts_.tokenizer,
                     .engine = engine_,
                     .judge = *judge_,
                     .learner = run_.learner(),
                     .reference = reference_.get(),
                     .at = [this](std::string phase) { view_.at(std::move(phase)); },
                     .speed_factor = [this] { return calibration_.factor(); },
                     .before_update = [this] { lend_memory(); },
                     .after_update = [this] { take_memory_back(); }}) {
  check_memory(config, run_.model().place().device);
  const base::Json& saved = run_.counters();
  if (saved.is_null()) return;
  verified_ = saved.value("verified", std::int64_t{0});
  audit_.go_on_from(saved.at("audited"), saved.at("disagreed"));
  if (saved.contains("calibration")) calibration_.go_on_from(saved.at("calibration"));
}

LoopResult Loop::run() {
  refuse_failed_audit();
  if (run_.step() == 0) measure_start();
  while (run_.step() < config_.steps && !stopped_) {
    step();
    refuse_failed_audit();
  }
  return {.steps = run_.step(), .stopped = stopped_};
}

StepResult Loop::sample(std::int64_t number) {
  StepResult result = step_.sample(number);
  if ((number + 1) % config_.audit_every != 0) return result;
  view_.at("audit");
  const auto start = std::chrono::steady_clock::now();
  audit_.check(number, result.groups, [&](const Sample& sample) { return parts_.problems[sample.task].task; });
  calibration_.see(result.groups);
  end_measuring();
  result.audit_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return result;
}

void Loop::finish(std::int64_t number, const StepResult& done) {
  runlog::StepMetrics metrics = step_metrics(done, config_, parts_.agreement, run_.peak_flops());
  verified_ += done.verifier.judged;
  metrics.add("verify/total", static_cast<double>(verified_));
  metrics.add("audit/checked", static_cast<double>(audit_.checked()));
  metrics.add("audit/disagreed", static_cast<double>(audit_.disagreed()));
  if (calibration_.pairs() > 0) {
    metrics.add("calibration/pairs", static_cast<double>(calibration_.pairs()));
    metrics.add("calibration/factor", calibration_.factor());
    metrics.add("calibration/error", calibration_.error());
    metrics.add("calibration/rank_correlation", calibration_.rank_correlation());
  }
  measure_dev(number + 1, metrics);
  runlog::write_samples(run_.folder().samples(number + 1), sample_records(done, parts_.problems, number));
  const bool last = number + 1 == config_.steps;
  stopped_ = !last && (parts_.stop() || audit_.failed());
  const base::Json counters = {{"kind", "rl"},
                               {"verified", verified_},
                               {"audited", audit_.checked()},
                               {"disagreed", audit_.disagreed()},
                               {"calibration", calibration_.saved()}};
  metrics = run_.finish_step(std::move(metrics), done.learned, counters, last || stopped_);
  view_.add(metrics);
  agreement_.see(metrics);
  spread_.see(done);
}

void Loop::measure_start() {
  runlog::StepMetrics metrics;
  measure_dev(0, metrics);
  if (metrics.values.empty()) return;
  run_.record_start(metrics);
  view_.add(metrics);
}

// A machine that fails costs no finished step.
void Loop::step() {
  const std::int64_t number = run_.step();
  StepResult done;
  try {
    done = sample(number);
    step_.learn(number, done);
  } catch (const base::HostError& error) {
    run_.save_before_end(error);
    throw;
  }
  finish(number, done);
}

// What is only for looking at does not end a run.
void Loop::measure_dev(std::int64_t steps, runlog::StepMetrics& metrics) {
  if (!dev_.due(steps)) return;
  view_.at("dev tasks");
  try {
    dev_.measure(engine_, measuring_judge(), metrics);
    end_measuring();
  } catch (const base::HostError& error) {
    base::log::warning("the dev tasks are not measured this time: {}", error.what());
    measuring_judge_.reset();
  }
}

// One verifier at a time: there is a GPU's memory for one.
Judge& Loop::measuring_judge() {
  judge_->rest();
  if (!measuring_judge_) measuring_judge_ = parts_.make_judge(Purpose::kMeasuring);
  return *measuring_judge_;
}

void Loop::end_measuring() {
  if (measuring_judge_ && !measures_apart(config_)) measuring_judge_->rest();
}

// An update needs what rollout and verifier have.
void Loop::lend_memory() {
  judge_->rest();
  engine_.drop_cache();
}

void Loop::take_memory_back() {
  model::release_unused_memory();
  engine_.take_cache();
}

// What is rewarded must be right: there is no going on from here.
void Loop::refuse_failed_audit() const {
  if (!audit_.failed()) return;
  throw base::HostError(
      fmt::format("the whole verifier rejects {} of {} rewarded kernels that it was asked about, more than "
                  "rl.audit_most = {}; the run is saved, and its samples hold both verdicts (\"audit\")",
                  audit_.disagreed(), audit_.checked(), config_.audit_most));
}

void check_lengths(const RlConfig& config, const LoopParts& parts) {
  std::size_t longest = 0;
  for (const auto* problems : {&parts.problems, &parts.dev_problems}) {
    for (const Problem& problem : *problems) longest = std::max(longest, problem.prompt_ids.size());
  }
  const std::int64_t positions = model::read_model_config(config.model).max_positions;
  const std::int64_t left = positions - static_cast<std::int64_t>(longest);
  if (config.max_tokens <= left) return;
  throw base::InputError({.file = "rl.max_tokens"},
                         fmt::format("is {}, but the longest prompt has {} tokens, and the model takes {} in all",
                                     config.max_tokens, longest, positions),
                         fmt::format("at most {} are left, or lower rl.max_prompt_tokens", left));
}

void check_levels(const RlConfig& config, const LoopParts& parts) {
  std::vector<int> levels;
  for (const Problem& problem : parts.problems) levels.push_back(problem.task->level);
  LevelMix(levels, config.level_mix, config.run.seed);
}

}  // namespace

LoopResult run_rl(const RlConfig& config, LoopParts parts) {
  drop_long_prompts(parts.problems, config, config.tasks);
  if (!parts.dev_problems.empty()) drop_long_prompts(parts.dev_problems, config, config.dev);
  check_lengths(config, parts);
  check_levels(config, parts);
  Loop loop(config, std::move(parts));
  try {
    return loop.run();
  } catch (const std::exception& error) {
    base::log::note(fmt::format("ends after step {}: {}", loop.steps(), error.what()));
    throw;
  }
}

}  // namespace tritonrl::rl
