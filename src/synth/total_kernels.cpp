#include "synth/total_kernels.h"

#include <fmt/format.h>

#include <array>

#include "synth/template.h"

namespace tritonrl::synth {
namespace {

using enum Choice;

constexpr std::array<Loss, 9> kLosses = {{
    {"mse", "F.mse_loss({x}, target, reduction=\"{r}\")", "d = v - target\nv = d * d\n", "torch.randn"},
    {"l1", "F.l1_loss({x}, target, reduction=\"{r}\")", "v = tl.abs(v - target)\n", "torch.randn"},
    {"smooth_l1", "F.smooth_l1_loss({x}, target, reduction=\"{r}\")",
     "d = tl.abs(v - target)\nv = tl.where(d < 1.0, 0.5 * d * d, d - 0.5)\n", "torch.randn"},
    {"huber", "F.huber_loss({x}, target, delta=2.0, reduction=\"{r}\")",
     "d = tl.abs(v - target)\nv = tl.where(d < 2.0, 0.5 * d * d, 2.0 * (d - 1.0))\n", "torch.randn"},
    {"bce", "F.binary_cross_entropy_with_logits({x}, target, reduction=\"{r}\")",
     "v = tl.maximum(v, 0.0) - v * target + libdevice.log1p(tl.exp(-tl.abs(v)))\n", "torch.rand"},
    {"hinge", "torch.{r}(torch.relu(1.0 - {x} * target))", "v = tl.maximum(1.0 - v * target, 0.0)\n", "torch.randn"},
    {"squared_hinge", "torch.{r}(torch.relu(1.0 - {x} * target) ** 2)",
     "d = tl.maximum(1.0 - v * target, 0.0)\nv = d * d\n", "torch.randn"},
    {"quantile", "torch.{r}(torch.maximum(0.7 * (target - {x}), -0.3 * (target - {x})))",
     "d = target - v\nv = tl.maximum(0.7 * d, -0.3 * d)\n", "torch.randn"},
    {"product", "torch.{r}({x} * target)", "v = v * target\n", "torch.rand"},
}};

constexpr std::string_view kPartial = R"(@triton.jit
def $name$(x_ptr, target_ptr, $operands$y_ptr, n, CHUNK: tl.constexpr):
    pid = tl.program_id(0)
    offs = pid * CHUNK + tl.arange(0, CHUNK)
    inside = offs < n
    v = tl.load(x_ptr + offs, mask=inside, other=0.0)$widen$
    target = tl.load(target_ptr + offs, mask=inside, other=0.0)$widen$
    $chain$
    # lanes past the end must not count
    v = tl.where(inside, v, 0.0)
    $leave$
)";

constexpr std::string_view kAlone = R"(@triton.jit
def $name$(x_ptr, target_ptr, $operands$y_ptr, n, CHUNK: tl.constexpr):
    acc = tl.zeros([CHUNK], tl.float32)
    for start in range(0, n, CHUNK):
        offs = start + tl.arange(0, CHUNK)
        inside = offs < n
        v = tl.load(x_ptr + offs, mask=inside, other=0.0)$widen$
        target = tl.load(target_ptr + offs, mask=inside, other=0.0)$widen$
        $chain$
        acc += tl.where(inside, v, 0.0)
    tl.store(y_ptr, tl.sum(acc, axis=0)$scale$)
)";

constexpr std::string_view kSum = R"(@triton.jit
def $name$(part_ptr, y_ptr, parts, n, CHUNK: tl.constexpr):
    acc = tl.zeros([CHUNK], tl.float32)
    for start in range(0, parts, CHUNK):
        offs = start + tl.arange(0, CHUNK)
        acc += tl.load(part_ptr + offs, mask=offs < parts, other=0.0)
    tl.store(y_ptr, tl.sum(acc, axis=0)$scale$)
)";

std::string replaced(std::string_view text, std::string_view x, std::string_view r) {
  std::string out;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const bool blank = text[at] == '{';
    out += blank ? std::string(text[at + 1] == 'x' ? x : r) : std::string(1, text[at]);
    at += blank ? 2 : 0;
  }
  return out;
}

}  // namespace

std::span<const Loss> losses() { return kLosses; }

