#include "rollout/model_runner.h"

#include <ATen/core/grad_mode.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/zeros.h>
#include <c10/core/Event.h>
#include <c10/core/impl/VirtualGuardImpl.h>

#include <algorithm>
#include <deque>
#include <map>
#include <optional>
#include <tuple>

#include "base/error.h"
#include "kernels/sample_tokens.h"
#include "rollout/device_graph.h"
#include "rollout/step_inputs.h"

namespace tritonrl::rollout {
namespace {

// The latest draws: in one piece of memory, so that one copy brings them to the host.
struct DrawnTensors {
  explicit DrawnTensors(const at::Tensor& memory)
      : words(memory),
        token_ids(part(0, 2).view(at::kLong)),
        log_probs(part(2, 1).view(at::kFloat)),
        raw_log_probs(part(3, 1).view(at::kFloat)) {}
  at::Tensor part(std::int64_t first, std::int64_t count) const {
    const std::int64_t draws = words.size(0) / 4;
    return words.narrow(0, first * draws, count * draws);
  }

  at::Tensor words;  // int32, of all three
  at::Tensor token_ids;
  at::Tensor log_probs;
  at::Tensor raw_log_probs;
};

// On its way to the host.
struct PendingTokens {
  DrawnTensors host;
  std::int64_t count;
  std::optional<c10::Event> arrived = {};  // not on the CPU
};

// Decoding of up to so many sequences, recorded.
struct DecodeGraph {
  TokenInputs tokens;
  DrawInputs draws;
  std::optional<DeviceGraph> graph = {};
};

kernels::Stream stream_of(at::Device device) {
  const c10::impl::VirtualGuardImpl guard(device.type());
  return static_cast<kernels::Stream>(guard.getStream(device).native_handle());
}

// Few sizes, so that few graphs are recorded, with little padding in each.
std::int64_t padded(std::int64_t sequences) {
  std::int64_t size = 1;
  while (size < sequences && size < 16) size *= 2;
  return size >= sequences ? size : (sequences + 15) / 16 * 16;
}

}  // namespace

struct ModelRunner::Parts {
  const model::Qwen3& model;
  RunnerConfig config;
  at::Device device;
  model::PagedCache cache = {};
  DrawnTensors drawn;
  std::deque<PendingTokens> pending = {};
  std::map<std::int64_t, DecodeGraph> graphs = {};

  model::ModelPanels panels = {};  // on the CPU: of no use after a rest
  bool rests = true;

  at::Tensor hidden = {};           // from run() to sample()
  DecodeGraph* decoding = nullptr;  // the same, where a graph does both

