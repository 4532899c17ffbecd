#include "synth/pointwise_kernels.h"

#include <fmt/format.h>

#include <algorithm>

#include "synth/template.h"

namespace tritonrl::synth {
namespace {

using enum Choice;

constexpr std::string_view kFlat = R"(@triton.jit
def $name$(x_ptr, $operands$y_ptr, n, $sizes$BLOCK: tl.constexpr):
    pid = tl.program_id(0)
    # the last block may reach past the end
    offs = pid * BLOCK + tl.arange(0, BLOCK)
    inside = offs < n
    v = tl.load(x_ptr + offs, mask=inside, other=0.0)$widen$
    $chain$
    tl.store(y_ptr + offs, v, mask=inside)
)";

constexpr std::string_view kPersistent = R"(@triton.jit
def $name$(x_ptr, $operands$y_ptr, n, $sizes$BLOCK: tl.constexpr):
    pid = tl.program_id(0)
    # every program strides over the data
    for start in range(pid * BLOCK, n, tl.num_programs(0) * BLOCK):
        offs = start + tl.arange(0, BLOCK)
        inside = offs < n
        v = tl.load(x_ptr + offs, mask=inside, other=0.0)$widen$
        $chain$
        tl.store(y_ptr + offs, v, mask=inside)
)";

constexpr std::string_view kLaunch = R"(n = $x$.numel()
y = torch.empty_like($x$)
$name$[$grid$]($x$, $arguments$y, n, $sizes$BLOCK=$block$, num_warps=$warps$)
$x$ = y
)";

bool has(const Chain& chain, Spread spread) {
  return std::ranges::any_of(chain.steps,
                             [&](const Step& step) { return step.op->takes_operand && step.operand.spread == spread; });
}

}  // namespace

std::vector<Schedule> flat_options(std::int64_t elements) {
  std::vector<Schedule> options = {
      {{kFlatBlock, 128}, {kFlatWarps, 1}, {kFlatPersistent, 0}},
      {{kFlatBlock, 256}, {kFlatWarps, 8}, {kFlatPersistent, 0}},
      {{kFlatBlock, 1024}, {kFlatWarps, 4}, {kFlatPersistent, 0}},
      {{kFlatBlock, 1024}, {kFlatWarps, 8}, {kFlatPersistent, 0}},
      {{kFlatBlock, 2048}, {kFlatWarps, 8}, {kFlatPersistent, 0}},
      {{kFlatBlock, 4096}, {kFlatWarps, 8}, {kFlatPersistent, 0}},
      {{kFlatBlock, 1024}, {kFlatWarps, 4}, {kFlatPersistent, 1}},
      {{kFlatBlock, 4096}, {kFlatWarps, 4}, {kFlatPersistent, 1}},
  };
  if (elements >= 1 << 20) options.push_back({{kFlatBlock, 16384}, {kFlatWarps, 4}, {kFlatPersistent, 0}});
  return options;
}

void write_pointwise_kernel(Module& module, const Schedule& schedule, const Chain& chain, const std::string& value) {
  module.use(chain);
  const bool persistent = schedule[kFlatPersistent] == 1;
  const bool columns = has(chain, Spread::kFeature) || has(chain, Spread::kRow);
  const bool channels = has(chain, Spread::kChannel);
  const Frame frame{.same = {"offs", "inside"},
                    .feature = {"offs % n_cols", "inside"},
                    .row = {"offs // n_cols", "inside"},
                    .channel = {"offs // inner % channels", "inside"}};
  const std::string name = module.kernel_name(chain.size() == 1 ? chain.steps.front().op->name : "pointwise");
  const std::string parameters = fmt::format("{}{}", columns ? "n_cols, " : "", channels ? "inner, channels, " : "");
  module.kernels.push_back(fill(persistent ? kPersistent : kFlat, {{"name", name},
                                                                   {"operands", chain_parameters({}, chain)},
                                                                   {"sizes", parameters},
                                                                   {"widen", module.widened()},
                                                                   {"chain", chain_text(chain, frame, module)}}));
  const int block = schedule[kFlatBlock];
  const std::string grid =
      persistent ? fmt::format("(min(triton.cdiv(n, {}), 528),)", block) : fmt::format("(triton.cdiv(n, {}),)", block);
  const std::string sizes = fmt::format("{}{}", columns ? value + ".shape[-1], " : "",
                                        channels ? fmt::format("{0}[0, 0].numel(), {0}.shape[1], ", value) : "");
  module.forward += fill(kLaunch, {{"x", value},
                                   {"name", name},
                                   {"grid", grid},
                                   {"arguments", chain_arguments({}, chain)},
                                   {"sizes", sizes},
                                   {"block", std::to_string(block)},
                                   {"warps", std::to_string(schedule[kFlatWarps])}});
}

std::string PointwiseOperator::name() const {
  return fmt::format("{}{}", layer_.empty() ? "pointwise" : "layer", shape_.size());
}

std::string PointwiseOperator::words() const {
  return layer_.empty() ? after.words() : after.empty() ? "a batch norm" : "a batch norm, " + after.words();
}

std::string PointwiseOperator::torch(std::string_view x) const {
  std::string text = layer_torch_;
  if (const std::size_t at = text.find("{x}"); at != std::string::npos) text.replace(at, 3, x);
  return text;
}

std::vector<Schedule> PointwiseOperator::options() const { return flat_options(elements_of(shape_)); }

std::string PointwiseOperator::reasoning() const {
  return fmt::format(
      "Every output element depends on one element of each input, so {} elements go through flat blocks and a mask "
      "guards the last one.",
      elements_of(shape_));
}

void PointwiseOperator::write_kernels(Module& module, const Schedule& schedule, const Chain&,
                                      const Chain& chain) const {
  Chain first = layer_;
  if (schedule.fused()) first.steps.insert(first.steps.end(), chain.steps.begin(), chain.steps.end());
  if (!first.empty()) write_pointwise_kernel(module, schedule, first, to);
  if (schedule.fused()) return;
  for (const Step& step : chain.steps) write_pointwise_kernel(module, schedule, {.steps = {step}}, to);
}

}  // namespace tritonrl::synth