std::vector<Schedule> TotalOperator::options() const {
  std::vector<Schedule> options;
  const auto add = [&](int form, int block, int warps) {
    options.push_back({{kTotalForm, form}, {kTotalBlock, block}, {kTotalWarps, warps}});
  };
  add(0, 256, 4), add(0, 1024, 4), add(0, 4096, 8), add(1, 256, 4), add(1, 1024, 4), add(1, 4096, 8), add(1, 16384, 16);
  if (elements_of(shape_) <= 1 << 20) add(2, 4096, 8), add(2, 16384, 16);
  return options;
}

std::string TotalOperator::name() const {
  return fmt::format("{}_{}{}", loss_.name, mean_ ? "mean" : "sum", shape_.size());
}
std::string TotalOperator::words() const {
  return fmt::format("a {} loss with its {}", loss_.name, mean_ ? "mean" : "sum");
}
std::string TotalOperator::torch(std::string_view x) const { return replaced(loss_.torch, x, mean_ ? "mean" : "sum"); }

std::string TotalOperator::reasoning() const {
  return fmt::format(
      "{} pairs become one number, so programs must meet: through a buffer of partial sums and a second launch, or "
      "through atomics on one cell, which few and large programs share better. The sum is kept in fp32 and lanes past "
      "the end count as zero.",
      elements_of(shape_));
}

void TotalOperator::write_kernels(Module& module, const Schedule& schedule, const Chain& ahead, const Chain&) const {
  const Frame frame{.same = {"offs", "inside"}, .feature = {}, .row = {}, .channel = {}};
  const std::string chain = chain_text(ahead, frame, module) + std::string(loss_.triton);
  module.libdevice = module.libdevice || loss_.triton.find("libdevice") != std::string_view::npos;
  const std::string& x = to;
  const std::string operands = chain_parameters(ahead, {});
  const std::string arguments = chain_arguments(ahead, {});
  const std::string scale = mean_ ? " / n" : "";
  const int form = schedule[kTotalForm];
  const int block = schedule[kTotalBlock];
  const int warps = schedule[kTotalWarps];
  const std::string name = module.kernel_name("loss");
  module.forward += fmt::format("n = {}.numel()\n", x);
  if (form == 2) {
    module.kernels.push_back(fill(
        kAlone,
        {{"name", name}, {"operands", operands}, {"widen", module.widened()}, {"chain", chain}, {"scale", scale}}));
    module.forward += fmt::format(
        "y = torch.empty((), device={0}.device, dtype={0}.dtype)\n{1}[(1,)]({0}, target, {2}y, n, CHUNK={3}, "
        "num_warps={4})\n{0} = y\n",
        x, name, arguments, block, warps);
    return;
  }
  const std::string leave = form == 1 ? fmt::format("tl.atomic_add(y_ptr, tl.sum(v, axis=0){})\n", scale)
                                      : "tl.store(y_ptr + pid, tl.sum(v, axis=0))\n";
  module.kernels.push_back(
      fill(kPartial,
           {{"name", name}, {"operands", operands}, {"widen", module.widened()}, {"chain", chain}, {"leave", leave}}));
  if (form == 1) {
    module.forward += fmt::format(
        "y = torch.zeros((), device={0}.device, dtype=torch.float32)\n{1}[(triton.cdiv(n, {3}),)]({0}, target, {2}y, "
        "n, CHUNK={3}, num_warps={4})\n{0} = y\n",
        x, name, arguments, block, warps);
    return;
  }
  const std::string last = module.kernel_name("total");
  module.kernels.push_back(fill(kSum, {{"name", last}, {"scale", scale}}));
  module.forward += fmt::format(
      "parts = triton.cdiv(n, {3})\npart = torch.empty(parts, device={0}.device, dtype=torch.float32)\n"
      "y = torch.empty((), device={0}.device, dtype={0}.dtype)\n"
      "{1}[(parts,)]({0}, target, {2}part, n, CHUNK={3}, num_warps={4})\n{5}[(1,)](part, y, parts, n, CHUNK={3}, "
      "num_warps={4})\n{0} = y\n",
      x, name, arguments, block, warps, last);
}

}  // namespace tritonrl::synth
