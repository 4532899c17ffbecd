#include "train/memory_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "model/token_loss.h"

namespace tritonrl::train {
namespace {

constexpr std::int64_t kFloatBytes = 4;
constexpr std::int64_t kLibraryBytes = std::int64_t{3} << 29;  // context, code, workspaces, what lies between tensors

// Values, noise, their sum, what is cut off it, and the result in 16 bits.
constexpr std::int64_t kRoundingBytes = 4 + 4 + 4 + 4 + 2;

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

// Where all layers are run again: the stream before each of them, whose first has no residual yet.
std::int64_t kept_by_layers(const UpdateShape& shape) {
  const model::ModelConfig& model = shape.model;
  if (!shape.recompute_layers) return model.layers * kept_by_layer(shape);
  const std::int64_t row = model.layers * width_of(shape) + (model.layers - 1) * kFloatBytes;
  return shape.batch_tokens * model.hidden_size * row;
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
  const std::int64_t again = shape.recompute_layers ? kept_by_layer(shape) : 0;
  return again + shape.batch_tokens * (stream + std::max(gated, attention));
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
  const std::int64_t copies = (shape.stochastic_rounding ? 1 : 0) + (has_half_weights(shape) ? 1 : 0) + 1;
  const std::int64_t width = shape.on_gpu ? 2 : kFloatBytes;
  std::int64_t most = 0;
  for (const std::int64_t rows : parameter.matrix_rows) {
    const std::int64_t size = rows * parameter.columns;
    const std::int64_t shorter = std::min(rows, parameter.columns);
    most = std::max({most, (kFloatBytes + width) * size, 2 * width * (size + shorter * shorter)});
  }
  return copies * kFloatBytes * parameter.elements + most;
}

std::int64_t work_of_rounding(const UpdateShape& shape) {
  if (!shape.stochastic_rounding) return 0;
  std::int64_t most = 0;
  for (const Parameter& parameter : parameters_of(shape)) most = std::max(most, parameter.elements);
  return kRoundingBytes * most;
}

struct Gathering {
  std::int64_t gradients = 0;
  std::int64_t work = 0;
};

// Gradients go into their sums one after the other, each of them gone afterwards.
Gathering gathering_at_its_peak(const UpdateShape& shape) {
  Gathering peak;
  std::int64_t left = state_bytes(shape).gradients;
  for (const Parameter& parameter : parameters_of(shape)) {
    const std::int64_t work = shape.stochastic_rounding ? kRoundingBytes * parameter.elements : 0;
    if (left + work > peak.gradients + peak.work) peak = {.gradients = left, .work = work};
    left -= width_of(shape) * parameter.elements;
  }
  return peak;
}

std::int64_t work_of_optimizer(const UpdateShape& shape) {
  std::int64_t most = work_of_rounding(shape);
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
  bytes.moments = kFloatBytes * all;
  bytes.squares = kFloatBytes * by_adamw;
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

  // Backward frees a layer's activations as it makes its gradients: most is there at its beginning or at its end.
  const MemoryEntry layer{.name = "a layer at work", .bytes = work_of_layer(shape), .estimate = true};
  const MemoryMoment begins = moment("backward", {gathered,
                                                  {.name = "gradients", .bytes = std::max(earlier, of_head)},
                                                  {.name = "activations", .bytes = kept},
                                                  layer});
  const std::int64_t first_layer = kept_by_layers(shape) / shape.model.layers;
  const MemoryMoment ends =
      moment("backward", {gathered, gradients, {.name = "activations", .bytes = first_layer}, layer});

  std::vector<MemoryMoment> moments;
  moments.push_back(moment("scores", {gathered,
                                      {.name = "gradients", .bytes = earlier},
                                      {.name = "activations", .bytes = kept},
                                      {.name = "logits", .bytes = work_of_scores(shape)}}));
  moments.push_back(begins.bytes() > ends.bytes() ? begins : ends);
  if (state.gathered > 0) {
    const Gathering peak = gathering_at_its_peak(shape);
    moments.push_back(moment(
        "gather",
        {gathered, {.name = "gradients", .bytes = peak.gradients}, {.name = "temporaries", .bytes = peak.work}}));
  }
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
