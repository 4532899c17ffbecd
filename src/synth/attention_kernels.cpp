#include "synth/attention_kernels.h"

#include <fmt/format.h>

#include "synth/line_kernels.h"
#include "synth/pointwise_kernels.h"
#include "synth/product_kernels.h"
#include "synth/template.h"

namespace tritonrl::synth {
namespace {

using enum Choice;

constexpr std::string_view kFlash = R"(@triton.jit
def $name$(q_ptr, k_ptr, v_ptr, $operands$y_ptr, H, T, S, D, scale, stride_qb, stride_qh, stride_qt, stride_kb, stride_kh, stride_ks,
           stride_vb, stride_vh, stride_vs, stride_yb, stride_yh, stride_yt, DP: tl.constexpr, BQ: tl.constexpr, BKV: tl.constexpr):
    batch = tl.program_id(1) // H
    head = tl.program_id(1) % H
    t = tl.program_id(0) * BQ + tl.arange(0, BQ)
    d = tl.arange(0, DP)
    rows_inside = (t[:, None] < T) & (d[None, :] < D)
    q = tl.load(q_ptr + batch * stride_qb + head * stride_qh + t[:, None] * stride_qt + d[None, :], mask=rows_inside, other=0.0)
    best = tl.full([BQ], -float("inf"), tl.float32)
    total = tl.zeros([BQ], tl.float32)
    acc = tl.zeros([BQ, DP], tl.float32)
    for start in range(0, $end$, BKV):
        s = start + tl.arange(0, BKV)
        k = tl.load(k_ptr + batch * stride_kb + head * stride_kh + s[None, :] * stride_ks + d[:, None],
                    mask=(s[None, :] < S) & (d[:, None] < D), other=0.0)
        score = tl.dot(q, k$precision$) * scale
        score = tl.where($visible$, score, -float("inf"))
        # online softmax: rescale what was summed under the old maximum
        better = tl.maximum(best, tl.max(score, axis=1))
        p = tl.exp(score - better[:, None])
        shrink = tl.exp(best - better)
        total = total * shrink + tl.sum(p, axis=1)
        value = tl.load(v_ptr + batch * stride_vb + head * stride_vh + s[:, None] * stride_vs + d[None, :],
                        mask=(s[:, None] < S) & (d[None, :] < D), other=0.0)
        acc = acc * shrink[:, None] + tl.dot(p.to(value.dtype), value$precision$)
        best = better
    v = acc / total[:, None]
    $after$
    tl.store(y_ptr + batch * stride_yb + head * stride_yh + t[:, None] * stride_yt + d[None, :], v, mask=rows_inside)
)";

}  // namespace

std::vector<Schedule> AttentionOperator::options() const {
  std::vector<Schedule> options;
  const auto add = [&](int q, int k, int warps, int stages) {
    options.push_back({{kQueryBlock, q}, {kKeyBlock, k}, {kAttentionWarps, warps}, {kAttentionStages, stages}});
  };
  add(16, 16, 4, 1), add(16, 64, 4, 2), add(32, 32, 4, 2), add(64, 32, 4, 2), add(64, 64, 4, 2), add(128, 64, 8, 2),
      add(128, 32, 4, 3);
  return options;
}

std::vector<Schedule> AttentionOperator::unfused_options() const {
  if (form_.causal || !form_.heads.empty()) return options();  // the mask is best applied where the scores are
  std::vector<Schedule> options = tile_options(form_.queries, form_.queries, form_.features);
  for (std::size_t n = 0; n < options.size(); ++n) {
    const int width = form_.queries <= 4096 && n % 2 == 0 ? 0 : 1024;
    options[n].add({{kRowWidth, width}, {kRowCount, 1}, {kRowWarps, 4}});
  }
  return options;
}

std::string AttentionOperator::name() const {
  return fmt::format("attention{}{}{}", form_.causal ? "c" : "", form_.heads.empty() ? "" : "h",
                     form_.spelled_out ? "s" : "");
}

std::string AttentionOperator::words() const { return form_.causal ? "causal attention" : "attention"; }

std::string AttentionOperator::torch(std::string_view x) const {
  if (form_.heads.empty() && form_.spelled_out)
    return fmt::format(
        "torch.matmul(torch.softmax(torch.matmul({0}, {1}.transpose(-2, -1)) * {0}.shape[-1] ** -0.5, dim=-1), {2})", x,
        form_.keys, form_.values);
  if (form_.heads.empty())
    return fmt::format("F.scaled_dot_product_attention({}, {}, {}{})", x, form_.keys, form_.values,
                       form_.causal ? ", is_causal=True" : "");
  const auto split = [&](std::string_view tensor) {
    return fmt::format("{0}.view({0}.shape[0], {0}.shape[1], {1}, -1).transpose(1, 2)", tensor, form_.heads);
  };
  return fmt::format("F.scaled_dot_product_attention({}, {}, {}{}).transpose(1, 2).reshape({}.shape)", split(x),
                     split(form_.keys), split(form_.values), form_.causal ? ", is_causal=True" : "", form_.keys);
}

