#pragma once

#include <cstdint>
#include <optional>

namespace tritonrl::base {
class ConfigFields;
}

namespace tritonrl::rollout {

struct RolloutConfig {
  double memory_fraction = 0.3;      // of the device's memory, for the cache
  std::int64_t memory_bytes = 0;     // instead, where it is not 0
  std::int64_t max_context = 0;      // prompt and response; 0: what the model was made for
  std::int64_t max_sequences = 256;  // at once
  std::int64_t max_step_tokens = 0;  // 0: 512 on the CPU, 8192 on a GPU
  std::int64_t page_size = 0;        // tokens; 0: 16 on the CPU, 32 on a GPU
  bool graphs = true;                // decode from CUDA graphs
  // Results are read a step late, so that the device never waits for the host. Off on the CPU, where there is one of
  // them.
  std::optional<bool> read_late = {};
};
// All but max_context, which follows from what is asked for.
void declare(base::ConfigFields& fields, RolloutConfig& config);

}  // namespace tritonrl::rollout
