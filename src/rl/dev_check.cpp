#include "rl/dev_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <limits>
#include <span>
#include <utility>

#include "base/log.h"
#include "base/random.h"
#include "rl/reward.h"

namespace tritonrl::rl {
namespace {

constexpr std::uint64_t kStream = std::uint64_t{1} << 61;

// Of all samples of the tasks that could be judged.
struct Sums {
  double tasks = 0;
  double solved = 0;  // by at least one sample
  double samples = 0;
  double valid = 0;
  double correct = 0;
  double fast = 0;
  double speedup = 0;  // failures count as 0

  void add(std::span<const Outcome> task) {
    const double before = correct;
    for (const Outcome& outcome : task) {
      valid += outcome.valid ? 1 : 0;
      correct += outcome.correct ? 1 : 0;
      fast += outcome.correct && outcome.speedup > 1 ? 1 : 0;
      speedup += outcome.correct ? outcome.speedup : 0;
    }
    tasks += 1;
    samples += static_cast<double>(task.size());
    solved += correct > before ? 1 : 0;
  }
};

}  // namespace

DevCheck::DevCheck(const RlConfig& config, std::vector<Problem> problems, const tokenizer::Tokenizer& tokenizer)
    : config_(config), problems_(std::move(problems)), tokenizer_(tokenizer) {
  base::Random random(config.run.seed, kStream);
  random.shuffle(std::span(problems_));
  const auto most = static_cast<std::size_t>(config.dev_tasks);
  if (most > 0 && problems_.size() > most) problems_.resize(most);
  seed_ = random.next_u64();
}

bool DevCheck::due(std::int64_t step) const {
  return !problems_.empty() && (step % config_.dev_every == 0 || step == config_.steps);
}

void DevCheck::measure(rollout::Engine& engine, Judge& judge, runlog::StepMetrics& metrics) const {
  const auto start = std::chrono::steady_clock::now();
  std::vector<std::size_t> task_of;  // in the order of submission
  for (std::size_t t = 0; t < problems_.size(); ++t) {
    engine.submit(request_of(problems_[t], config_, tokenizer_, config_.dev_samples, seed_ + t),
                  {.on_response = [&, t](rollout::Response&& response) {
                    task_of.push_back(t);
                    judge.submit({.task = problems_[t].task,
                                  .sample = response.index,
                                  .text = std::move(response.text),
                                  .response = true});
                  }});
  }
  engine.run();
  const auto verdicts = judge.collect();

  std::vector<std::vector<Outcome>> outcomes(problems_.size());
  for (std::size_t n = 0; n < verdicts.size(); ++n) {
    const Problem& problem = problems_[task_of[n]];
    if (verdicts[n].contains("error")) continue;
    outcomes[task_of[n]].push_back(outcome_of(verdicts[n], {.file = problem.task->id}));
  }
  Sums sums;
  for (const auto& task : outcomes) {
    if (static_cast<std::int64_t>(task.size()) == config_.dev_samples) sums.add(task);
  }
  const auto unjudged = static_cast<double>(problems_.size()) - sums.tasks;
  if (unjudged > 0) base::log::warning("{} of {} dev tasks could not be judged", unjudged, problems_.size());
  const auto share = [](double part, double all) {
    return all == 0 ? std::numeric_limits<double>::quiet_NaN() : part / all;
  };
  metrics.add("dev/pass@1", share(sums.correct, sums.samples));
  // Of k samples of k, the unbiased estimator is whether one of them passes.
  if (config_.dev_samples > 1) {
    metrics.add(fmt::format("dev/pass@{}", config_.dev_samples), share(sums.solved, sums.tasks));
  }
  metrics.add("dev/valid", share(sums.valid, sums.samples));
  metrics.add("dev/fast_1", share(sums.fast, sums.samples));
  metrics.add("dev/speedup", share(sums.speedup, sums.samples));
  metrics.add("time/dev", std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
}

}  // namespace tritonrl::rl