std::string AttentionOperator::reasoning() const {
  return fmt::format(
      "Scores are {0} x {0} for each of {1} heads; written to memory they would be {2:.0f} MB, so an online softmax "
      "that never stores them saves most traffic. Keys past the end are masked to minus infinity before the maximum.",
      form_.queries, form_.batch * form_.head_count,
      4e-6 * static_cast<double>(form_.queries) * static_cast<double>(form_.queries) *
          static_cast<double>(form_.batch * form_.head_count));
}

void AttentionOperator::write_separately(Module& module, const Schedule& schedule) const {
  const std::int64_t heads = form_.batch * form_.head_count;
  const std::string& x = to;
  module.forward += fmt::format(
      "shape = {0}.shape\nscale = shape[-1] ** -0.5\n{0} = {0}.view(-1, shape[2], shape[3])\nkeys = {1}.view(-1, "
      "{1}.shape[2], shape[3])\nvalues = {2}.view(-1, {2}.shape[2], shape[3])\n",
      x, form_.keys, form_.values);
  const auto run = [&](auto op) {
    op.to = op.from = to;
    op.write(module, schedule);
  };
  run(ProductOperator({.torch = {},
                       .second = "keys",
                       .second_transposed = true,
                       .batched = true,
                       .bias = {},
                       .b = heads,
                       .m = form_.queries,
                       .n = form_.queries,
                       .k = form_.features},
                      ""));
  Chain scale;
  scale.steps.push_back({.op = &pointwise_op("mul"),
                         .constant = {},
                         .operand = {.name = "scale", .expression = "scale", .spread = Spread::kNumber}});
  write_pointwise_kernel(module, schedule, scale, x);
  run(LineOperator(line_op("softmax"), {heads, form_.queries, form_.queries}, 2));
  run(ProductOperator({.torch = {},
                       .second = "values",
                       .batched = true,
                       .bias = {},
                       .b = heads,
                       .m = form_.queries,
                       .n = form_.features,
                       .k = form_.queries},
                      ""));
  module.forward += fmt::format("{0} = {0}.view(shape)\n", x);
}

void AttentionOperator::write_kernels(Module& module, const Schedule& schedule, const Chain& ahead,
                                      const Chain& behind) const {
  if (!schedule.decides(kQueryBlock)) return write_separately(module, schedule);
  (void)ahead;
  const Frame frame{
      .same = {"batch * stride_yb + head * stride_yh + t[:, None] * stride_yt + d[None, :]", "rows_inside"},
      .feature = {},
      .row = {},
      .channel = {}};
  const std::string name = module.kernel_name("attention");
  module.kernels.push_back(
      fill(kFlash, {{"name", name},
                    {"operands", chain_parameters({}, behind)},
                    {"end", form_.causal ? "tl.minimum(S, (tl.program_id(0) + 1) * BQ)" : "S"},
                    {"visible", form_.causal ? "(s[None, :] < S) & (t[:, None] >= s[None, :])" : "s[None, :] < S"},
                    {"precision", module.dtype == Dtype::kFloat32 && module.ieee ? ", input_precision=\"ieee\"" : ""},
                    {"after", chain_text(behind, frame, module)}}));
  const std::string& x = to;
  std::string host = fmt::format("y = torch.empty_like({})\n", x);
  std::string q = x, k = form_.keys, v = form_.values, y = "y";
  if (!form_.heads.empty()) {
    const auto split = [&](std::string& view, std::string_view tensor) {
      view = fmt::format("{}_heads", tensor == x ? "q" : tensor);
      host += fmt::format("{0} = {1}.view({1}.shape[0], {1}.shape[1], {2}, -1).transpose(1, 2)\n", view, tensor,
                          form_.heads);
    };
    split(q, x), split(k, form_.keys), split(v, form_.values), split(y, "y");
  }
  host += fmt::format("B, H, T, D = {}.shape\nS = {}.shape[2]\n", q, k);
  host += fmt::format(
      "{0}[(triton.cdiv(T, {1}), B * H)](\n    {2}, {3}, {4}, {5}{6}, H, T, S, D, D ** -0.5, {2}.stride(0), "
      "{2}.stride(1), {2}.stride(2), {3}.stride(0), {3}.stride(1), {3}.stride(2),\n"
      "    {4}.stride(0), {4}.stride(1), {4}.stride(2), {6}.stride(0), {6}.stride(1), {6}.stride(2), DP=max(16, "
      "triton.next_power_of_2(D)), BQ={1}, BKV={7}, num_warps={8}, num_stages={9})\n{10} = y\n",
      name, schedule[kQueryBlock], q, k, v, chain_arguments({}, behind), y, schedule[kKeyBlock],
      schedule[kAttentionWarps], schedule[kAttentionStages], x);
  module.forward += host;
}

}  // namespace tritonrl::synth
