#include "rollout/cache_size.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "model/qwen3.h"

namespace tritonrl::rollout {

RolloutConfig resolved(RolloutConfig config, const model::ModelConfig& model, bool on_cpu) {
  if (config.max_context == 0) config.max_context = model.max_positions;
  if (config.max_context > model.max_positions) {
    throw base::InputError({.file = "rollout.max_context"}, fmt::format("is {}, but the model was made for {} tokens",
                                                                        config.max_context, model.max_positions));
  }
  if (config.max_step_tokens == 0) config.max_step_tokens = on_cpu ? 512 : 8192;
  if (config.page_size == 0) config.page_size = on_cpu ? 16 : 32;
  config.max_step_tokens = std::max(config.max_step_tokens, config.max_sequences);
  if (!config.read_late) config.read_late = !on_cpu;
  return config;
}

std::int64_t cache_pages(const RolloutConfig& config, const model::ModelConfig& model, model::DType dtype,
                         std::int64_t device_bytes) {
  const std::int64_t page_bytes = config.page_size * model::cache_bytes_per_token(model, dtype);
  const std::int64_t budget =
      config.memory_bytes > 0 ? config.memory_bytes
                              : static_cast<std::int64_t>(config.memory_fraction * static_cast<double>(device_bytes));
  const std::int64_t of_a_sequence = (config.max_context + config.page_size - 1) / config.page_size;
  // More than this can never be held.
  const std::int64_t most = std::min<std::int64_t>(of_a_sequence * config.max_sequences, INT32_MAX / config.page_size);
  const std::int64_t pages = std::min(budget / page_bytes, most);
  if (pages < 2) {
    throw base::InputError(
        {.file = config.memory_bytes > 0 ? "rollout.memory_bytes" : "rollout.memory_fraction"},
        fmt::format("leaves {} bytes for the cache, where {} tokens take {}", budget, config.page_size, page_bytes));
  }
  return pages;
}

}  // namespace tritonrl::rollout
