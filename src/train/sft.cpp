#include "train/sft.h"

#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <limits>
#include <numeric>

#include "base/log.h"
#include "base/random.h"
#include "runlog/run_view.h"
#include "train/training_run.h"

namespace tritonrl::train {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

// Which texts step `step` sees: epochs one after the other, each in an order of its own.
class Order {
 public:
  Order(std::size_t texts, const SftConfig& config) : texts_(texts), batch_(config.batch), seed_(config.run.seed) {}

  std::vector<std::size_t> of_step(std::int64_t step) {
    std::vector<std::size_t> chosen;
    for (std::int64_t n = step * batch_; n < (step + 1) * batch_; ++n) {
      const auto place = static_cast<std::size_t>(n);
      chosen.push_back(epoch(place / texts_)[place % texts_]);
    }
    return chosen;
  }

 private:
  const std::vector<std::size_t>& epoch(std::size_t number) {
    if (order_.empty() || number != epoch_) {
      order_.resize(texts_);
      std::iota(order_.begin(), order_.end(), std::size_t{0});
      base::Random(seed_, number).shuffle(std::span(order_));
      epoch_ = number;
    }
    return order_;
  }

  std::size_t texts_;
  std::int64_t batch_;
  std::uint64_t seed_;
  std::size_t epoch_ = 0;
  std::vector<std::size_t> order_;
};

// Minus the mean log-probability of all scored tokens.
TokenObjective mean_loss(const std::vector<TrainText>& texts) {
  double tokens = 0;
  for (const TrainText& text : texts) tokens += static_cast<double>(text.scored());
  return [tokens](const ScoredTokens& scored, std::span<double> gradient) {
    double sum = 0;
    for (std::size_t t = 0; t < scored.log_probs.size(); ++t) {
      sum -= scored.log_probs[t];
      gradient[t] = -1 / tokens;
    }
    return sum / tokens;
  };
}

runlog::RunViewConfig view_of(const SftConfig& config, std::int64_t steps, std::int64_t done) {
  return {.kind = "sft",
          .folder = config.run.folder,
          .steps = steps,
          .done = done,
          .rows = {{"loss",
                    {{.metric = "loss/train", .label = "loss", .decimals = 4},
                     {.metric = "loss/dev", .label = "dev", .decimals = 4}}},
                   {"weights",
                    {{.metric = "optim/lr", .label = "lr", .decimals = 7},
                     {.metric = "optim/gradient_norm", .label = "gradient", .decimals = 3}}},
                   {"speed",
                    {{.metric = "perf/tokens_per_s", .decimals = 0, .unit = " tokens/s"},
                     {.metric = "perf/mfu", .label = "share of peak"},
                     {.metric = "time/step", .label = "step", .decimals = 2, .unit = "s"}}}},
          .curve = {.metric = "loss/train", .label = "course", .decimals = 4},
          .line_s = 30};
}

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

LearnReport learn(TrainingRun& run, const std::vector<TrainText>& batch, double lr) {
  try {
    return run.learner().learn(batch, mean_loss(batch), lr);
  } catch (const base::HostError& error) {
    run.save_before_end(error);
    throw;
  }
}

SftResult train(const SftConfig& config, const std::vector<TrainText>& texts, const std::vector<TrainText>& dev,
                const std::function<bool()>& stop, TrainingRun& run) {
  SftResult result{.steps = run.step(), .train_loss = kNaN, .dev_loss = kNaN};
  result.total_steps = static_cast<std::int64_t>(
      std::ceil(config.epochs * static_cast<double>(texts.size()) / static_cast<double>(config.batch)));
  const LrSchedule schedule = config.optimizer.schedule(result.total_steps);
  Order order(texts.size(), config);
  runlog::RunView view(view_of(config, result.total_steps, run.step()));

  while (run.step() < result.total_steps && !result.stopped) {
    const auto start = std::chrono::steady_clock::now();
    std::vector<TrainText> batch;
    for (const std::size_t text : order.of_step(run.step())) batch.push_back(texts[text]);
    const double lr = schedule.at(run.step());
    const LearnReport learned = learn(run, batch, lr);
    const double seconds = seconds_since(start);

    const bool last = run.step() + 1 == result.total_steps;
    result.stopped = !last && stop();
    result.train_loss = learned.loss;
    runlog::StepMetrics metrics;
    metrics.add("loss/train", learned.loss);
    if (!dev.empty() && (last || (run.step() + 1) % config.dev_every == 0)) {
      result.dev_loss = run.learner().evaluate(dev, mean_loss(dev));
      metrics.add("loss/dev", result.dev_loss);
    }
    metrics.add("optim/lr", lr);
    metrics.add("perf/tokens_per_s", static_cast<double>(learned.tokens) / seconds);
    metrics.add("perf/mfu", learned.flops / seconds / run.peak_flops());
    metrics.add("time/step", seconds);
    view.add(run.finish_step(std::move(metrics), learned, {{"kind", "sft"}}, last || result.stopped));
    result.steps = run.step();
  }
  return result;
}

}  // namespace

SftResult run_sft(const SftConfig& config, const std::vector<TrainText>& texts, const std::vector<TrainText>& dev,
                  const std::function<bool()>& stop) {
  SftConfig resolved = config;
  TrainingRun run(config.run, config.optimizer,
                  {.batch_tokens = config.run.batch_tokens, .recompute_layers = config.run.recompute_layers},
                  config.model, base::config_text([&](base::ConfigFields& fields) { declare(fields, resolved); }));
  try {
    return train(config, texts, dev, stop, run);
  } catch (const std::exception& error) {
    base::log::note(fmt::format("ends after step {}: {}", run.step(), error.what()));
    throw;
  }
}

}  // namespace tritonrl::train
