#include "synth/join_kernels.h"

#include <fmt/format.h>

#include <algorithm>

#include "synth/template.h"

namespace tritonrl::synth {
namespace {

constexpr std::string_view kJoin = R"(@triton.jit
def $name$(part_ptr, $operands$y_ptr, lines, $sizes$$parts$: tl.constexpr, LANES: tl.constexpr):
    part = tl.arange(0, $parts$)
    offs = tl.program_id(0) * LANES + tl.arange(0, LANES)
    inside = offs < lines
    v = tl.load(part_ptr + part[:, None] * lines + offs[None, :], mask=inside[None, :], other=0.0)
    $combine$
    $chain$
    tl.store(y_ptr + offs, v, mask=inside)
)";

constexpr int kTile = 1024;  // elements that a program joins

}  // namespace

void write_join(Module& module, const Join& join, const Chain& after) {
  const Frame frame{.same = {"offs", "inside"},
                    .feature = {"offs % n_cols", "inside"},
                    .row = {"offs // n_cols", "inside"},
                    .channel = {}};
  const bool columns = std::ranges::any_of(after.steps, [](const Step& step) {
    return step.op->takes_operand && step.operand.spread != Spread::kSame && step.operand.spread != Spread::kNumber;
  });
  const std::string name = module.kernel_name(join.noun);
  module.kernels.push_back(
      fill(kJoin, {{"name", name},
                   {"operands", chain_parameters({}, after)},
                   {"sizes", fmt::format("{}{}", join.length.empty() ? "" : "n, ", columns ? "n_cols, " : "")},
                   {"parts", join.parts},
                   {"combine", join.combine},
                   {"chain", chain_text(after, frame, module)}}));
  const int lanes = std::max(16, kTile / join.count);
  module.forward +=
      fmt::format("{0}[(triton.cdiv({1}, {2}),)](part, {3}y, {1}, {4}{5}{6}={7}, LANES={2}, num_warps={8})\n", name,
                  join.lines, lanes, chain_arguments({}, after), join.length.empty() ? "" : join.length + ", ",
                  columns ? join.columns + ", " : "", join.parts, join.count, join.warps);
}

}  // namespace tritonrl::synth
