#include "model/qwen3.h"

#include <ATen/ops/cat.h>
#include <ATen/ops/embedding.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/zeros.h>
#include <torch/csrc/autograd/autograd.h>
#include <torch/csrc/autograd/custom_function.h>

#include <algorithm>
#include <functional>
#include <utility>

#include "kernels/parallel_rows.h"
#include "model/batch_parts.h"
#include "model/fused_ops.h"
#include "model/large_tensor.h"
#include "model/qwen3_weights.h"

namespace tritonrl::model {
namespace {

using Weights = Qwen3::Weights;
// Rows [queries | keys | values] of a layer to the attention's output.
using Attend = std::function<at::Tensor(const at::Tensor& qkv, const ops::HeadWeights& heads)>;

// The residual stream, and what the next sublayer adds to it: the sum is made where it is normed.
struct Stream {
  at::Tensor residual;  // fp32; undefined before the first layer
  at::Tensor added;
};

// The layer's matrices are its own, or their panels with what is wanted soon.
template <typename Matrices, typename... Soon>
Stream run_layer(const Weights& weights, const LayerWeights& layer, const Stream& stream, const Attend& attend,
                 const Matrices& matrices, Soon... soon) {
  const double eps = weights.config.rms_norm_eps;
  const auto before = ops::add_rms_norm(stream.added, stream.residual, layer.input_norm, eps);
  const at::Tensor qkv = ops::linear(before.normed, matrices.qkv, soon...);
  const ops::HeadWeights heads{
      .q_norm = layer.q_norm, .k_norm = layer.k_norm, .cosines = weights.cosines, .sines = weights.sines, .eps = eps};
  const at::Tensor attended = ops::linear(attend(qkv, heads), matrices.o, soon...);
  const auto middle = ops::add_rms_norm(attended, before.sum, layer.post_norm, eps);
  const at::Tensor gated = ops::swiglu(ops::linear(middle.normed, matrices.gate_up, soon...));
  return {.residual = middle.sum, .added = ops::linear(gated, matrices.down, soon...)};
}

// A layer that keeps its input alone, and runs again in backward.
class RecomputedLayer : public torch::autograd::Function<RecomputedLayer> {
 public:
  using Context = torch::autograd::AutogradContext;
  using List = torch::autograd::variable_list;
  using Run = std::function<Stream(const Stream&)>;

  // `weight` is any parameter of the layer: it makes the outputs need gradients where no input does.
  static List forward(Context* context, const at::Tensor& added, const std::optional<at::Tensor>& residual,
                      const at::Tensor& /*weight*/, std::shared_ptr<Run> run) {
    const Stream out = (*run)({.residual = residual.value_or(at::Tensor()), .added = added});
    context->saved_data["run"] = c10::IValue::make_capsule(c10::make_intrusive<Holder>(std::move(run)));
    context->saved_data["residual"] = residual.has_value();
    context->save_for_backward({added, residual.value_or(at::Tensor())});
    return {out.residual, out.added};
  }

  // Parameters get their gradients from the inner backward pass.
  static List backward(Context* context, const List& grads) {
    const auto saved = context->get_saved_variables();
    const bool has_residual = context->saved_data["residual"].toBool();
    const auto leaf = [](const at::Tensor& tensor) { return tensor.detach().requires_grad_(); };
    const Stream in{.residual = has_residual ? leaf(saved[1]) : at::Tensor(), .added = leaf(saved[0])};
    const c10::AutoGradMode with_gradients(true);
    const auto holder = context->saved_data["run"].toCapsule();
    const Stream out = (*static_cast<Holder*>(holder.get())->run)(in);
    torch::autograd::backward({out.residual, out.added}, {grads[0], grads[1]});
    return {in.added.grad(), has_residual ? in.residual.grad() : at::Tensor(), at::Tensor(), at::Tensor()};
  }

 private:
  struct Holder : torch::CustomClassHolder {
    explicit Holder(std::shared_ptr<Run> layer) : run(std::move(layer)) {}
    std::shared_ptr<Run> run;
  };
};

at::Tensor run_layers(const Weights& weights, const at::Tensor& token_ids,
                      const std::function<Stream(std::size_t layer, const Stream&)>& run) {
  Stream stream{.residual = {}, .added = at::embedding(weights.embedding, token_ids)};
  for (std::size_t i = 0; i < weights.layers.size(); ++i) stream = run(i, stream);
  return ops::add_rms_norm(stream.added, stream.residual, weights.final_norm, weights.config.rms_norm_eps).normed;
}

kernels::HeadShape head_shape(const ModelConfig& config, std::int64_t tokens) {
  return {.tokens = tokens, .heads = config.heads, .kv_heads = config.kv_heads, .head_dim = config.head_dim};
}

// The pages of a batch's contexts in one layer, to be fetched while the layer before computes its products.
class PagesAhead {
 public:
  PagesAhead(const PagedBatch& batch, const PagedCache& cache) : batch_(batch), cache_(cache) {}

