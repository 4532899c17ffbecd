#include "rl/run_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "model/qwen3.h"
#include "rollout/cache_size.h"
#include "train/flops.h"
#include "train/memory_remedy.h"

namespace tritonrl::rl {
namespace {

using train::MemoryMoment;
using train::PlannedDevice;

std::int64_t longest_text(const RlConfig& config, const model::ModelConfig& model) {
  const std::int64_t left = model.max_positions - std::min(config.max_prompt_tokens, model.max_positions);
  return model.max_positions - left + std::min(config.max_tokens, left);
}

std::int64_t texts_of_update(const RlConfig& config) { return config.prompts / config.updates * config.group; }

constexpr std::int64_t kFloatBytes = 4;
constexpr std::int64_t kMostPageTokens = 1024;  // rollout.page_size allows no more

struct Cache {
  std::int64_t bytes = 0;
  std::int64_t tokens = 0;
};

Cache cache_of(const rollout::RolloutConfig& rollout, const model::ModelConfig& model, const PlannedDevice& device) {
  const std::int64_t tokens =
      rollout.page_size * rollout::cache_pages(rollout, model, device.dtype, device.memory_bytes);
  return {.bytes = tokens * model::cache_bytes_per_token(model, device.dtype), .tokens = tokens};
}

// Tokens of a step on their way through a layer, and the logits that are drawn from, with as much to sort them.
std::int64_t work_of_rollout(const rollout::RolloutConfig& rollout, const model::ModelConfig& model,
                             model::DType dtype) {
  const auto width = static_cast<std::int64_t>(kernels::bytes_of(dtype));
  const std::int64_t streams = 2 * kFloatBytes * model.hidden_size;
  const std::int64_t rows =
      2 * model.hidden_size + model.qkv_rows() + 2 * model.heads * model.head_dim + 3 * model.intermediate_size;
  return rollout.max_step_tokens * (streams + width * rows) +
         2 * kFloatBytes * rollout.max_sequences * model.vocab_size;
}

std::int64_t share_of(const PlannedDevice& device, double share) {
  return static_cast<std::int64_t>(share * static_cast<double>(device.memory_bytes));
}

void add_verifier(MemoryMoment& moment, const RlConfig& config, const PlannedDevice& device) {
  moment.entries.push_back({.name = "verifier's tensors", .bytes = share_of(device, config.verify_memory)});
  moment.entries.push_back(
      {.name = "verifier's processes", .bytes = share_of(device, kShareOfVerifierProcesses), .estimate = true});
}

MemoryMoment rollout_moment(const RlConfig& config, const train::UpdateShape& shape, const PlannedDevice& device) {
  const auto rollout = rollout::resolved(rollout_config(config, shape.model), shape.model, !device.gpu);
  MemoryMoment moment{.name = "rollout", .entries = train::lasting_entries(shape)};
  moment.entries.push_back({.name = "rollout cache", .bytes = cache_of(rollout, shape.model, device).bytes});
  if (!device.gpu) {
    // All but embeddings that no product reads, and norms.
    const std::int64_t matrices =
        shape.model.parameters() - (shape.model.tied_embeddings ? 0 : shape.model.vocab_size * shape.model.hidden_size);
    moment.entries.push_back({.name = "rollout's panels", .bytes = kFloatBytes * matrices, .estimate = true});
  }
  moment.entries.push_back(
      {.name = "a rollout step", .bytes = work_of_rollout(rollout, shape.model, device.dtype), .estimate = true});
  if (device.gpu && judges_on_gpu(config)) add_verifier(moment, config, device);
  return moment;
}

// Every response at its longest. Verdicts come in meanwhile, and are not modelled.
std::vector<train::PhaseTime> modelled_times(const RlConfig& config, const model::ModelConfig& model,
                                             const PlannedDevice& device) {
  const train::DeviceSpeed speed;
  const auto as_double = [](std::int64_t value) { return static_cast<double>(value); };
  const std::int64_t longest = longest_text(config, model);
  const std::int64_t drawn = std::min(config.max_tokens, longest);
  const double texts = as_double(config.prompts * config.group);

  const auto rollout = rollout::resolved(rollout_config(config, model), model, !device.gpu);
  const double mean_context = as_double(longest) - as_double(drawn) / 2;
  const double at_once = std::min({as_double(rollout.max_sequences), texts,
                                   std::max(1.0, as_double(cache_of(rollout, model, device).tokens) / mean_context)});
  const double weights = as_double(model.parameters()) * static_cast<double>(kernels::bytes_of(device.dtype));
  const double read = weights + at_once * mean_context * as_double(model::cache_bytes_per_token(model, device.dtype));
  const double decode_s = texts / at_once * as_double(drawn) * read / (speed.bytes_per_s * speed.decode_share);

  const double of_reference = config.kl > 0 ? 1 : config.kl_every > 0 ? 1 / as_double(config.kl_every) : 0;
  const double more_forwards = of_reference + (config.updates > 1 ? 1 : 0);
  const double flops = texts * (train::training_flops(model, longest, drawn) +
                                more_forwards * train::forward_flops(model, longest, drawn));
  return {{.phase = "rollout", .seconds = decode_s},
          {.phase = "update", .seconds = flops / (speed.flops_per_s * speed.update_share)}};
}

// Those of every training, then what rollout, verifier and reference hold.
std::vector<train::Change<RlConfig>> changes_of_rl(const RlConfig& given, const model::ModelConfig& model,
                                                   const PlannedDevice& device) {
  using Fits = train::Fits<RlConfig>;
  const std::int64_t longest = longest_text(given, model);
  auto changes = train::changes_of_training<RlConfig>(model, device.dtype == model::DType::kBFloat16, longest);
  changes.emplace_back([](RlConfig& config, const Fits&) -> std::string {
    if (config.kl > 0 || config.kl_every == 0) return {};
    config.kl_every = 0;
    return "rl.kl_every = 0";
  });
  const auto lowered = [](RlConfig& config, double& share, double least, const Fits& fits) {
    const double before = share;
    for (int hundredths = static_cast<int>(std::ceil(share * 100)) - 1; hundredths > 0 && !fits(config); --hundredths) {
      if (hundredths / 100.0 < least) break;
      share = hundredths / 100.0;
    }
    return share < before;
  };
  // A cache that does not hold one text is of no use, however little it takes.
  const auto pages_of_text =
      static_cast<double>((longest + kMostPageTokens) * model::cache_bytes_per_token(model, device.dtype));
  const double of_text = pages_of_text / static_cast<double>(device.memory_bytes);
  changes.emplace_back([lowered, of_text](RlConfig& config, const Fits& fits) -> std::string {
    if (config.rollout.memory_bytes > 0 || !lowered(config, config.rollout.memory_fraction, of_text, fits)) return {};
    return fmt::format("rollout.memory_fraction = {:.2f}", config.rollout.memory_fraction);
  });
  changes.emplace_back([lowered](RlConfig& config, const Fits& fits) -> std::string {
    if (!judges_on_gpu(config) || !lowered(config, config.verify_memory, 0, fits)) return {};
    return fmt::format("rl.verify_memory = {:.2f}", config.verify_memory);
  });
  changes.emplace_back(train::halve_state<RlConfig>);
  return changes;
}

}  // namespace

bool measures_apart(const RlConfig& config) { return config.verify_device == "cpu" && config.measure_device == "cuda"; }

bool judges_on_gpu(const RlConfig& config) { return config.verify_device != "cpu" || config.measure_device == "cuda"; }

rollout::RolloutConfig rollout_config(const RlConfig& config, const model::ModelConfig& model) {
  rollout::RolloutConfig rollout = config.rollout;
  rollout.max_context = longest_text(config, model);
  return rollout;
}

train::RunPlan plan_rl(const RlConfig& config, const model::ModelConfig& model, const PlannedDevice& device) {
  const std::int64_t longest = longest_text(config, model);
  train::check_sizes(model, static_cast<double>(config.prompts) * static_cast<double>(config.group), longest);
  const train::UpdateShape shape =
      train::update_shape(config.run, config.optimizer, model, device, texts_of_update(config), longest);
  train::RunPlan plan{
      .memory = {.moments = {rollout_moment(config, shape, device)}, .device_bytes = device.memory_bytes},
      .steps = config.steps,
      .tokens_a_step = config.prompts * config.group * longest,
      .at_most = true};
  for (MemoryMoment& moment : train::update_moments(shape)) {
    if (device.gpu && measures_apart(config)) add_verifier(moment, config, device);
    plan.memory.moments.push_back(std::move(moment));
  }
  if (config.kl > 0 || config.kl_every > 0) {
    const train::StateBytes state = train::state_bytes(shape);
    for (MemoryMoment& moment : plan.memory.moments) {
      moment.entries.push_back({.name = "reference model", .bytes = state.weights + state.position_tables});
    }
  }
  if (device.gpu) plan.a_step = modelled_times(config, model, device);
  return plan;
}

void check_rl_fits(const RlConfig& config, const model::ModelConfig& model, const PlannedDevice& device) {
  if (!device.gpu) return;
  const train::MemoryPlan plan = plan_rl(config, model, device).memory;
  if (plan.fits()) return;
  throw train::does_not_fit(
      plan, train::what_would_fit<RlConfig>(config, changes_of_rl(config, model, device), [&](const RlConfig& tried) {
        return plan_rl(tried, model, device).memory.fits();
      }));
}

}  // namespace tritonrl::rl
