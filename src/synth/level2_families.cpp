#include <array>

#include "synth/draft.h"
#include "synth/families.h"
#include "synth/layers.h"
#include "synth/line_kernels.h"
#include "synth/movement_kernels.h"
#include "synth/pointwise_kernels.h"
#include "synth/total_kernels.h"

namespace tritonrl::synth {
namespace {

using enum Spread;

std::size_t length(Draft& draft, int low, int high) {
  return static_cast<std::size_t>(draft.random.between(low, high));
}
std::int64_t row_length(Draft& draft) {
  return draft.pick({32, 64, 64, 128, 256, 500, 1024, 4096, 8192, 16384, 24576});
}
Shape draw_rows(Draft& draft) {
  return draft.draw_rows(static_cast<int>(draft.random.between(2, 3)), row_length(draft),
                         std::int64_t{1} << draft.random.between(22, 25));
}

Problem pointwise_chain(base::Random& random) {
  Draft draft(random, "pointwise_chain", 2);
  draft.draw_dtype(0.4);
  const Shape shape = draft.draw_rows(static_cast<int>(random.between(2, 3)), draft.pick({64, 250, 1024, 4096}),
                                      std::int64_t{1} << random.between(20, 25));
  draft.add<PointwiseOperator>(draft.mixed(length(draft, 4, 7), {kSame, kFeature, kRow}), shape);
  return std::move(draft.problem);
}

Problem matmul_epilogue(base::Random& random) {
  Draft draft(random, "matmul_epilogue", 2);
  draft.draw_dtype(0.8);
  Operator& op = add_matmul(draft);
  op.after = draft.mixed(length(draft, 3, 5), {kSame, kFeature});
  return std::move(draft.problem);
}

// A linear layer of sizes that are drawn here; what it leaves has shape `result`.
Operator& draw_linear(Draft& draft, Shape& result) {
  const std::int64_t rows = draft.pick({256, 1024, 4096, 8192});
  const std::int64_t in = draft.pick({128, 256, 512, 1024});
  const std::int64_t out = draft.pick({128, 256, 512, 1000, 2048});
  draft.size("ROWS", rows, 48, draft.random.between(17, 50) | 1, 3);
  draft.size("IN_FEATURES", in, 64, draft.random.between(33, 80) | 1, 9);
  draft.size("OUT_FEATURES", out, out % 16 == 0 ? 96 : 100, draft.random.between(33, 90) | 1, 11);
  draft.argument("x", {"ROWS", "IN_FEATURES"});
  draft.set_shape_names({"ROWS", "IN_FEATURES"});
  result = {rows, out};
  return add_linear(draft, "fc", "IN_FEATURES", "OUT_FEATURES", rows);
}

Problem linear_rows(base::Random& random) {
  static const std::vector<std::string> kOps = {"softmax", "log_softmax", "logsumexp", "mean", "amax", "sum", "norm"};
  static const std::vector<std::string> kNarrowOps = {"log_softmax", "logsumexp", "mean", "amax", "norm"};
  Draft draft(random, "linear_rows", 2);
  draft.draw_dtype(0.7);
  Shape shape;
  Operator& linear = draw_linear(draft, shape);
  LineOperator& rows = draft.chance(0.5)
                           ? add_row_norm(draft, shape)
                           : draft.add<LineOperator>(line_op(draft.pick(draft.narrow() ? kNarrowOps : kOps)), shape, 1,
                                                     draft.chance(0.5));
  linear.after = draft.mixed(length(draft, 1, 3), {kSame, kFeature}, values_before(rows.op()));
  rows.after = draft.unary(length(draft, 0, 2), values_after(rows.op()));
  return std::move(draft.problem);
}

Problem conv_epilogue(base::Random& random) {
  Draft draft(random, "conv_epilogue", 2);
  draft.draw_dtype(0.6);
  const int dimensions = draft.chance(0.4) ? 1 : 2;
  const Shape shape = draft.draw_image(dimensions, std::int64_t{1} << random.between(21, 23), ImageUse::kConvolution);
  Operator& op = add_convolution(draft, dimensions, shape);
  op.after = draft.mixed(length(draft, 3, 5), {kChannel});
  return std::move(draft.problem);
}

Problem residual_norm(base::Random& random) {
  Draft draft(random, "residual_norm", 2);
  draft.draw_dtype(0.3);
  const Shape shape = draw_rows(draft);
  Operator& op = add_row_norm(draft, shape);
  op.before.steps.push_back({.op = &pointwise_op("add"), .constant = {}, .operand = draft.same("residual_in")});
  if (draft.chance(0.6)) op.before.steps.push_back(draft.unary(1).steps.front());
  op.after = draft.mixed(length(draft, 1, 3), {kSame, kFeature});
  return std::move(draft.problem);
}

Problem reduction_chain(base::Random& random) {
  static const std::vector<std::string> kOps = {"sum",  "mean",        "amax", "amin",
                                                "norm", "mean_square", "var",  "logsumexp"};
  static const std::vector<std::string> kSplitting = {"sum", "mean", "amax", "amin", "norm", "mean_square"};
  Draft draft(random, "reduction_chain", 2);
  draft.draw_dtype(0.3);
  const bool few = draft.chance(0.3);
  const Shape shape = few ? draft.draw_few_rows() : draw_rows(draft);
  LineOperator& op =
      draft.add<LineOperator>(line_op(draft.pick(few ? kSplitting : kOps)), shape, shape.size() - 1, draft.chance(0.5));
  op.before = draft.mixed(length(draft, 2, 4), {kSame, kFeature}, values_before(op.op()));
  op.after = draft.unary(length(draft, 1, 2), values_after(op.op()));
  return std::move(draft.problem);
}

Problem column_chain(base::Random& random) {
  static const std::vector<std::string> kOps = {"sum", "mean",    "amax",        "norm",
                                                "var", "softmax", "log_softmax", "normalize"};
  static const std::vector<std::string> kSplitting = {"sum", "mean", "amax", "norm"};
  Draft draft(random, "column_chain", 2);
  draft.draw_dtype(0.3);
  const bool deep = draft.chance(0.4);
  const std::int64_t rows = deep ? draft.pick({2048, 8192, 32768}) : draft.pick({8, 16, 32, 64, 256});
  const Shape shape =
      draft.draw_matrices(3, rows, draft.pick({64, 128, 500, 1024, 4096}), std::int64_t{1} << random.between(22, 24));
  LineOperator& op = draft.add<LineOperator>(line_op(draft.pick(deep ? kSplitting : kOps)), shape, 1);
  op.before = draft.mixed(length(draft, 2, 4), {kSame}, values_before(op.op()));
  op.after = draft.unary(length(draft, 1, 2), values_after(op.op()));
  return std::move(draft.problem);
}

Problem softmax_chain(base::Random& random) {
  static const std::vector<std::string> kOps = {"softmax", "log_softmax", "softmin"};
  Draft draft(random, "softmax_chain", 2);  // in fp32: exponentials enlarge what 16 bits rounded before them
  const Shape shape = draw_rows(draft);
  LineOperator& op = draft.add<LineOperator>(line_op(draft.pick(kOps)), shape, shape.size() - 1);
  op.before = draft.mixed(length(draft, 1, 3), {kSame, kFeature, kRow});
  op.after = draft.mixed(length(draft, 1, 3), {kSame, kFeature}, values_after(op.op()));
  return std::move(draft.problem);
}

Problem pool_chain(base::Random& random) {
  Draft draft(random, "pool_chain", 2);
  draft.draw_dtype(0.3);
  const int dimensions = draft.chance(0.4) ? 1 : 2;
  const Shape shape = draft.draw_image(dimensions, std::int64_t{1} << random.between(22, 24));
  Operator& op = draft.add<WindowOperator>(draw_pool(draft, dimensions), shape);
  op.before = draft.unary(length(draft, 1, 2));
  op.after = draft.mixed(length(draft, 2, 3), {kChannel});
  return std::move(draft.problem);
}

Problem scan_chain(base::Random& random) {
  Draft draft(random, "scan_chain", 2);
  const Shape shape = draft.draw_rows(static_cast<int>(random.between(2, 3)), draft.pick({64, 512, 1024, 4096, 8192}),
                                      std::int64_t{1} << random.between(22, 24));
  Operator& op = draft.add<LineOperator>(line_op(draft.chance(0.6) ? "cumsum" : "suffix_sum"), shape, shape.size() - 1);
  op.before = draft.mixed(length(draft, 1, 3), {kSame, kFeature});
  op.after = draft.mixed(length(draft, 1, 3), {kSame, kFeature});
  return std::move(draft.problem);
}

Problem loss_chain(base::Random& random) {
  Draft draft(random, "loss_chain", 2);
  const Shape shape = draft.draw_rows(static_cast<int>(random.between(2, 3)), draft.pick({128, 1000, 4096}),
                                      std::int64_t{1} << random.between(20, 25));
  const Loss& chosen = losses()[random.below(losses().size())];
  draft.argument("target", draft.shape_names(), std::string(chosen.target));
  Operator& op = draft.add<TotalOperator>(chosen, draft.chance(0.7), shape);
  op.before = draft.mixed(length(draft, 3, 5), {kSame});
  return std::move(draft.problem);
}

Problem movement_chain(base::Random& random) {
  Draft draft(random, "movement_chain", 2);
  draft.draw_dtype(0.3);
  Shape shape = draft.draw_rows(static_cast<int>(random.between(2, 3)), draft.pick({64, 128, 512, 1000, 2048}),
                                std::int64_t{1} << random.between(21, 24));
  std::vector<std::string> names = draft.shape_names();
  const auto kind = static_cast<Movement>(random.below(3));
  if (kind == Movement::kTranspose) {
    std::swap(shape[shape.size() - 1], shape[shape.size() - 2]);
    std::swap(names[names.size() - 1], names[names.size() - 2]);
  }
  draft.set_shape_names(std::move(names));
  Operator& op = draft.add<MovementOperator>(kind, shape, static_cast<int>(random.between(1, 9)));
  op.after = draft.mixed(length(draft, 3, 5), {kSame, kFeature});
  return std::move(draft.problem);
}

constexpr std::array<Family, 12> kFamilies = {{{"pointwise_chain", 2, pointwise_chain},
                                               {"matmul_epilogue", 2, matmul_epilogue},
                                               {"linear_rows", 2, linear_rows},
                                               {"conv_epilogue", 2, conv_epilogue},
                                               {"residual_norm", 2, residual_norm},
                                               {"reduction_chain", 2, reduction_chain},
                                               {"column_chain", 2, column_chain},
                                               {"softmax_chain", 2, softmax_chain},
                                               {"pool_chain", 2, pool_chain},
                                               {"scan_chain", 2, scan_chain},
                                               {"loss_chain", 2, loss_chain},
                                               {"movement_chain", 2, movement_chain}}};

}  // namespace

std::span<const Family> level2_families() { return kFamilies; }

}  // namespace tritonrl::synth
