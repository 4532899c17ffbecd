#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "model/qwen3.h"
#include "rollout/request.h"
#include "rollout/step.h"

namespace tritonrl::rollout {

struct RunnerConfig {
  std::int64_t pages = 0;
  std::int64_t page_size = 16;
  std::int64_t max_context = 0;  // tokens of a sequence
  std::int64_t max_sequences = 256;
  bool graphs = true;  // decode from CUDA graphs, where there are any
};

// How one draw of a step is made.
struct DrawOptions {
  Sampling sampling;
  std::uint64_t seed = 0;
};

// What a step drew, in the order of its draws.
struct StepTokens {
  std::vector<tokenizer::TokenId> token_ids;
  std::vector<float> log_probs;
  std::vector<float> raw_log_probs;
};

// The model and its cache. On CUDA run() and sample() return before the work is done, and draws stay on the device.
class ModelRunner {
 public:
  // The model is used where it is: its weights may change while the runner rests.
  ModelRunner(const model::Qwen3& model, const RunnerConfig& config);
  ~ModelRunner();

  // The rows of a step's tokens, then its draws from them: always one after the other.
  void run(const Step& step);
  void sample(const Step& step, std::span<const DrawOptions> options);
  // The draws of the oldest step that was not read; waits for it.
  StepTokens read();
  // Does without them.
  void forget();

  // No step is under way, and the weights may change until the next one.
  void rest();

  // The memory of cache and panels goes, and what the cache holds; steps need it back.
  void drop_cache();
  void take_cache();

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace tritonrl::rollout
