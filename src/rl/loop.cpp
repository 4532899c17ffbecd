#include "rl/loop.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <memory>

#include "base/error.h"
#include "base/log.h"
#include "base/progress.h"
#include "rl/audit.h"
#include "rl/dev_check.h"
#include "rollout/local_engine.h"
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

double value_of(const runlog::StepMetrics& metrics, const std::string& name) {
  for (const auto& [known, value] : metrics.values) {
    if (known == name) return value;
  }
  return std::nan("");
}

// "step 12/200  plan 0.61  code 0.52  valid 0.93  correct 0.52  fast 0.40  8412 tokens/s  ...  12m left"
void show(const runlog::StepMetrics& metrics, std::int64_t step, std::int64_t steps, double left_s) {
  const auto value = [&](const char* name) { return value_of(metrics, name); };
  base::log::info(
      "step {}/{}  plan {:.3f}  code {:.3f}  valid {:.2f}  correct {:.2f}  fast {:.2f}  {:.0f} tokens/s  "
      "rollout {:.1f}s  verify {:.1f}s  update {:.1f}s  {} left",
      step, steps, value("reward/speedup"), value("reward/correct"), value("verify/valid"), value("verify/correct"),
      value("verify/fast_1"), value("perf/tokens_per_s"), value("time/rollout"), value("time/verify"),
      value("time/update"), base::duration_text(left_s));
  if (value("completions/plan_code_agreement") < kLeastAgreement) {
    base::log::warning("plan and code agree in {:.0f} % of responses; a lower optimizer.lr or rl.alpha may help",
                       100 * value("completions/plan_code_agreement"));
  }
}

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
  Step step(config, {.problems = parts.problems,
                     .tokenizer = parts.tokenizer,
                     .engine = engine,
                     .judge = judge,
                     .learner = run.learner(),
                     .reference = reference.get(),
                     .before_update = [&] { engine.drop_cache(); },
                     .after_update = [&] { engine.take_cache(); }});

  const DevCheck dev(config, std::move(parts.dev_problems), parts.tokenizer);
  const auto measure_dev = [&](std::int64_t steps, runlog::StepMetrics& metrics) {
    if (!dev.due(steps)) return;
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
    if (!metrics.values.empty()) run.record_start(std::move(metrics));
  }

  LoopResult result{.steps = run.step()};
  const auto start = std::chrono::steady_clock::now();
  const std::int64_t first = run.step();
  while (run.step() < config.steps && !result.stopped) {
    const std::int64_t number = run.step();
    StepResult done = step.sample(number);
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
    const runlog::StepMetrics shown = metrics;
    run.finish_step(std::move(metrics), done.learned, counters, last || result.stopped);
    result.steps = run.step();

    const double elapsed_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    const auto left = static_cast<double>(config.steps - run.step());
    show(shown, run.step(), config.steps, elapsed_s / static_cast<double>(run.step() - first) * left);
    refuse_failed(audit, config);
  }
  return result;
}

}  // namespace tritonrl::rl
