#pragma once

#include <cstdint>
#include <memory>

#include "model/qwen3.h"
#include "rollout/config.h"
#include "rollout/engine.h"
#include "rollout/step.h"
#include "tokenizer/tokenizer.h"

namespace tritonrl::rollout {

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

// A model of this process, whose weights may change while nothing is under way. On the CPU a response is the same to
// the bit, whoever else is in the batch.
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
