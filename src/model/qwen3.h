#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "model/model_config.h"
#include "model/panels.h"
#include "model/safetensors_writer.h"

namespace tritonrl::model {

// Texts of various lengths, one after the other. Tensors are on the model's device.
struct PackedBatch {
  at::Tensor token_ids;    // [T] int64
  at::Tensor positions;    // [T] int32
  at::Tensor text_starts;  // [S + 1] int32: the tokens of text s are [s], to before [s + 1]
  std::int64_t max_length = 0;

  // Texts that begin at position 0. `token_ids` may lie on the CPU; the batch is made for `device`.
  static PackedBatch of(const std::vector<std::vector<std::int64_t>>& texts, at::Device device);
};

// Keys and values of all layers, in pages of `page_size` tokens: [pages, page_size, kv_heads, head_dim] each.
struct PagedCache {
  std::vector<at::Tensor> k;
  std::vector<at::Tensor> v;
  std::int64_t page_size = 0;
};

// The requests of a batch past the first `decodes`, for flash attention over a copy of their keys and values.
struct PromptChunks {
  std::int64_t decodes = 0;   // requests before them, of one token each
  at::Tensor query_starts;    // [C + 1] int32, from 0
  at::Tensor context_starts;  // [C + 1] int32
  at::Tensor context_slots;   // [sum of contexts] int32
  std::int64_t max_context = 0;
};

// Tokens of several requests, prompt chunks and decoded ones mixed. A request's tokens are its last ones.
struct PagedBatch {
  at::Tensor token_ids;  // [T] int64
  at::Tensor positions;  // [T] int32
  at::Tensor slots;      // [T] int32: page * page_size + offset, where the token's key and value go; negative: nowhere
  at::Tensor query_starts;                  // [R + 1] int32
  at::Tensor block_table;                   // [R, max_pages] int32
  at::Tensor context_lengths;               // [R] int32, with the batch's own tokens
  std::int64_t max_query_length = 0;        // tokens of the request that has the most here; 1 when all decode
  std::optional<PromptChunks> chunks = {};  // on CUDA in half precision, where there are some
};

// A tensor under its Hugging Face name: a view of a parameter.
struct NamedTensor {
  std::string name;
  at::Tensor tensor;
};

struct ForwardOptions {
  // So many layers, from the first, keep nothing but their input and run again in backward: memory for time.
  std::int64_t recompute_layers = 0;
};

// Qwen3: one definition for training and inference, on the CPU (fp32) and on CUDA (fp32, bf16, fp16).
// Queries, keys and values are one parameter, and so are gate and up: one product each. Not safe to call from two
// threads.
class Qwen3 {
 public:
  struct Weights;
  struct Place {
    at::Device device = at::kCPU;
    DType dtype = DType::kFloat32;
  };

  // Weights drawn as transformers draws them: normal with initializer_range, norms one. The same seed gives the same
  // weights on every device.
  static Qwen3 random(const ModelConfig& config, std::uint64_t seed, const Place& place);
  // Weights that hold whatever the memory does, for who fills them.
  static Qwen3 unset(const ModelConfig& config, const Place& place);
  // From a Hugging Face directory. InputError, with file and tensor, for one that is missing or has another shape.
  static Qwen3 load(const std::filesystem::path& folder, const Place& place);
  // Writes config.json and the weights, as `stored`; the folder is made if need be.
  void save(const std::filesystem::path& folder, DType stored, std::size_t max_shard_bytes = kDefaultShardBytes) const;

  Qwen3(Qwen3&&) noexcept;
  Qwen3& operator=(Qwen3&&) noexcept;
  ~Qwen3();

  const ModelConfig& config() const;
  const Place& place() const;

  // The leaves that are trained; gradients are wanted from the start. Tied embeddings are there once.
  const std::vector<at::Tensor>& parameters() const;
  // For each parameter the rows of the matrices that it stacks; none for embeddings, scores and norms.
  std::vector<std::vector<std::int64_t>> matrix_rows() const;
  // The same memory under Hugging Face names; `gradients()` likewise, for parameters that have one.
  std::vector<NamedTensor> tensors() const;
  std::vector<NamedTensor> gradients() const;

  // Hidden states after the last norm, [T, hidden]; differentiable unless gradients are off.
  at::Tensor forward_packed(const PackedBatch& batch, const ForwardOptions& options = {}) const;

  // All matrices as they are now, in memory that panels cut before keep. On the CPU, whoever calls the functions below
  // again and again passes them, and gets the same bits in less time, for as long as no weight changes.
  void cut_panels(ModelPanels& panels) const;

  // The same without gradients, over a cache that it reads and writes. Asynchronous on CUDA; copies nothing to the
  // host, so that a CUDA graph can hold it.
  at::Tensor forward_paged(const PagedBatch& batch, PagedCache& cache, const ModelPanels* panels = nullptr) const;
  PagedCache make_cache(std::int64_t pages, std::int64_t page_size) const;

  // [rows, vocab] of hidden states [rows, hidden], in fp32 whatever the model's type.
  at::Tensor logits(const at::Tensor& hidden, const ModelPanels* panels = nullptr) const;
  // [vocab, hidden]; the embeddings where they are tied.
  const at::Tensor& lm_head() const;

 private:
  explicit Qwen3(std::unique_ptr<Weights> weights);

  std::unique_ptr<Weights> weights_;
};

// Cache bytes of one token: what a context of n tokens takes is n times this.
std::int64_t cache_bytes_per_token(const ModelConfig& config, DType dtype);

}  // namespace tritonrl::model
