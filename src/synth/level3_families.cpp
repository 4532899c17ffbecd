#include <fmt/format.h>

#include <array>

#include "synth/attention_kernels.h"
#include "synth/draft.h"
#include "synth/families.h"
#include "synth/layers.h"
#include "synth/line_kernels.h"
#include "synth/pointwise_kernels.h"

namespace tritonrl::synth {
namespace {

Step residual_step() {
  return {.op = &pointwise_op("add"),
          .constant = {},
          .operand = {.name = "residual", .expression = "residual", .spread = Spread::kSame}};
}

Chain activation(Draft& draft) {
  static const std::vector<std::string> kActivations = {"relu",      "gelu",      "silu", "tanh",  "sigmoid",
                                                        "gelu_tanh", "hardswish", "mish", "relu6", "softsign"};
  Chain chain;
  chain.steps.push_back({.op = &pointwise_op(draft.pick(kActivations)), .constant = {}, .operand = {}});
  return chain;
}

// x as rows of FEATURES, with HIDDEN beside it.
std::int64_t draw_features(Draft& draft) {
  draft.draw_dtype(0.8);
  const std::int64_t rows = draft.pick({128, 512, 2048, 4096});
  draft.size("ROWS", rows, 32, draft.random.between(17, 40) | 1, 3);
  draft.size("FEATURES", draft.pick({128, 256, 512}), 64, draft.random.between(33, 60) | 1, 9);
  draft.size("HIDDEN", draft.pick({256, 512, 1024}), 96, draft.random.between(33, 70) | 1, 11);
  draft.argument("x", {"ROWS", "FEATURES"});
  draft.set_shape_names({"ROWS", "FEATURES"});
  return rows;
}

Problem mlp(base::Random& random) {
  Draft draft(random, "mlp", 3);
  const std::int64_t rows = draw_features(draft);
  const int depth = static_cast<int>(random.between(2, 3));
  for (int n = 1; n <= depth; ++n) {
    Operator& op = add_linear(draft, fmt::format("fc{}", n), n == 1 ? "FEATURES" : "HIDDEN",
                              n == depth ? "FEATURES" : "HIDDEN", rows);
    if (n < depth || draft.chance(0.3)) op.after = activation(draft);
  }
  return std::move(draft.problem);
}

Problem gated_mlp(base::Random& random) {
  Draft draft(random, "gated_mlp", 3);
  const std::int64_t rows = draw_features(draft);
  draft.problem.keeps_input = draft.chance(0.5);
  if (draft.chance(0.5)) add_row_norm(draft, {rows, judged(draft, "FEATURES")});
  Operator& gate = add_linear(draft, "gate", "FEATURES", "HIDDEN", rows);
  gate.to = "gate";
  gate.after = activation(draft);
  Operator& up = add_linear(draft, "up", "FEATURES", "HIDDEN", rows);
  up.after.steps.push_back({.op = &pointwise_op("mul"),
                            .constant = {},
                            .operand = {.name = "gate", .expression = "gate", .spread = Spread::kSame}});
  Operator& down = add_linear(draft, "down", "HIDDEN", "FEATURES", rows);
  if (draft.problem.keeps_input) down.after.steps.push_back(residual_step());
  return std::move(draft.problem);
}

Problem residual_mlp(base::Random& random) {
  Draft draft(random, "residual_mlp", 3);
  const std::int64_t rows = draw_features(draft);
  const Shape shape = {rows, judged(draft, "FEATURES")};
  draft.problem.keeps_input = true;
  const bool first = draft.chance(0.6);
  if (first) add_row_norm(draft, shape);
  Operator& in = add_linear(draft, "fc1", "FEATURES", "HIDDEN", rows);
  in.after = activation(draft);
  Operator& out = add_linear(draft, "fc2", "HIDDEN", "FEATURES", rows);
  if (draft.chance(0.3)) out.after = activation(draft);
  out.after.steps.push_back(residual_step());
  if (!first) add_row_norm(draft, shape);
  return std::move(draft.problem);
}

Problem classifier(base::Random& random) {
  static const std::vector<std::string> kEnds = {"softmax", "log_softmax", "logsumexp"};
  Draft draft(random, "classifier", 3);
  const std::int64_t rows = draw_features(draft);
  if (draft.chance(0.5)) add_row_norm(draft, {rows, judged(draft, "FEATURES")});
  Operator& in = add_linear(draft, "fc1", "FEATURES", "HIDDEN", rows);
  in.after = activation(draft);
  draft.size("CLASSES", draft.pick({100, 256, 1000}), 48, 37, 10);
  Operator& out = add_linear(draft, "fc2", "HIDDEN", "CLASSES", rows);
  if (draft.chance(0.3)) out.after = activation(draft);
  draft.add<LineOperator>(line_op(kEnds[draft.narrow() ? random.between(1, 2) : random.between(0, 2)]),
                          Shape{rows, judged(draft, "CLASSES")}, 1);
  return std::move(draft.problem);
}

Problem attention_block(base::Random& random) {
  Draft draft(random, "attention_block", 3);
  draft.draw_dtype(0.9);
  draft.problem.ieee = !draft.narrow();  // torch's attention does not round its factors
  const std::int64_t batch = draft.pick({1, 2, 4});
  const std::int64_t time = draft.pick({256, 512, 1024});
  const std::int64_t features = draft.pick({256, 512});
  draft.size("BATCH", batch, 1, 2, 1);
  draft.size("TIME", time, 32, random.between(17, 40) | 1, 5);
  draft.size("FEATURES", features, 64, 48, 32);
  draft.size("HEADS", 8, 2, 2, 1);
  draft.argument("x", {"BATCH", "TIME", "FEATURES"});
  draft.set_shape_names({"BATCH", "TIME", "FEATURES"});
  draft.layer("self.heads = " + draft.construct("HEADS"));
  draft.problem.keeps_input = draft.chance(0.6);
  const std::int64_t rows = batch * time;
  if (draft.chance(0.6)) add_row_norm(draft, {batch, time, features});
  add_linear(draft, "key", "FEATURES", "FEATURES", rows).to = "k";
  add_linear(draft, "value", "FEATURES", "FEATURES", rows).to = "v";
  Operator& query = add_linear(draft, "query", "FEATURES", "FEATURES", rows);
  (void)query;
  Operator& attention = draft.add<AttentionOperator>(AttentionForm{.keys = "k",
                                                                   .values = "v",
                                                                   .heads = "self.heads",
                                                                   .causal = draft.chance(0.5),
                                                                   .batch = batch,
                                                                   .head_count = 8,
                                                                   .queries = time,
                                                                   .features = features / 8});
  (void)attention;
  Operator& out = add_linear(draft, "out", "FEATURES", "FEATURES", rows);
  if (draft.chance(0.4)) out.after = activation(draft);
  if (draft.problem.keeps_input) out.after.steps.push_back(residual_step());
  return std::move(draft.problem);
}

// Two convolutions that keep sizes, with `between` drawn.
Problem conv_block(base::Random& random) {
  Draft draft(random, "conv_block", 3);
  draft.draw_dtype(0.7);
  const int dimensions = draft.chance(0.4) ? 1 : 2;
  const Shape shape = draft.draw_image(dimensions, std::int64_t{1} << random.between(20, 22), ImageUse::kConvolution);
  draft.problem.keeps_input = draft.chance(0.6);
  const std::string channels = draft.construct("CHANNELS");
  for (int n = 1; n <= 2; ++n) {
    const bool bias = draft.chance(0.5);
    const int size = draft.chance(0.7) ? 3 : 1;
    draft.layer(fmt::format("self.conv{0} = nn.Conv{1}d({2}, {2}, {3}, padding={4}{5}{6})", n, dimensions, channels,
                            size, size / 2, bias ? "" : ", bias=False", draft.dtype_argument()));
    Operator& op = draft.add<WindowOperator>(Window{.kind = WindowKind::kConvolution,
                                                    .dimensions = dimensions,
                                                    .size = size,
                                                    .stride = 1,
                                                    .padding = size / 2,
                                                    .bias = bias,
                                                    .out_channels = shape[1],
                                                    .layer = fmt::format("self.conv{}", n)},
                                             shape);
    if (n == 1 || draft.chance(0.5)) op.after = activation(draft);
    if (n == 2 && draft.problem.keeps_input) op.after.steps.push_back(residual_step());
  }
  return std::move(draft.problem);
}

Problem conv_net(base::Random& random) {
  Draft draft(random, "conv_net", 3);
  draft.draw_dtype(0.6);
  const int dimensions = draft.chance(0.4) ? 1 : 2;
  const Shape shape = draft.draw_image(dimensions, std::int64_t{1} << random.between(20, 22), ImageUse::kConvolution);
  WindowOperator& conv = add_convolution(draft, dimensions, shape);
  conv.after = activation(draft);
  const Shape middle = conv.result();
  auto& pool =
      draft.add<WindowOperator>(Window{.kind = draft.chance(0.5) ? WindowKind::kMaxPool : WindowKind::kAveragePool,
                                       .dimensions = dimensions,
                                       .size = 2,
                                       .stride = 2,
                                       .padding = 0,
                                       .layer = {}},
                                middle);
  if (draft.chance(0.5)) pool.after = activation(draft);
  Shape end = pool.result();
  if (draft.chance(0.6)) draft.add<LineOperator>(line_op(draft.chance(0.5) ? "mean" : "amax"), end, end.size() - 1);
  return std::move(draft.problem);
}

Problem deep_norm(base::Random& random) {
  Draft draft(random, "deep_norm", 3);
  const std::int64_t rows = draw_features(draft);
  add_row_norm(draft, {rows, judged(draft, "FEATURES")}, "norm1");
  Operator& in = add_linear(draft, "fc1", "FEATURES", "HIDDEN", rows);
  in.after = activation(draft);
  Operator& middle = add_row_norm(draft, {rows, judged(draft, "HIDDEN")}, "norm2");
  if (draft.chance(0.5)) middle.after = activation(draft);
  Operator& out = add_linear(draft, "fc2", "HIDDEN", "FEATURES", rows);
  if (draft.chance(0.5)) out.after = activation(draft);
  return std::move(draft.problem);
}

constexpr std::array<Family, 8> kFamilies = {{{"mlp", 3, mlp},
                                              {"gated_mlp", 3, gated_mlp},
                                              {"residual_mlp", 3, residual_mlp},
                                              {"classifier", 3, classifier},
                                              {"attention_block", 3, attention_block},
                                              {"conv_block", 3, conv_block},
                                              {"conv_net", 3, conv_net},
                                              {"deep_norm", 3, deep_norm}}};

}  // namespace

std::span<const Family> level3_families() { return kFamilies; }

}  // namespace tritonrl::synth
