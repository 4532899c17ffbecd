#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "model/qwen3.h"
#include "rollout/engine.h"
#include "rollout/step.h"
#include "tokenizer/tokenizer.h"

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
void declare(base::ConfigFields& fields, RolloutConfig& config);

struct RolloutCounts {
  std::int64_t steps = 0;
  std::int64_t computed_tokens = 0;
  std::int64_t reused_tokens = 0;  // of prompts, found in the cache
  std::int64_t drawn_tokens = 0;
  std::int64_t preemptions = 0;
  std::int64_t pages = 0;
  std::int64_t most_pages_held = 0;
  std::int64_t pages_held = 0;
  std::int64_t cache_bytes = 0;
};

// A model of this process. On the CPU a response is the same to the bit, whoever else is in the batch.
class LocalEngine final : public Engine {
 public:
  // `tokenizer` may be null: then prompts are ids, and nothing is said about texts.
  LocalEngine(const model::Qwen3& model, const tokenizer::Tokenizer* tokenizer, const RolloutConfig& config);
  ~LocalEngine() override;

  std::uint64_t submit(Request request, Listener listener) override;
  bool step() override;

  // Between phases, with nothing under way: the cache's memory for others, and back. What was in it is forgotten.
  void drop_cache();
  void take_cache();
  // The weights have changed: keys and values of earlier prompts are of no use.
  void forget_prefixes();

  RolloutCounts counts() const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace tritonrl::rollout