  std::int64_t max_pages() const { return (config.max_context + config.page_size - 1) / config.page_size; }
  bool attends_chunks() const { return !device.is_cpu() && model.place().dtype != model::DType::kFloat32; }
  const model::ModelPanels* panels_or_null() const { return device.is_cpu() ? &panels : nullptr; }
  void copy_pages(const Step& step);
  void draw(const at::Tensor& logits, const DrawInputs& inputs);
  // The draws start on their way to the host.
  void send(std::int64_t count);
};

ModelRunner::ModelRunner(const model::Qwen3& model, const RunnerConfig& config)
    : parts_(new Parts{.model = model,
                       .config = config,
                       .device = model.place().device,
                       .drawn = DrawnTensors(at::zeros({4 * padded(config.max_sequences)},
                                                       at::TensorOptions(model.place().device).dtype(at::kInt)))}) {
  take_cache();
}

ModelRunner::~ModelRunner() = default;

void ModelRunner::run(const Step& step) {
  Parts& parts = *parts_;
  parts.copy_pages(step);
  const bool decodes = step.only_decodes() && step.draws.size() == static_cast<std::size_t>(step.tokens());
  if (decodes && parts.config.graphs && !parts.device.is_cpu() && DeviceGraph::supported()) {
    const std::int64_t size = padded(step.tokens());
    const auto [place, added] = parts.graphs.try_emplace(
        size, DecodeGraph{.tokens = TokenInputs({.tokens = size, .sequences = size, .max_pages = parts.max_pages()},
                                                parts.device),
                          .draws = DrawInputs(size, parts.device)});
    parts.decoding = &place->second;
    parts.decoding->tokens.fill(step);
    return;
  }
  parts.decoding = nullptr;
  if (parts.device.is_cpu() && parts.rests) parts.model.cut_panels(parts.panels);
  parts.rests = false;
  std::size_t most_pages = 1;
  for (const auto& pages : step.pages) most_pages = std::max(most_pages, pages.size());
  TokenInputs inputs({.tokens = step.tokens(),
                      .sequences = step.sequences(),
                      .max_pages = static_cast<std::int64_t>(most_pages),
                      .page_size = parts.attends_chunks() ? static_cast<std::int32_t>(parts.config.page_size) : 0},
                     parts.device);
  inputs.fill(step);
  parts.hidden = parts.model.forward_paged(inputs.batch(parts.drawn.token_ids), parts.cache, parts.panels_or_null());
}

void ModelRunner::sample(const Step& step, std::span<const DrawOptions> options) {
  const at::NoGradGuard no_gradients;
  Parts& parts = *parts_;
  if (parts.decoding != nullptr) {
    DecodeGraph& decoding = *parts.decoding;
    decoding.draws.fill(step, options);
    if (!decoding.graph) {
      // Recording runs the work once, which draws; the replay must find what the step before drew.
      const at::Tensor drawn_before = parts.drawn.token_ids.clone();
      decoding.graph.emplace([&] {
        const auto batch = decoding.tokens.batch(parts.drawn.token_ids);
        parts.draw(parts.model.logits(parts.model.forward_paged(batch, parts.cache)), decoding.draws);
      });
      parts.drawn.token_ids.copy_(drawn_before);
    }
    decoding.graph->replay();
  } else if (!step.draws.empty()) {
    DrawInputs inputs(static_cast<std::int64_t>(step.draws.size()), parts.device);
    inputs.fill(step, options);
    const at::Tensor rows = inputs.token_rows();
    const bool all = rows.size(0) == parts.hidden.size(0);
    const at::Tensor hidden = all ? parts.hidden : parts.hidden.index_select(0, rows);
    parts.draw(parts.model.logits(hidden, parts.panels_or_null()), inputs);
  }
  parts.hidden = at::Tensor();
  parts.send(static_cast<std::int64_t>(step.draws.size()));
}

StepTokens ModelRunner::read() {
  base::check(!parts_->pending.empty(), "no step is under way");
  const PendingTokens tokens = std::move(parts_->pending.front());
  parts_->pending.pop_front();
  if (tokens.arrived) tokens.arrived->synchronize();
  const auto count = tokens.count;
  StepTokens result;
  const auto* ids = tokens.host.token_ids.const_data_ptr<std::int64_t>();
  result.token_ids.assign(ids, ids + count);
  const auto floats = [count](const at::Tensor& tensor) {
    const auto* data = tensor.const_data_ptr<float>();
    return std::vector<float>(data, data + count);
  };
  result.log_probs = floats(tokens.host.log_probs);
  result.raw_log_probs = floats(tokens.host.raw_log_probs);
  return result;
}

void ModelRunner::forget() {
  if (!parts_->pending.empty()) parts_->pending.pop_front();
}

void ModelRunner::rest() { parts_->rests = true; }

void ModelRunner::drop_cache() {
  parts_->graphs.clear();  // they hold its addresses
  parts_->cache = {};
  parts_->panels = {};
  rest();
}

void ModelRunner::take_cache() {
  if (parts_->cache.k.empty()) parts_->cache = parts_->model.make_cache(parts_->config.pages, parts_->config.page_size);
}

void ModelRunner::Parts::copy_pages(const Step& step) {
  if (step.copies.empty()) return;
  const at::NoGradGuard no_gradients;
  const auto count = static_cast<std::int64_t>(step.copies.size());
  WordBuffer words(2 * count, device);
  const WordList from = words.append(count);
  const WordList to = words.append(count);
  for (std::size_t i = 0; i < step.copies.size(); ++i) {
    std::tie(words.host(from)[i], words.host(to)[i]) = step.copies[i];
  }
  words.upload();
  const at::Tensor sources = from.device.to(at::kLong);
  const at::Tensor targets = to.device.to(at::kLong);
  for (auto* tensors : {&cache.k, &cache.v}) {
    // All are read before any is written: a page may be let go by one and taken by the next.
    for (at::Tensor& pages : *tensors) pages.index_copy_(0, targets, pages.index_select(0, sources));
  }
}

void ModelRunner::Parts::draw(const at::Tensor& logits, const DrawInputs& inputs) {
  kernels::SampleTokens work = inputs.work();
  work.logits = logits.const_data_ptr<float>();
  work.ids = drawn.token_ids.data_ptr<std::int64_t>();
  work.log_probs = drawn.log_probs.data_ptr<float>();
  work.raw_log_probs = drawn.raw_log_probs.data_ptr<float>();
  work.vocabulary = logits.size(1);
  if (device.is_cpu()) {
    kernels::cpu::sample_tokens(work);
  } else {
    const at::Tensor scratch = at::empty({kernels::cuda::sample_tokens_scratch(work)}, logits.options());
    work.scratch = scratch.data_ptr<float>();
    kernels::cuda::sample_tokens(work, stream_of(device));
  }
}

void ModelRunner::Parts::send(std::int64_t count) {
  const auto options = at::TensorOptions(at::kInt).pinned_memory(!device.is_cpu());
  PendingTokens tokens{.host = DrawnTensors(at::empty(drawn.words.sizes(), options)), .count = count};
  tokens.host.words.copy_(drawn.words, /*non_blocking=*/true);
  if (!device.is_cpu()) {
    const c10::impl::VirtualGuardImpl guard(device.type());
    tokens.arrived.emplace(device.type());
    tokens.arrived->record(guard.getStream(device));
  }
  pending.push_back(std::move(tokens));
}

}  // namespace tritonrl::rollout
