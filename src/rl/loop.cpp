#include "rl/loop.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "base/error.h"
#include "base/log.h"
#include "rl/audit.h"
#include "rl/dev_check.h"
#include "rollout/local_engine.h"
#include "runlog/run_view.h"
#include "train/training_run.h"

namespace tritonrl::rl {
namespace {

constexpr double kLeastAgreement = 0.9;

verify::VerifierConfig judge_config(const RlConfig& config, verify::VerifierConfig verifier) {
  verifier.depth = verify::Depth::kTrain;
  if (config.verify_jobs > 0) verifier.jobs = static_cast<unsigned>(config.verify_jobs);
  return verifier;
}

// For what training does not learn from: in full, and on other inputs than training's.
verify::VerifierConfig full_judge_config(const RlConfig& config, const verify::VerifierConfig& verifier) {
  verify::VerifierConfig made = judge_config(config, verifier);
  made.depth = verify::Depth::kFull;
  made.draw = "not for training";
  return made;
}

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

// What is rewarded must be right: there is no going on from here.
void refuse_failed(const Audit& audit, const RlConfig& config) {
  if (!audit.failed()) return;
  throw base::HostError(fmt::format(
      "the whole verifier rejects {} of {} rewarded kernels that it was asked about, more than rl.audit_most "
      "= {}; the run is saved, and its samples hold both verdicts (\"audit\")",
      audit.disagreed(), audit.checked(), config.audit_most));
}

}  // namespace

LoopResult run_rl(const RlConfig& config, LoopParts parts) {
  drop_long_prompts(parts.problems, config, config.tasks);
  if (!parts.dev_problems.empty()) drop_long_prompts(parts.dev_problems, config, config.dev);
  RlConfig resolved = config;
  train::TrainingRun run(config.run, config.optimizer,
                         {.batch_tokens = config.run.batch_tokens,
                          .temperature = config.temperature,
                          .entropy = true,
                          .recompute_layers = config.run.recompute_layers},
                         config.model,
                         base::config_text([&](base::ConfigFields& fields) { declare(fields, resolved); }));
  std::unique_ptr<model::Qwen3> reference;
  if (config.kl > 0 || config.kl_every > 0) {
    reference = std::make_unique<model::Qwen3>(model::Qwen3::load(config.model, train::place_of(config.run)));
  }
  const std::int64_t context = config.max_prompt_tokens + config.max_tokens;
  rollout::LocalEngine engine(run.model(), &parts.tokenizer,
                              {.max_context = std::min(context, run.model().config().max_positions)});
  VerifierJudge judge(judge_config(config, parts.verifier));
  std::unique_ptr<Judge> full;
  const auto full_judge = [&]() -> Judge& {
    if (!full) full = std::make_unique<VerifierJudge>(full_judge_config(config, parts.verifier));
    return *full;
  };
  Audit audit(
      {.share = config.audit_share, .most = config.audit_most, .least = config.audit_least, .seed = config.run.seed},
      full_judge);
  if (!run.counters().is_null()) audit.go_on_from(run.counters().at("audited"), run.counters().at("disagreed"));
  refuse_failed(audit, config);
  runlog::RunView view(view_of(config, run.step()));
  AgreementWatch agreement;
  Step step(config, {.problems = parts.problems,
                     .tokenizer = parts.tokenizer,
                     .engine = engine,
                     .judge = judge,
                     .learner = run.learner(),
                     .reference = reference.get(),
                     .at = [&](std::string phase) { view.at(std::move(phase)); },
                     .before_update = [&] { engine.drop_cache(); },
                     .after_update = [&] { engine.take_cache(); }});

  const DevCheck dev(config, std::move(parts.dev_problems), parts.tokenizer);
  const auto measure_dev = [&](std::int64_t steps, runlog::StepMetrics& metrics) {
    if (!dev.due(steps)) return;
    view.at("dev tasks");
    try {
      dev.measure(engine, full_judge(), metrics);
    } catch (const base::HostError& error) {
      base::log::warning("the dev tasks are not measured this time: {}", error.what());
      full.reset();
    }
  };
  if (run.step() == 0) {
    runlog::StepMetrics metrics;
    measure_dev(0, metrics);
    if (!metrics.values.empty()) {
      run.record_start(metrics);
      view.add(metrics);
    }
  }

  LoopResult result{.steps = run.step()};
  while (run.step() < config.steps && !result.stopped) {
    const std::int64_t number = run.step();
    StepResult done = step.sample(number);
    view.at("audit");
    audit.check(number, done.groups, [&](const Sample& sample) { return parts.problems[sample.task].task; });
    step.learn(number, done);

    runlog::StepMetrics metrics = step_metrics(done, config, parts.agreement, run.peak_flops());
    metrics.add("audit/checked", static_cast<double>(audit.checked()));
    metrics.add("audit/disagreed", static_cast<double>(audit.disagreed()));
    measure_dev(number + 1, metrics);
    runlog::write_samples(run.folder().samples(number + 1), sample_records(done, parts.problems, number));
    const bool last = number + 1 == config.steps;
    result.stopped = !last && (parts.stop() || audit.failed());
    const base::Json counters = {{"kind", "rl"}, {"audited", audit.checked()}, {"disagreed", audit.disagreed()}};
    metrics = run.finish_step(std::move(metrics), done.learned, counters, last || result.stopped);
    result.steps = run.step();
    view.add(metrics);
    agreement.see(metrics);
    refuse_failed(audit, config);
  }
  return result;
}

}  // namespace tritonrl::rl