  kernels::FetchList* list() { return &list_; }

  void want(std::size_t layer) {
    runs_.clear();
    if (layer < cache_.k.size()) {
      const std::int64_t page_floats = cache_.k[layer].stride(0);
      const auto* pages = batch_.block_table.const_data_ptr<std::int32_t>();
      const auto* lengths = batch_.context_lengths.const_data_ptr<std::int32_t>();
      for (std::int64_t request = 0; request < batch_.context_lengths.size(0); ++request) {
        for (const auto* tensors : {&cache_.k, &cache_.v}) {
          const auto* floats = (*tensors)[layer].const_data_ptr<float>();
          for (std::int64_t i = 0; i * cache_.page_size < lengths[request]; ++i) {
            const float* page = floats + pages[request * batch_.block_table.size(1) + i] * page_floats;
            runs_.push_back({.begin = page, .end = page + page_floats});
          }
        }
      }
    }
    list_ = {
        .run = runs_.data(), .end = runs_.data() + runs_.size(), .at = runs_.empty() ? nullptr : runs_.front().begin};
  }

 private:
  const PagedBatch& batch_;
  const PagedCache& cache_;
  std::vector<kernels::FetchRun> runs_;
  kernels::FetchList list_;
};

at::Tensor run_paged(const Weights& weights, const PagedBatch& batch, PagedCache& cache, const ModelPanels* panels) {
  const ops::PagedTexts texts{.positions = batch.positions,
                              .slots = batch.slots,
                              .query_starts = batch.query_starts,
                              .block_table = batch.block_table,
                              .context_lengths = batch.context_lengths,
                              .max_query_length = batch.max_query_length,
                              .chunks = batch.chunks};
  const auto shape = head_shape(weights.config, batch.token_ids.size(0));
  PagesAhead ahead(batch, cache);
  return run_layers(weights, batch.token_ids, [&](std::size_t i, const Stream& stream) {
    const auto attend = [&](const at::Tensor& qkv, const ops::HeadWeights& heads) {
      at::Tensor attended = ops::paged_attention(qkv, heads, texts, shape, cache.k[i], cache.v[i]);
      if (panels != nullptr) ahead.want(i + 1);
      return attended;
    };
    const LayerWeights& layer = weights.layers[i];
    return panels != nullptr ? run_layer(weights, layer, stream, attend, panels->layers[i], ahead.list())
                             : run_layer(weights, layer, stream, attend, layer);
  });
}

}  // namespace

PackedBatch PackedBatch::of(const std::vector<std::vector<std::int64_t>>& texts, at::Device device) {
  std::vector<std::int64_t> ids;
  std::vector<std::int32_t> positions;
  std::vector<std::int32_t> starts{0};
  PackedBatch batch;
  for (const auto& text : texts) {
    ids.insert(ids.end(), text.begin(), text.end());
    for (std::size_t i = 0; i < text.size(); ++i) positions.push_back(static_cast<std::int32_t>(i));
    starts.push_back(static_cast<std::int32_t>(ids.size()));
    batch.max_length = std::max(batch.max_length, static_cast<std::int64_t>(text.size()));
  }
  batch.token_ids = at::tensor(ids, at::kLong).to(device);
  batch.positions = at::tensor(positions, at::kInt).to(device);
  batch.text_starts = at::tensor(starts, at::kInt).to(device);
  return batch;
}

Qwen3::Qwen3(std::unique_ptr<Weights> weights) : weights_(std::move(weights)) {}
Qwen3::Qwen3(Qwen3&&) noexcept = default;
Qwen3& Qwen3::operator=(Qwen3&&) noexcept = default;
Qwen3::~Qwen3() = default;

const ModelConfig& Qwen3::config() const { return weights_->config; }
const Qwen3::Place& Qwen3::place() const { return weights_->place; }
const std::vector<at::Tensor>& Qwen3::parameters() const { return weights_->parameters; }

std::vector<std::vector<std::int64_t>> Qwen3::matrix_rows() const {
  std::vector<std::vector<std::int64_t>> rows(weights_->parameters.size());
  for (const NamedPart& part : named_parts(*weights_)) {
    if (part.parameter.dim() != 2 || !part.name.starts_with("model.layers.")) continue;
    const auto same = [&](const at::Tensor& parameter) { return parameter.is_same(part.parameter); };
    rows[static_cast<std::size_t>(std::ranges::find_if(weights_->parameters, same) - weights_->parameters.begin())]
        .push_back(part.rows);
  }
  return rows;
}
const at::Tensor& Qwen3::lm_head() const { return weights_->lm_head; }

std::vector<NamedTensor> Qwen3::tensors() const {
  std::vector<NamedTensor> tensors;
  for (const auto& part : named_parts(*weights_)) tensors.push_back({part.name, part.of(part.parameter.detach())});
  return tensors;
}

std::vector<NamedTensor> Qwen3::gradients() const {
  std::vector<NamedTensor> gradients;
  for (const auto& part : named_parts(*weights_)) {
    if (part.parameter.grad().defined()) gradients.push_back({part.name, part.of(part.parameter.grad())});
  }
  return gradients;
}

at::Tensor Qwen3::forward_packed(const PackedBatch& batch, const ForwardOptions& options) const {
  const Weights& weights = *weights_;
  const ops::PackedTexts texts{
      .positions = batch.positions, .text_starts = batch.text_starts, .max_length = batch.max_length};
  const auto shape = head_shape(weights.config, batch.token_ids.size(0));
  const Attend attend = [texts, shape](const at::Tensor& qkv, const ops::HeadWeights& heads) {
    return ops::packed_attention(qkv, heads, texts, shape);
  };
  const auto recomputed = static_cast<std::size_t>(at::GradMode::is_enabled() ? options.recompute_layers : 0);
  return run_layers(weights, batch.token_ids, [&](std::size_t i, const Stream& stream) {
    const LayerWeights& layer = weights.layers[i];
    if (i >= recomputed) return run_layer(weights, layer, stream, attend, layer);
    auto run = std::make_shared<RecomputedLayer::Run>(
        [&weights, &layer, attend](const Stream& in) { return run_layer(weights, layer, in, attend, layer); });
    const auto residual = stream.residual.defined() ? std::optional(stream.residual) : std::nullopt;
    const auto out = RecomputedLayer::apply(stream.added, residual, layer.input_norm, std::move(run));
    return Stream{.residual = out[0], .added = out[1]};
  });
}

void Qwen3::cut_panels(ModelPanels& panels) const {
  // In the order in which a step reads them: each product fetches what follows it in memory.
  std::vector<at::Tensor> matrices;
  for (const LayerWeights& layer : weights_->layers) {
    matrices.insert(matrices.end(), {layer.qkv, layer.o, layer.gate_up, layer.down});
  }
  matrices.push_back(weights_->lm_head);
  if (panels.layers.empty()) {
    const auto room = panels_for(matrices);
    for (std::size_t i = 0; i + 1 < room.size(); i += 4) {
      panels.layers.push_back({.qkv = room[i], .o = room[i + 1], .gate_up = room[i + 2], .down = room[i + 3]});
    }
    panels.lm_head = room.back();
  }
  for (std::size_t i = 0; i < weights_->layers.size(); ++i) {
    const LayerWeights& layer = weights_->layers[i];
    cut(layer.qkv, panels.layers[i].qkv);
    cut(layer.o, panels.layers[i].o);
    cut(layer.gate_up, panels.layers[i].gate_up);
    cut(layer.down, panels.layers[i].down);
  }
  cut(weights_->lm_head, panels.lm_head);
}

at::Tensor Qwen3::forward_paged(const PagedBatch& batch, PagedCache& cache, const ModelPanels* panels) const {
  const at::NoGradGuard no_gradients;
  if (weights_->place.device.is_cuda()) return run_paged(*weights_, batch, cache, panels);
  const auto parts = parts_of(batch, config(), kernels::thread_count());
  if (parts.size() == 1) return run_paged(*weights_, batch, cache, panels);
  std::vector<at::Tensor> hidden(parts.size());
  kernels::for_each_range(static_cast<std::int64_t>(parts.size()), 1, [&](std::int64_t begin, std::int64_t end) {
    const at::NoGradGuard of_this_thread;
    for (auto i = static_cast<std::size_t>(begin); i < static_cast<std::size_t>(end); ++i) {
      hidden[i] = run_paged(*weights_, parts[i], cache, panels);
    }
  });
  return at::cat(hidden);
}

PagedCache Qwen3::make_cache(std::int64_t pages, std::int64_t page_size) const {
  const auto& config = weights_->config;
  const auto options = at::TensorOptions(weights_->place.device).dtype(scalar_type_of(weights_->place.dtype));
  PagedCache cache{.k = {}, .v = {}, .page_size = page_size};
  for (std::int64_t i = 0; i < config.layers; ++i) {
    cache.k.push_back(large_tensor({pages, page_size, config.kv_heads, config.head_dim}, options));
    cache.v.push_back(large_tensor({pages, page_size, config.kv_heads, config.head_dim}, options));
  }
  return cache;
}

at::Tensor Qwen3::logits(const at::Tensor& hidden, const ModelPanels* panels) const {
  return panels != nullptr ? ops::linear(hidden, panels->lm_head) : ops::logits(hidden, weights_->lm_head);
}

std::int64_t cache_bytes_per_token(const ModelConfig& config, DType dtype) {
  return 2 * config.layers * config.kv_heads * config.head_dim * static_cast<std::int64_t>(kernels::bytes_of(dtype));
}

}  // namespace tritonrl::model
