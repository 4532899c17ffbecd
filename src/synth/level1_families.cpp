#include <array>

#include <fmt/format.h>

#include "synth/attention_kernels.h"
#include "synth/draft.h"
#include "synth/families.h"
#include "synth/layers.h"
#include "synth/line_kernels.h"
#include "synth/movement_kernels.h"
#include "synth/pointwise_kernels.h"
#include "synth/product_kernels.h"
#include "synth/total_kernels.h"
#include "synth/window_kernels.h"

namespace tritonrl::synth {
namespace {

Problem elementwise(base::Random& random) {
  Draft draft(random, "elementwise", 1);
  draft.draw_dtype(0.4);
  const Shape shape = draft.draw_rows(static_cast<int>(random.between(1, 4)), draft.pick({256, 1000, 4096}),
                                      std::int64_t{1} << random.between(20, 26));
  draft.add<PointwiseOperator>(draft.unary(static_cast<std::size_t>(random.between(1, 3))), shape);
  return std::move(draft.problem);
}

Problem broadcast(base::Random& random) {
  Draft draft(random, "broadcast", 1);
  draft.draw_dtype(0.4);
  const Shape shape = draft.draw_rows(static_cast<int>(random.between(2, 4)), draft.pick({64, 250, 1024, 4096, 9984}),
                                      std::int64_t{1} << random.between(20, 25));
  const int kind = static_cast<int>(random.below(4));
  Operand operand = kind == 0   ? draft.same("other")
                    : kind == 1 ? draft.feature("other", false)
                    : kind == 2 ? draft.row("other")
                                : draft.feature("scale", true);
  Chain chain;
  if (draft.chance(0.6)) chain = draft.unary(1);
  chain.steps.push_back(draw_binary_step(random, std::move(operand)));
  if (draft.chance(0.6)) chain.steps.push_back(draft.unary(1).steps.front());
  draft.add<PointwiseOperator>(std::move(chain), shape);
  return std::move(draft.problem);
}

// A pointwise neighbour before, after, on both sides, or none.
void add_neighbours(Draft& draft, Operator& op, Values before = {}, Values after = {}) {
  if (draft.chance(0.6)) op.before = draft.unary(1, before);
  if (draft.chance(0.6)) op.after = draft.unary(1, after);
}

void add_neighbours(Draft& draft, LineOperator& op) {
  add_neighbours(draft, op, values_before(op.op()), values_after(op.op()));
}

std::int64_t row_length(Draft& draft) {
  return draft.pick({32, 64, 64, 100, 128, 256, 500, 1024, 2048, 4096, 5000, 8192, 16384, 32768});
}

Problem row_reduction(base::Random& random) {
  static const std::vector<std::string> kOps = {"sum",         "mean", "amax", "amin",     "norm",
                                                "mean_square", "var",  "std",  "logsumexp"};
  static const std::vector<std::string> kSplitting = {"sum", "mean", "amax", "amin", "norm", "mean_square"};
  Draft draft(random, "row_reduction", 1);
  draft.draw_dtype(0.3);
  const bool few = draft.chance(0.3);
  const Shape shape = few ? draft.draw_few_rows()
                          : draft.draw_rows(static_cast<int>(random.between(2, 4)), row_length(draft),
                                            std::int64_t{1} << random.between(22, 26));
  auto& op =
      draft.add<LineOperator>(line_op(draft.pick(few ? kSplitting : kOps)), shape, shape.size() - 1, draft.chance(0.5));
  add_neighbours(draft, op);
  return std::move(draft.problem);
}

Problem column_reduction(base::Random& random) {
  static const std::vector<std::string> kOps = {"sum",         "mean", "amax", "amin",     "norm",
                                                "mean_square", "var",  "std",  "logsumexp"};
  static const std::vector<std::string> kSplitting = {"sum", "mean", "amax", "amin", "norm", "mean_square"};
  Draft draft(random, "column_reduction", 1);
  draft.draw_dtype(0.3);
  const bool deep = draft.chance(0.4);
  const std::int64_t length = deep ? draft.pick({2048, 8192, 32768}) : draft.pick({8, 16, 32, 64, 256});
  const Shape shape =
      draft.draw_matrices(static_cast<int>(random.between(3, 4)), length, draft.pick({64, 128, 500, 1024, 4096}),
                          std::int64_t{1} << random.between(22, 25));
  auto& op = draft.add<LineOperator>(line_op(draft.pick(deep ? kSplitting : kOps)), shape, shape.size() - 2,
                                     draft.chance(0.5));
  add_neighbours(draft, op);
  return std::move(draft.problem);
}

Problem arg_reduction(base::Random& random) {
  Draft draft(random, "arg_reduction", 1);
  const Shape shape = draft.draw_rows(static_cast<int>(random.between(2, 4)), row_length(draft),
                                      std::int64_t{1} << random.between(22, 25));
  const bool rows = shape.size() == 2 || draft.chance(0.6);
  auto& op = draft.add<LineOperator>(line_op(draft.chance(0.5) ? "argmax" : "argmin"), shape,
                                     shape.size() - (rows ? 1 : 2), draft.chance(0.5));
  // Only what rounds nothing: an index has no tolerance.
  static const std::vector<std::string> kExact = {"neg", "abs"};
  if (draft.chance(0.6))
    op.before.steps.push_back({.op = &pointwise_op(draft.pick(kExact)), .constant = {}, .operand = {}});
  if (draft.chance(0.5)) {
    Operand other = rows && draft.chance(0.5) ? draft.feature("limit", false) : draft.same("other");
    op.before.steps.push_back(
        {.op = &pointwise_op(draft.chance(0.5) ? "max" : "min"), .constant = {}, .operand = std::move(other)});
    if (draft.chance(0.4))
      op.before.steps.push_back({.op = &pointwise_op(draft.pick(kExact)), .constant = {}, .operand = {}});
  }
  return std::move(draft.problem);
}

Problem softmax(base::Random& random) {
  static const std::vector<std::string> kOps = {"softmax", "log_softmax", "softmin"};
  Draft draft(random, "softmax", 1);
  draft.draw_dtype(0.3);
  const Shape shape = draft.draw_rows(static_cast<int>(random.between(2, 4)), row_length(draft),
                                      std::int64_t{1} << random.between(22, 25));
  const bool rows = shape.size() == 2 || draft.chance(0.75);
  auto& op = draft.add<LineOperator>(line_op(draft.pick(kOps)), shape, shape.size() - (rows ? 1 : 2));
  // Exponentials enlarge what 16 bits rounded before them.
  if (!draft.narrow() && draft.chance(0.6)) op.before = draft.unary(1);
  if (draft.chance(0.6)) op.after = draft.unary(1, values_after(op.op()));
  return std::move(draft.problem);
}

Problem norm(base::Random& random) {
  Draft draft(random, "norm", 1);
  draft.draw_dtype(0.3);
  const Shape shape = draft.draw_rows(static_cast<int>(random.between(2, 4)), row_length(draft),
                                      std::int64_t{1} << random.between(22, 25));
  Operator& op = add_row_norm(draft, shape);
  add_neighbours(draft, op);
  return std::move(draft.problem);
}

Problem channel_norm(base::Random& random) {
  Draft draft(random, "channel_norm", 1);
  const Shape shape =
      draft.draw_image(draft.chance(0.5) ? 1 : 2, std::int64_t{1} << random.between(22, 24), ImageUse::kNorm);
  Operator& op = add_channel_norm(draft, shape);
  if (op.pointwise()) {
    if (draft.chance(0.6)) op.after.steps.push_back(draft.unary(1).steps.front());
    if (draft.chance(0.6)) op.after.steps.push_back(draft.unary(1).steps.front());
  } else {
    add_neighbours(draft, op);
  }
  return std::move(draft.problem);
}

Problem matmul(base::Random& random) {
  Draft draft(random, "matmul", 1);
  draft.draw_dtype(0.7);
  Operator& op = add_matmul(draft);
  add_neighbours(draft, op);
  return std::move(draft.problem);
}

Problem loss(base::Random& random) {
  Draft draft(random, "loss", 1);
  const Shape shape = draft.draw_rows(static_cast<int>(random.between(1, 4)), draft.pick({128, 1000, 4096}),
                                      std::int64_t{1} << random.between(19, 25));
  const Loss& chosen = losses()[random.below(losses().size())];
  draft.argument("target", draft.shape_names(), std::string(chosen.target));
  auto& op = draft.add<TotalOperator>(chosen, draft.chance(0.7), shape);
  op.before = draft.unary(static_cast<std::size_t>(random.between(0, 2)));
  return std::move(draft.problem);
}

Problem scan(base::Random& random) {
  static const std::vector<std::string> kOps = {"cumsum", "exclusive_cumsum", "suffix_sum"};
  Draft draft(random, "scan", 1);
  const Shape shape =
      draft.draw_rows(static_cast<int>(random.between(2, 4)), draft.pick({64, 200, 512, 1024, 4096, 8192}),
                      std::int64_t{1} << random.between(22, 25));
  auto& op = draft.add<LineOperator>(line_op(draft.pick(kOps)), shape, shape.size() - 1);
  add_neighbours(draft, op);
  return std::move(draft.problem);
}

Problem pooling(base::Random& random) {
  Draft draft(random, "pooling", 1);
  draft.draw_dtype(0.3);
  const int dimensions = draft.chance(0.4) ? 1 : 2;
  const Shape shape = draft.draw_image(dimensions, std::int64_t{1} << random.between(22, 25));
  Operator& op = draft.add<WindowOperator>(draw_pool(draft, dimensions), shape);
  add_neighbours(draft, op);
  return std::move(draft.problem);
}

Problem convolution(base::Random& random) {
  Draft draft(random, "convolution", 1);
  draft.draw_dtype(0.5);
  const int dimensions = draft.chance(0.5) ? 1 : 2;
  const Shape shape = draft.draw_image(dimensions, std::int64_t{1} << random.between(21, 23), ImageUse::kConvolution);
  Operator& op = add_convolution(draft, dimensions, shape);
  if (draft.chance(0.7)) op.after = draft.unary(static_cast<std::size_t>(random.between(1, 2)));
  return std::move(draft.problem);
}

Problem movement(base::Random& random) {
  Draft draft(random, "movement", 1);
  draft.draw_dtype(0.3);
  const auto kind = static_cast<Movement>(random.below(6));
  const bool indexed = kind == Movement::kIndexSelect || kind == Movement::kEmbedding || kind == Movement::kGather;
  const int rank = indexed || draft.chance(0.5) ? 2 : 3;
  Shape shape =
      draft.draw_rows(rank, draft.pick({64, 128, 512, 1000, 2048, 4096}), std::int64_t{1} << random.between(21, 24));
  if (kind == Movement::kGather) draft.argument("index", draft.shape_names(), "", "COLS");
  if (kind == Movement::kIndexSelect || kind == Movement::kEmbedding) {
    draft.size("PICKS", shape[0], 48, 33, 5);
    draft.argument("index", {"PICKS"}, "", "ROWS");
  }
  if (kind == Movement::kTranspose) std::swap(shape[shape.size() - 1], shape[shape.size() - 2]);
  auto& op = draft.add<MovementOperator>(kind, shape, static_cast<int>(random.between(1, 9)));
  op.after = draft.unary(static_cast<std::size_t>(random.between(0, 2)));
  return std::move(draft.problem);
}

Problem attention(base::Random& random) {
  Draft draft(random, "attention", 1);
  draft.draw_dtype(0.7);
  draft.problem.ieee = !draft.narrow();  // torch's attention does not round its factors
  const std::int64_t features = draft.pick({32, 64, 128});
  const std::int64_t time = draft.pick({256, 512, 1024, 2048});
  const std::int64_t batch = draft.pick({1, 2, 4});
  draft.size("BATCH", batch, 1, 2, 1);
  draft.size("HEADS", 8, 2, 1, 3);
  draft.size("TIME", time, 64, random.between(33, 90) | 1, 7);
  draft.size("DIM", features, 32, 24, 16);
  for (const char* name : {"x", "k", "v"}) draft.argument(name, {"BATCH", "HEADS", "TIME", "DIM"});
  const bool causal = draft.chance(0.4);
  auto& op = draft.add<AttentionOperator>(AttentionForm{.keys = "k",
                                                        .values = "v",
                                                        .heads = {},
                                                        .causal = causal,
                                                        .spelled_out = !causal && draft.chance(0.5),
                                                        .batch = batch,
                                                        .head_count = 8,
                                                        .queries = time,
                                                        .features = features});
  op.before = {};
  if (draft.chance(0.8)) op.after = draft.unary(static_cast<std::size_t>(random.between(1, 2)));
  return std::move(draft.problem);
}

constexpr std::array<Family, 15> kFamilies = {{{"elementwise", 1, elementwise},
                                               {"broadcast", 1, broadcast},
                                               {"row_reduction", 1, row_reduction},
                                               {"column_reduction", 1, column_reduction},
                                               {"arg_reduction", 1, arg_reduction},
                                               {"softmax", 1, softmax},
                                               {"norm", 1, norm},
                                               {"channel_norm", 1, channel_norm},
                                               {"matmul", 1, matmul},
                                               {"loss", 1, loss},
                                               {"scan", 1, scan},
                                               {"pooling", 1, pooling},
                                               {"convolution", 1, convolution},
                                               {"movement", 1, movement},
                                               {"attention", 1, attention}}};

}  // namespace

std::span<const Family> level1_families() { return kFamilies; }

}  // namespace tritonrl::synth
