#include <ATen/core/grad_mode.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/from_blob.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <memory>
#include <system_error>

#include "base/error.h"
#include "base/file.h"
#include "base/random.h"
#include "base/text.h"
#include "kernels/parallel_rows.h"
#include "model/qwen3_weights.h"
#include "model/safetensors.h"

// A model's way from random numbers or a Hugging Face directory, and to one.
namespace tritonrl::model {
namespace {

namespace fs = std::filesystem;
using base::InputError;

constexpr const char* kTiedHead = "lm_head.weight";

DType stored_type(const StoredTensor& tensor, const fs::path& file) {
  if (tensor.dtype == "F32") return DType::kFloat32;
  if (tensor.dtype == "BF16") return DType::kBFloat16;
  if (tensor.dtype == "F16") return DType::kFloat16;
  throw InputError({.file = file.string()}, fmt::format("tensor '{}' has dtype {}; weights must be F32, BF16 or F16",
                                                        tensor.name, tensor.dtype));
}

const char* stored_name(DType type) {
  switch (type) {
    case DType::kFloat32:
      return "F32";
    case DType::kBFloat16:
      return "BF16";
    case DType::kFloat16:
      return "F16";
  }
  return "F32";
}

void read_into(const at::Tensor& target, const StoredTensor& tensor, const fs::path& file) {
  if (at::IntArrayRef(tensor.shape) != target.sizes()) {
    throw InputError({.file = file.string()},
                     fmt::format("tensor '{}' has shape [{}] where config.json makes it [{}]", tensor.name,
                                 fmt::join(tensor.shape, ", "), fmt::join(target.sizes(), ", ")));
  }
  auto* bytes = const_cast<std::byte*>(tensor.bytes.data());  // from_blob knows no const; only read from here
  target.copy_(at::from_blob(bytes, tensor.shape, at::TensorOptions(scalar_type_of(stored_type(tensor, file)))));
}

// Norms and projections are drawn in a stream each, so that no draw depends on how others are shaped or spread.
void draw_normal(const at::Tensor& target, double deviation, std::uint64_t seed, std::uint64_t stream) {
  const at::Tensor host = at::empty(target.sizes(), at::kFloat);
  float* values = host.data_ptr<float>();
  constexpr std::int64_t kWordsPerDraw = 4;
  kernels::for_each_range(host.numel(), 1 << 14, [&](std::int64_t begin, std::int64_t end) {
    base::Random random(seed, stream, static_cast<std::uint64_t>(begin * kWordsPerDraw));
    for (std::int64_t i = begin; i < end; ++i) values[i] = static_cast<float>(random.normal() * deviation);
  });
  target.copy_(host);
}

void expect_nothing_else(const StoredWeights& stored, const std::vector<NamedPart>& parts, bool tied) {
  for (const auto* tensor : stored.all()) {
    const bool known = std::ranges::any_of(parts, [&](const NamedPart& part) { return part.name == tensor->name; });
    if (known || (tied && tensor->name == kTiedHead) || tensor->name.ends_with(".rotary_emb.inv_freq")) continue;
    throw InputError({.file = stored.file_of(*tensor).string()},
                     "has a tensor that this model does not: '" + base::printable(tensor->name) + "'",
                     "config.json and the weights are of two models, or an adapter lies among them");
  }
}

// A file may hold the head of a tied model too; then it must be the embedding.
void expect_tied_head(const StoredWeights& stored, const at::Tensor& embedding) {
  const StoredTensor* head = stored.find(kTiedHead);
  if (head == nullptr) return;
  const at::Tensor copy = at::empty_like(embedding);
  read_into(copy, *head, stored.file_of(*head));
  if (!copy.equal(embedding.detach())) {
    throw InputError({.file = stored.file_of(*head).string()},
                     "tensor 'lm_head.weight' differs from the embeddings, and config.json says that they are tied",
                     "set tie_word_embeddings to false in config.json");
  }
}

}  // namespace

Qwen3 Qwen3::random(const ModelConfig& config, std::uint64_t seed, const Place& place) {
  check_model_config(config, "the model's config");
  const at::NoGradGuard no_gradients;
  auto weights = std::make_unique<Weights>(config, place);
  std::uint64_t stream = 0;
  for (const auto& part : named_parts(*weights)) {
    const at::Tensor target = part.of(part.parameter);
    if (target.dim() == 1) {
      target.fill_(1);
    } else {
      draw_normal(target, config.initializer_range, seed, stream);
    }
    ++stream;
  }
  return Qwen3(std::move(weights));
}

Qwen3 Qwen3::unset(const ModelConfig& config, const Place& place) {
  check_model_config(config, "the model's config");
  return Qwen3(std::make_unique<Weights>(config, place));
}

Qwen3 Qwen3::load(const fs::path& folder, const Place& place) {
  const ModelConfig config = read_model_config(folder);
  const StoredWeights stored(folder);
  const at::NoGradGuard no_gradients;
  auto weights = std::make_unique<Weights>(config, place);
  const auto parts = named_parts(*weights);
  expect_nothing_else(stored, parts, config.tied_embeddings);
  for (const auto& part : parts) {
    const StoredTensor* tensor = stored.find(part.name);
    if (tensor == nullptr) {
      throw InputError({.file = folder.string()}, "has no tensor '" + part.name + "'",
                       "config.json and the weights are of two models, or a file is missing");
    }
    read_into(part.of(part.parameter), *tensor, stored.file_of(*tensor));
  }
  if (config.tied_embeddings) expect_tied_head(stored, weights->embedding);
  return Qwen3(std::move(weights));
}

void Qwen3::save(const fs::path& folder, DType stored, std::size_t max_shard_bytes) const {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) throw InputError({.file = folder.string()}, "cannot make this folder: " + error.message());
  std::vector<TensorToStore> tensors;
  auto written = std::make_shared<at::Tensor>();  // the one tensor that is being written, kept until the next
  for (const auto& [name, tensor] : this->tensors()) {
    tensors.push_back({.name = name,
                       .dtype = stored_name(stored),
                       .shape = tensor.sizes().vec(),
                       .size_bytes = static_cast<std::size_t>(tensor.numel()) * kernels::bytes_of(stored),
                       .bytes = [tensor = tensor, written, stored] {
                         *written = tensor.to(at::kCPU, scalar_type_of(stored)).contiguous();
                         return std::span(static_cast<const std::byte*>(written->const_data_ptr()), written->nbytes());
                       }});
  }
  write_weights(folder, tensors, max_shard_bytes);
  ModelConfig described = config();
  described.dtype = stored;
  base::write_file_atomically(folder / "config.json", model_config_text(described));
}

}  // namespace tritonrl::model
