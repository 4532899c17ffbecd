#include "train/run_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "train/flops.h"
#include "train/memory_remedy.h"

namespace tritonrl::train {
namespace {

std::int64_t longest_of(const SftConfig& config, const model::ModelConfig& model, std::span<const TrainText> texts) {
  std::int64_t longest = 0;
  for (const TrainText& text : texts) longest = std::max(longest, text.tokens());
  return texts.empty() ? std::min(config.max_tokens, model.max_positions) : longest;
}

}  // namespace

double RunPlan::step_seconds() const {
  double sum = 0;
  for (const PhaseTime& time : a_step) sum += time.seconds;
  return sum;
}

// In doubles, so that what follows fits 64 bits.
void check_sizes(const model::ModelConfig& model, double texts_a_step, std::int64_t longest_text) {
  const double tokens = texts_a_step * static_cast<double>(longest_text);
  const double widths = static_cast<double>(model.hidden_size) + static_cast<double>(model.intermediate_size) +
                        static_cast<double>(model.qkv_rows());
  const double layer_bytes = 64 * widths * std::max(tokens, static_cast<double>(model.hidden_size));
  const double table_bytes = 64 * static_cast<double>(model.vocab_size) * static_cast<double>(model.hidden_size);
  if (static_cast<double>(model.layers) * layer_bytes + table_bytes < 0x1p62) return;
  throw base::InputError({.file = "a step"},
                         fmt::format("of {:.0f} texts with up to {} tokens each is more than any machine computes",
                                     texts_a_step, longest_text));
}

UpdateShape update_shape(const RunConfig& run, const OptimizerConfig& optimizer, const model::ModelConfig& model,
                         const PlannedDevice& device, std::int64_t texts, std::int64_t longest_text) {
  const std::int64_t most = texts * longest_text;
  return {.model = model,
          .dtype = device.dtype,
          .on_gpu = device.gpu,
          .rule = optimizer.rule,
          .stochastic_rounding = optimizer.stochastic_rounding,
          .half_state = optimizer.half_state,
          .recompute_layers = run.recompute_layers,
          .batch_tokens = std::max(longest_text, std::min(run.batch_tokens, most)),
          .several_batches = most > run.batch_tokens};
}

RunPlan plan_sft(const SftConfig& config, const model::ModelConfig& model, const PlannedDevice& device,
                 std::span<const TrainText> texts) {
  const std::int64_t longest = longest_of(config, model, texts);
  check_sizes(model, static_cast<double>(config.batch), longest);
  const UpdateShape shape = update_shape(config.run, config.optimizer, model, device, config.batch, longest);
  RunPlan plan{.memory = {.moments = update_moments(shape), .device_bytes = device.memory_bytes},
               .tokens_a_step = config.batch * longest,
               .at_most = texts.empty()};
  const auto batch = static_cast<double>(config.batch);
  double flops = batch * training_flops(model, longest, longest);
  if (!texts.empty()) {
    const auto count = static_cast<double>(texts.size());
    plan.steps = static_cast<std::int64_t>(std::ceil(config.epochs * count / batch));
    std::int64_t tokens = 0;
    flops = 0;
    for (const TrainText& text : texts) {
      tokens += text.tokens();
      flops += training_flops(model, text.tokens(), text.scored()) * batch / count;
    }
    plan.tokens_a_step = static_cast<std::int64_t>(std::llround(static_cast<double>(tokens) * batch / count));
  }
  if (device.gpu) {
    const DeviceSpeed speed;
    plan.a_step = {{.phase = "update", .seconds = flops / (speed.flops_per_s * speed.update_share)}};
  }
  return plan;
}

void check_sft_fits(const SftConfig& config, const model::ModelConfig& model, const PlannedDevice& device,
                    std::span<const TrainText> texts) {
  const auto memory_of = [&](const SftConfig& tried) { return plan_sft(tried, model, device, texts).memory; };
  const MemoryPlan plan = memory_of(config);
  if (!device.gpu || plan.fits()) return;
  auto changes =
      changes_of_training<SftConfig>(model, device.dtype == model::DType::kBFloat16, longest_of(config, model, texts));
  changes.emplace_back(halve_state<SftConfig>);
  throw does_not_fit(plan, what_would_fit<SftConfig>(config, changes,
                                                     [&](const SftConfig& tried) { return memory_of(tried).fits(); }));
}

}  // namespace tritonrl::train
