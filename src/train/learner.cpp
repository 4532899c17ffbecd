#include "train/learner.h"

#include <ATen/Functions.h>
#include <ATen/core/grad_mode.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstring>

#include "model/device_error.h"
#include "model/qwen3.h"
#include "model/token_loss.h"
#include "train/flops.h"

namespace tritonrl::train {
namespace {

template <typename T>
at::Tensor tensor_of(const std::vector<T>& values, at::Device device) {
  const auto type = std::is_same_v<T, std::int64_t> ? at::kLong : at::kInt;
  at::Tensor tensor = at::empty({static_cast<std::int64_t>(values.size())}, type);
  std::memcpy(tensor.mutable_data_ptr(), values.data(), values.size() * sizeof(T));
  return tensor.to(device);
}

at::Tensor floats_of(const std::vector<double>& values) {
  at::Tensor tensor = at::empty({static_cast<std::int64_t>(values.size())}, at::kFloat);
  std::ranges::transform(values, tensor.mutable_data_ptr<float>(),
                         [](double value) { return static_cast<float>(value); });
  return tensor;
}

std::vector<double> to_host(const at::Tensor& tensor) {
  const at::Tensor host = tensor.detach().to(at::kCPU, at::kDouble).contiguous();
  const auto* data = host.const_data_ptr<double>();
  return {data, data + host.numel()};
}

model::TokenLoss score(const model::Qwen3& model, const PackedRows& rows, const LearnerConfig& config) {
  const at::Device device = model.place().device;
  const at::Tensor hidden = model.forward_packed({.token_ids = tensor_of(rows.token_ids, device),
                                                  .positions = tensor_of(rows.positions, device),
                                                  .text_starts = tensor_of(rows.text_starts, device),
                                                  .max_length = rows.max_length},
                                                 {.recompute_layers = config.recompute_layers});
  return model::token_loss(hidden.index_select(0, tensor_of(rows.rows, device)), model.lm_head(),
                           tensor_of(rows.targets, device),
                           {.temperature = config.temperature, .entropy = config.entropy});
}

ScoredTokens scored_tokens(std::span<const std::size_t> texts, const std::vector<double>& log_probs,
                           const std::vector<double>& entropies) {
  return {.texts = texts, .log_probs = log_probs, .entropies = entropies};
}

double sum_of(const model::Qwen3& model, std::span<const TrainText> texts, const LearnerConfig& config,
              const TokenObjective& objective) {
  const at::NoGradGuard no_grad;
  double loss = 0;
  for (const auto& chosen : pack(texts, config.batch_tokens)) {
    const auto values =
        model::during("scores", [&] { return to_host(score(model, pack_rows(texts, chosen), config).log_probs); });
    std::vector<double> gradient(values.size(), 0);
    loss += objective(scored_tokens(chosen, values, {}), gradient);
  }
  return loss;
}

}  // namespace

LearnReport& LearnReport::operator+=(const LearnReport& other) {
  loss += other.loss;
  gradient_norm = other.gradient_norm;
  skipped = skipped || other.skipped;
  tokens += other.tokens;
  batches += other.batches;
  flops += other.flops;
  return *this;
}

Learner::Learner(model::Qwen3& model, const LearnerConfig& config, const UpdateConfig& optimizer)
    : model_(model), config_(config), optimizer_(model.parameters(), optimizer, model.matrix_rows()) {}

LearnReport Learner::learn(std::span<const TrainText> texts, const TokenObjective& objective, double lr) {
  LearnReport report;
  optimizer_.forget_gradients();
  const auto batches = pack(texts, config_.batch_tokens);
  for (const auto& chosen : batches) {
    const PackedRows rows = pack_rows(texts, chosen);
    const model::TokenLoss scored = model::during("scores", [&] { return score(model_, rows, config_); });
    const auto log_probs = model::during("scores", [&] { return to_host(scored.log_probs); });
    const auto entropies = config_.entropy ? to_host(scored.entropy) : std::vector<double>();
    std::vector<double> gradient(log_probs.size(), 0);
    report.loss += objective(scored_tokens(chosen, log_probs, entropies), gradient);
    model::during("backward", [&] {
      scored.log_probs.backward(floats_of(gradient).to(scored.log_probs.device()));
      if (batches.size() > 1) optimizer_.gather_gradients();
    });
    report.tokens += static_cast<std::int64_t>(rows.token_ids.size());
    report.batches += 1;
    for (const std::size_t text : chosen) {
      report.flops += training_flops(model_.config(), texts[text].tokens(), texts[text].scored());
    }
  }
  if (!std::isfinite(report.loss)) {
    report.skipped = true;
    optimizer_.forget_gradients();
    return report;
  }
  torn_ = true;
  const UpdateReport update = model::during("the optimizer's update", [&] { return optimizer_.update(lr); });
  torn_ = false;
  report.gradient_norm = update.gradient_norm;
  report.skipped = update.skipped;
  return report;
}

double Learner::evaluate(std::span<const TrainText> texts, const TokenObjective& objective) const {
  return sum_of(model_, texts, config_, objective);
}

std::vector<std::vector<double>> log_probs(const model::Qwen3& model, std::span<const TrainText> texts,
                                           const LearnerConfig& config) {
  std::vector<std::vector<double>> all(texts.size());
  sum_of(model, texts, config, [&](const ScoredTokens& tokens, std::span<double> /*gradient*/) {
    std::size_t at = 0;
    for (const std::size_t text : tokens.texts) {
      const auto own = tokens.log_probs.subspan(at, static_cast<std::size_t>(texts[text].scored()));
      all[text].assign(own.begin(), own.end());
      at += own.size();
    }
    return 0.0;
  });
  return all;
}

double peak_flops(const model::Qwen3& model) {
  const at::NoGradGuard no_grad;
  const at::Tensor& weights = model.parameters().front();
  const std::int64_t size = weights.is_cuda() ? 8192 : 1024;
  const at::Tensor a = at::ones({size, size}, weights.options().requires_grad(false));
  double best_s = 1e30;
  for (int attempt = 0; attempt < 5; ++attempt) {
    const auto start = std::chrono::steady_clock::now();
    at::mm(a, a).select(0, 0).select(0, 0).item<float>();
    best_s = std::min(best_s, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  }
  return 2 * std::pow(static_cast<double>(size), 3) / best_s;
}

}  // namespace tritonrl::train
