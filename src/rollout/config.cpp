#include "rollout/config.h"

#include "base/config.h"

namespace tritonrl::rollout {

void declare(base::ConfigFields& fields, RolloutConfig& config) {
  fields.field("memory_fraction", config.memory_fraction);
  fields.require(config.memory_fraction > 0 && config.memory_fraction <= 1, "memory_fraction",
                 "must be above 0, at most 1");
  fields.field("memory_bytes", config.memory_bytes);
  fields.require(config.memory_bytes >= 0, "memory_bytes", "must not be negative");
  fields.field("max_sequences", config.max_sequences);
  fields.require(config.max_sequences > 0 && config.max_sequences <= 4096, "max_sequences",
                 "must be between 1 and 4096");
  fields.field("max_step_tokens", config.max_step_tokens);
  fields.require(config.max_step_tokens >= 0 && config.max_step_tokens <= 1 << 20, "max_step_tokens",
                 "must be between 0 and 1048576");
  fields.field("page_size", config.page_size);
  fields.require(config.page_size >= 0 && config.page_size <= 1024, "page_size", "must be between 0 and 1024");
  fields.field("graphs", config.graphs);
}

}  // namespace tritonrl::rollout
