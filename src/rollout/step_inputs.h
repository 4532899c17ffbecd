#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <optional>
#include <span>

#include "kernels/sample_tokens.h"
#include "model/qwen3.h"
#include "rollout/model_runner.h"
#include "rollout/step.h"

namespace tritonrl::rollout {

// A list of 32-bit words within a buffer.
struct WordList {
  std::int64_t offset = 0;
  std::int64_t count = 0;
  at::Tensor device;  // as the device sees it after upload()
};

// Words that go to a device in one copy, asynchronous where it is another device than the host's: then the host writes
// two buffers by turns, as the copy of the step before may still be under way.
class WordBuffer {
 public:
  WordBuffer(std::int64_t words, at::Device device);

  WordList append(std::int64_t count);
  // To write before upload().
  std::span<std::int32_t> host(const WordList& list) const;
  void upload();

 private:
  at::Tensor host_;
  at::Tensor other_host_;
  at::Tensor device_;  // host_ itself on the CPU
  std::int64_t used_ = 0;
};

// A step's tokens as the model takes them. Made for so many, it can be filled again and again by steps of at most as
// many: the rest is padding, tokens that are written nowhere and see nothing.
class TokenInputs {
 public:
  struct Extent {
    std::int64_t tokens = 0;
    std::int64_t sequences = 0;
    std::int64_t max_pages = 0;  // of a sequence
    std::int32_t page_size = 0;  // where prompts' parts are attended to apart; 0: they are not
  };
  TokenInputs(const Extent& extent, at::Device device);

  void fill(const Step& step);
  // `drawn` holds the ids that the step before drew.
  model::PagedBatch batch(const at::Tensor& drawn) const;

 private:
  void fill_chunks(const Step& step);

  Extent extent_;
  at::Device device_;
  WordBuffer words_;
  WordList token_ids_, positions_, slots_, query_starts_, context_lengths_, block_table_;
  std::optional<model::PromptChunks> chunks_;
  std::int64_t max_query_length_ = 1;
  bool in_flight_ = true;  // some ids are among the drawn
};

// A step's draws as the sampler takes them, padded likewise.
class DrawInputs {
 public:
  DrawInputs(std::int64_t draws, at::Device device);

  void fill(const Step& step, std::span<const DrawOptions> options);
  // The rows of the step's tokens that are drawn from, each once.
  at::Tensor token_rows() const;
  // Without logits, vocabulary and results.
  kernels::SampleTokens work() const;

 private:
  std::int64_t draws_;
  WordBuffer words_;
  WordList seeds_, token_rows_, rows_, top_k_, positions_, temperatures_, top_p_, min_p_;
  std::int64_t distinct_rows_ = 0;
};

}  // namespace tritonrl::rollout
