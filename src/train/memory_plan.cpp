#include "train/memory_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "model/token_loss.h"

namespace tritonrl::train {
namespace {

constexpr std::int64_t kFloatBytes = 4;
constexpr std::int64_t kLibraryBytes = std::int64_t{3} << 29;  // context, code, workspaces, what lies between tensors

struct Parameter {
  std::int64_t elements = 0;
  std::int64_t columns = 1;
  std::vector<std::int64_t> matrix_rows = {};  // of the matrices that Muon moves
};

// In the model's order.
std::vector<Parameter> parameters_of(const UpdateShape& shape) {
  const model::ModelConfig& model = shape.model;
  const std::int64_t hidden = model.hidden_size;
  std::vector<Parameter> all;
  const auto vector = [&](std::int64_t size) { all.push_back({.elements = size}); };
  const auto matrix = [&](const std::vector<std::int64_t>& rows, std::int64_t columns) {
    all.push_back({.elements = std::accumulate(rows.begin(), rows.end(), std::int64_t{0}) * columns,
                   .columns = columns,
                   .matrix_rows = shape.rule == UpdateRule::kMuon ? rows : std::vector<std::int64_t>()});
  };
  vector(model.vocab_size * hidden);
  for (std::int64_t layer = 0; layer < model.layers; ++layer) {
    const std::int64_t queries = model.heads * model.head_dim;
    const std::int64_t keys = model.kv_heads * model.head_dim;
    vector(hidden);
    matrix({queries, keys, keys}, hidden);
    vector(model.head_dim);
    vector(model.head_dim);
    matrix({hidden}, queries);
    vector(hidden);
    matrix({model.intermediate_size, model.intermediate_size}, hidden);
    matrix({hidden}, model.intermediate_size);
  }
  vector(hidden);
  if (!model.tied_embeddings) vector(model.vocab_size * hidden);
  return all;
}

std::int64_t width_of(const UpdateShape& shape) { return static_cast<std::int64_t>(kernels::bytes_of(shape.dtype)); }
bool has_half_weights(const UpdateShape& shape) { return shape.dtype != model::DType::kFloat32; }

// A layer that is not run again: norms keep their sums, products their inputs, attention what goes in and comes out.
std::int64_t kept_by_layer(const UpdateShape& shape) {
  const model::ModelConfig& model = shape.model;
  const std::int64_t width = width_of(shape);
  const std::int64_t norm = (kFloatBytes + width) * model.hidden_size + kFloatBytes;
  const std::int64_t queries = model.heads * model.head_dim;
  const std::int64_t keys = model.kv_heads * model.head_dim;
  const std::int64_t attention = width * (model.qkv_rows() + queries + keys + queries) +
                                 kFloatBytes * (model.heads + model.kv_heads + model.heads);
  const std::int64_t gated = width * 3 * model.intermediate_size;
  return shape.batch_tokens * (2 * norm + attention + gated);
}

std::int64_t recomputed_of(const UpdateShape& shape) { return std::min(shape.recompute_layers, shape.model.layers); }

// Of layers that are run again, the stream before each; the first has no residual yet.
std::int64_t kept_by_layers(const UpdateShape& shape) {
  const std::int64_t again = recomputed_of(shape);
  const std::int64_t row = again * width_of(shape) + std::max<std::int64_t>(again - 1, 0) * kFloatBytes;
  return (shape.model.layers - again) * kept_by_layer(shape) + shape.batch_tokens * shape.model.hidden_size * row;
}

std::int64_t kept_by_first_layer(const UpdateShape& shape) {
  if (recomputed_of(shape) == 0) return kept_by_layer(shape);
  return shape.batch_tokens * shape.model.hidden_size * width_of(shape);
}

// Gradients on their way through a layer; flash attention has a buffer in fp32, and keys' gradients for each query
// head.
std::int64_t work_of_layer(const UpdateShape& shape) {
  const model::ModelConfig& model = shape.model;
  const std::int64_t width = width_of(shape);
  const std::int64_t queries = model.heads * model.head_dim;
  const std::int64_t stream = 2 * (kFloatBytes + width) * model.hidden_size;
  const std::int64_t gated = width * (3 * model.intermediate_size + model.hidden_size);
  const std::int64_t attention =
      width * (4 * queries + 2 * model.kv_heads * model.head_dim + model.qkv_rows()) + kFloatBytes * queries;
  return shape.batch_tokens * (stream + std::max(gated, attention));
}

// A chunk's logits and their gradient, the head's gradient in fp32 and what a chunk adds to it.
std::int64_t work_of_scores(const UpdateShape& shape) {
  const model::ModelConfig& model = shape.model;
  const std::int64_t half = has_half_weights(shape) ? width_of(shape) : 0;  // fp32 works in place
  const std::int64_t rows =
      std::min(model::chunk_rows(model::usual_chunk_bytes(shape.on_gpu), model.vocab_size), shape.batch_tokens);
  return (kFloatBytes + half) * (rows + model.hidden_size) * model.vocab_size +
         width_of(shape) * shape.batch_tokens * model.hidden_size;
}

// The matrices of a parameter one after the other: normed, in bf16 on a GPU, and with two squares of their products.
std::int64_t work_of_muon(const Parameter& parameter, const UpdateShape& shape) {
  // The gradient in fp32, the momentum that looks ahead, and of weights without twins these, and the scaled gradient.
  const std::int64_t copies = (has_half_weights(shape) ? kFloatBytes : 0) + kFloatBytes +
                              (shape.stochastic_rounding ? kFloatBytes + width_of(shape) : 0);
  const std::int64_t width = shape.on_gpu ? 2 : kFloatBytes;
  std::int64_t most = 0;
  for (const std::int64_t rows : parameter.matrix_rows) {
    const std::int64_t size = rows * parameter.columns;
    const std::int64_t shorter = std::min(rows, parameter.columns);
    most = std::max({most, (kFloatBytes + width) * size, 2 * width * (size + shorter * shorter)});
  }
  return copies * parameter.elements + most;
}

std::int64_t work_of_optimizer(const UpdateShape& shape) {
  std::int64_t most = 0;
  std::int64_t by_adamw = 0;
  for (const Parameter& parameter : parameters_of(shape)) {
    if (parameter.matrix_rows.empty()) {
      by_adamw += parameter.elements;
    } else {
      most = std::max(most, work_of_muon(parameter, shape));
    }
  }
  // Masters are moved all at once, by gradients in fp32: sums are, a single batch's are not.
  const bool copied = has_half_weights(shape) && !shape.stochastic_rounding && !shape.several_batches;
  return most + (copied ? kFloatBytes * by_adamw : 0);
}

std::int64_t bytes_of_entry(const MemoryMoment& moment, const std::string& name) {
  const auto found = std::ranges::find(moment.entries, name, &MemoryEntry::name);
  return found == moment.entries.end() ? 0 : found->bytes;
}

}  // namespace

std::int64_t MemoryMoment::bytes() const {
  std::int64_t sum = 0;
  for (const MemoryEntry& entry : entries) sum += entry.bytes;
  return sum;
}

const MemoryMoment& MemoryPlan::peak() const {
  base::check(!moments.empty(), "a plan without moments");
  return *std::ranges::max_element(moments, {}, &MemoryMoment::bytes);
}

StateBytes state_bytes(const UpdateShape& shape) {
  const bool half = has_half_weights(shape);
  StateBytes bytes;
  std::int64_t all = 0;
  std::int64_t by_adamw = 0;
  for (const Parameter& parameter : parameters_of(shape)) {
    all += parameter.elements;
    if (parameter.matrix_rows.empty()) by_adamw += parameter.elements;
  }
  bytes.weights = width_of(shape) * all;
  bytes.position_tables = 2 * kFloatBytes * shape.model.max_positions * (shape.model.head_dim / 2);
  bytes.masters = half && !shape.stochastic_rounding ? kFloatBytes * all : 0;
  const std::int64_t state_width = shape.half_state ? width_of(shape) : kFloatBytes;  // Muon's stays in fp32
  bytes.moments = state_width * by_adamw + kFloatBytes * (all - by_adamw);
  bytes.squares = state_width * by_adamw;
  bytes.gradients = width_of(shape) * all;
  if (half && shape.several_batches) bytes.gathered = (shape.stochastic_rounding ? width_of(shape) : kFloatBytes) * all;
  return bytes;
}

std::int64_t kept_activation_bytes(const UpdateShape& shape) {
  const std::int64_t hidden = shape.model.hidden_size;
  const std::int64_t last_norm = kFloatBytes * hidden + kFloatBytes;
  const std::int64_t scored = width_of(shape) * hidden + 3 * kFloatBytes;  // with log-probability, sum and entropy
  const std::int64_t inputs = 3 * 8 + 4;                                   // token, row and target; position
  return kept_by_layers(shape) + shape.batch_tokens * (last_norm + scored + inputs);
}

std::vector<MemoryEntry> lasting_entries(const UpdateShape& shape) {
  const StateBytes state = state_bytes(shape);
  return {{.name = "weights", .bytes = state.weights},
          {.name = "position tables", .bytes = state.position_tables},
          {.name = "fp32 masters", .bytes = state.masters},
          {.name = "moments", .bytes = state.moments},
          {.name = "squares", .bytes = state.squares},
          {.name = "CUDA and libraries", .bytes = shape.on_gpu ? kLibraryBytes : 0, .estimate = true}};
}

std::vector<MemoryMoment> update_moments(const UpdateShape& shape) {
  const StateBytes state = state_bytes(shape);
  const std::vector<MemoryEntry> lasting = lasting_entries(shape);
  const auto moment = [&](const char* name, const std::vector<MemoryEntry>& entries) {
    MemoryMoment made{.name = name, .entries = lasting};
    made.entries.insert(made.entries.end(), entries.begin(), entries.end());
    return made;
  };
  const MemoryEntry gathered{.name = "gathered sums", .bytes = state.gathered};
  const MemoryEntry gradients{.name = "gradients", .bytes = state.gradients};
  const std::int64_t kept = kept_activation_bytes(shape);
  // Gradients in fp32 are there from the batch before.
  const bool from_before = shape.several_batches && !has_half_weights(shape);
  const std::int64_t earlier = from_before ? state.gradients : 0;
  const std::int64_t of_head = width_of(shape) * shape.model.vocab_size * shape.model.hidden_size;

  // Backward frees a layer's activations as it makes its gradients: most is there at its beginning, where it comes to
  // layers that are run again, or at its end.
  const auto backward = [&](std::int64_t made, std::int64_t activations, bool again) {
    return moment("backward", {gathered,
                               {.name = "gradients", .bytes = std::max(earlier, made)},
                               {.name = "activations", .bytes = activations},
                               {.name = "a layer at work",
                                .bytes = work_of_layer(shape) + (again ? kept_by_layer(shape) : 0),
                                .estimate = true}});
  };
  const std::int64_t layers = shape.model.layers;
  const std::int64_t again = recomputed_of(shape);
  const std::int64_t of_no_layer = kept - kept_by_layers(shape);
  const std::int64_t streams = kept_by_layers(shape) - (layers - again) * kept_by_layer(shape);
  const std::vector<MemoryMoment> turns = {
      backward(of_head, kept, again == layers),
      backward(of_head + (state.gradients - of_head) / layers * (layers - again), of_no_layer + streams, again > 0),
      backward(state.gradients, kept_by_first_layer(shape), again > 0)};

  std::vector<MemoryMoment> moments;
  moments.push_back(moment("scores", {gathered,
                                      {.name = "gradients", .bytes = earlier},
                                      {.name = "activations", .bytes = kept},
                                      {.name = "logits", .bytes = work_of_scores(shape)}}));
  moments.push_back(*std::ranges::max_element(turns, {}, &MemoryMoment::bytes));
  // The last batch's gradients go into their sums one after the other.
  if (state.gathered > 0) moments.push_back(moment("gather", {gathered, gradients}));
  moments.push_back(moment(
      "optimizer",
      {state.gathered > 0 ? gathered : gradients,
       {.name = "temporaries", .bytes = work_of_optimizer(shape), .estimate = shape.rule == UpdateRule::kMuon}}));
  return moments;
}

base::InputError does_not_fit(const MemoryPlan& plan, const std::string& remedy) {
  const MemoryMoment& peak = plan.peak();
  const MemoryEntry& largest = *std::ranges::max_element(peak.entries, {}, &MemoryEntry::bytes);
  return {{.file = "memory"},
          fmt::format("the run takes {} GiB at its peak ({}), and the GPU has {}; its largest part: {}, {} GiB",
                      gib_text(peak.bytes()), peak.name, gib_text(plan.device_bytes), largest.name,
                      gib_text(largest.bytes)),
          remedy.empty() ? "no setting makes it fit: take a smaller model" : "this would fit: " + remedy};
}

std::string gib_text(std::int64_t bytes) {
  return fmt::format("{:.2f}", static_cast<double>(bytes) / static_cast<double>(std::int64_t{1} << 30));
}

std::string table_text(const MemoryPlan& plan) {
  std::vector<MemoryEntry> rows;
  for (const MemoryMoment& moment : plan.moments) {
    for (const MemoryEntry& entry : moment.entries) {
      if (entry.bytes == 0) continue;
      const auto known = std::ranges::find(rows, entry.name, &MemoryEntry::name);
      if (known == rows.end()) {
        rows.push_back(entry);
      } else {
        known->estimate = known->estimate || entry.estimate;
      }
    }
  }
  const auto line = [&](const std::string& name, const auto& cell) {
    std::string text = fmt::format("{:<24}", name);
    for (const MemoryMoment& moment : plan.moments) text += fmt::format("{:>11}", cell(moment));
    return text + '\n';
  };
  std::string text = line("GiB", [](const MemoryMoment& moment) { return moment.name; });
  for (const MemoryEntry& row : rows) {
    text += line((row.estimate ? "~ " : "  ") + row.name, [&](const MemoryMoment& moment) {
      const std::int64_t bytes = bytes_of_entry(moment, row.name);
      return bytes == 0 ? std::string("-") : gib_text(bytes);
    });
  }
  text += line("taken", [](const MemoryMoment& moment) { return gib_text(moment.bytes()); });
  text += line("free", [&](const MemoryMoment& moment) { return gib_text(plan.device_bytes - moment.bytes()); });
  return text;
}

}  // namespace tritonrl::train
