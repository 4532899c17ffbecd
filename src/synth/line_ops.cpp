#include "synth/line_ops.h"

#include <algorithm>
#include <string>

#include "base/error.h"

namespace tritonrl::synth {
namespace {

constexpr std::string_view kZeros = "acc = tl.zeros($tile$, tl.float32)\n";
constexpr std::string_view kLowest = "acc = tl.full($tile$, -float(\"inf\"), tl.float32)\n";
constexpr std::string_view kHighest = "acc = tl.full($tile$, float(\"inf\"), tl.float32)\n";
constexpr std::string_view kLow = "-float(\"inf\")";
constexpr std::string_view kHigh = "float(\"inf\")";

const Pass kMaximum = {kLowest, "acc = tl.maximum(acc, v)\n", "m = tl.max(acc, axis=$axis$)\n"};
const Pass kMean = {kZeros, "acc += v\n", "mean = tl.sum(acc, axis=$axis$) / n\n"};

constexpr std::string_view kSumOfAcc = "r = tl.sum(acc, axis=$axis$)\n";
constexpr Split kSumSplit = {kSumOfAcc, "v = tl.sum(v, axis=0)\n"};
constexpr Split kMeanSplit = {kSumOfAcc, "v = tl.sum(v, axis=0)\nv = v / n\n"};
constexpr Split kRootSplit = {kSumOfAcc, "v = tl.sqrt(tl.sum(v, axis=0))\n"};
constexpr Split kHighSplit = {"r = tl.max(acc, axis=$axis$)\n", "v = tl.max(v, axis=0)\n"};
constexpr Split kLowSplit = {"r = tl.min(acc, axis=$axis$)\n", "v = tl.min(v, axis=0)\n"};

const std::vector<LineOp>& table() {
  static const std::vector<LineOp> kTable = {
      {"sum",
       "torch.sum({x}, dim={d}{k})",
       "a sum",
       "0.0",
       "r = tl.sum(v, axis=$axis$)\n",
       {{kZeros, "acc += v\n", "r = tl.sum(acc, axis=$axis$)\n"}},
       "",
       "",
       false,
       false,
       kSumSplit},
      {"mean",
       "torch.mean({x}, dim={d}{k})",
       "a mean",
       "0.0",
       "r = tl.sum(v, axis=$axis$) / n\n",
       {{kZeros, "acc += v\n", "r = tl.sum(acc, axis=$axis$) / n\n"}},
       "",
       "",
       false,
       false,
       kMeanSplit},
      {"amax",
       "torch.amax({x}, dim={d}{k})",
       "a maximum",
       kLow,
       "r = tl.max(v, axis=$axis$)\n",
       {{kLowest, "acc = tl.maximum(acc, v)\n", "r = tl.max(acc, axis=$axis$)\n"}},
       "",
       "",
       false,
       false,
       kHighSplit},
      {"amin",
       "torch.amin({x}, dim={d}{k})",
       "a minimum",
       kHigh,
       "r = tl.min(v, axis=$axis$)\n",
       {{kHighest, "acc = tl.minimum(acc, v)\n", "r = tl.min(acc, axis=$axis$)\n"}},
       "",
       "",
       false,
       false,
       kLowSplit},
      {"norm",
       "torch.linalg.vector_norm({x}, dim={d}{k})",
       "a Euclidean norm",
       "0.0",
       "r = tl.sqrt(tl.sum(v * v, axis=$axis$))\n",
       {{kZeros, "acc += v * v\n", "r = tl.sqrt(tl.sum(acc, axis=$axis$))\n"}},
       "",
       "",
       false,
       false,
       kRootSplit},
      {"mean_square",
       "torch.mean({x} * {x}, dim={d}{k})",
       "a mean of squares",
       "0.0",
       "r = tl.sum(v * v, axis=$axis$) / n\n",
       {{kZeros, "acc += v * v\n", "r = tl.sum(acc, axis=$axis$) / n\n"}},
       "",
       "",
       false,
       false,
       kMeanSplit},
      {"var",
       "torch.var({x}, dim={d}{k})",
       "a variance",
       "0.0",
       "mean = tl.sum(v, axis=$axis$) / n\nd = tl.where($inside$, v - <mean>, 0.0)\nr = tl.sum(d * d, axis=$axis$) / "
       "(n - 1)\n",
       {kMean,
        {kZeros, "d = tl.where($inside$, v - <mean>, 0.0)\nacc += d * d\n",
         "r = tl.sum(acc, axis=$axis$) / (n - 1)\n"}},
       "",
       ""},
      {"std",
       "torch.std({x}, dim={d}{k})",
       "a standard deviation",
       "0.0",
       "mean = tl.sum(v, axis=$axis$) / n\nd = tl.where($inside$, v - <mean>, 0.0)\nr = tl.sqrt(tl.sum(d * d, "
       "axis=$axis$) / (n - 1))\n",
       {kMean,
        {kZeros, "d = tl.where($inside$, v - <mean>, 0.0)\nacc += d * d\n",
         "r = tl.sqrt(tl.sum(acc, axis=$axis$) / (n - 1))\n"}},
       "",
       ""},
      {"logsumexp",
       "torch.logsumexp({x}, dim={d}{k})",
       "a log-sum-exp",
       kLow,
       "m = tl.max(v, axis=$axis$)\nr = m + tl.log(tl.sum(tl.exp(v - <m>), axis=$axis$))\n",
       {kMaximum, {kZeros, "acc += tl.exp(v - <m>)\n", "r = m + tl.log(tl.sum(acc, axis=$axis$))\n"}},
       "",
       ""},
      {"argmax",
       "torch.argmax({x}, dim={d}{k})",
       "the index of the maximum",
       kLow,
       "r = tl.argmax(v, axis=$axis$)\n",
       {{"best = tl.full($tile$, -float(\"inf\"), tl.float32)\nat = tl.zeros($tile$, tl.int32)\n",
         "better = v > best\nat = tl.where(better, $position$, at)\nbest = tl.where(better, v, best)\n",
         "m = tl.max(best, axis=$axis$)\nr = tl.min(tl.where(best == <m>, at, n), axis=$axis$)\n"}},
       "",
       "",
       true},
      {"argmin",
       "torch.argmin({x}, dim={d}{k})",
       "the index of the minimum",
       kHigh,
       "r = tl.argmin(v, axis=$axis$)\n",
       {{"best = tl.full($tile$, float(\"inf\"), tl.float32)\nat = tl.zeros($tile$, tl.int32)\n",
         "better = v < best\nat = tl.where(better, $position$, at)\nbest = tl.where(better, v, best)\n",
         "m = tl.min(best, axis=$axis$)\nr = tl.min(tl.where(best == <m>, at, n), axis=$axis$)\n"}},
       "",
       "",
       true},
      {"softmax",
       "torch.softmax({x}, dim={d})",
       "a softmax",
       kLow,
       "m = tl.max(v, axis=$axis$)\nv = tl.exp(v - <m>)\ns = tl.sum(v, axis=$axis$)\nv = v / <s>\n",
       {kMaximum, {kZeros, "acc += tl.exp(v - <m>)\n", "s = tl.sum(acc, axis=$axis$)\n"}},
       "v = tl.exp(v - <m>) / <s>\n",
       ""},
      {"log_softmax",
       "torch.log_softmax({x}, dim={d})",
       "a log-softmax",
       kLow,
       "m = tl.max(v, axis=$axis$)\ns = tl.sum(tl.exp(v - <m>), axis=$axis$)\nv = v - <m> - tl.log(<s>)\n",
       {kMaximum, {kZeros, "acc += tl.exp(v - <m>)\n", "s = tl.sum(acc, axis=$axis$)\n"}},
       "v = v - <m> - tl.log(<s>)\n",
       ""},
      {"softmin",
       "F.softmin({x}, dim={d})",
       "a softmin",
       kHigh,
       "m = tl.min(v, axis=$axis$)\nv = tl.exp(<m> - v)\ns = tl.sum(v, axis=$axis$)\nv = v / <s>\n",
       {{kHighest, "acc = tl.minimum(acc, v)\n", "m = tl.min(acc, axis=$axis$)\n"},
        {kZeros, "acc += tl.exp(<m> - v)\n", "s = tl.sum(acc, axis=$axis$)\n"}},
       "v = tl.exp(<m> - v) / <s>\n",
       ""},
      {"layer_norm",
       "",
       "a layer norm",
       "0.0",
       "mean = tl.sum(v, axis=$axis$) / n\nd = tl.where($inside$, v - <mean>, 0.0)\nvar = tl.sum(d * d, axis=$axis$) / "
       "n\nrstd = 1.0 / tl.sqrt(var + eps)\nv = (v - <mean>) * <rstd>\n",
       {kMean,
        {kZeros, "d = tl.where($inside$, v - <mean>, 0.0)\nacc += d * d\n",
         "rstd = 1.0 / tl.sqrt(tl.sum(acc, axis=$axis$) / n + eps)\n"}},
       "v = (v - <mean>) * <rstd>\n",
       ""},
      {"rms_norm",
       "",
       "an RMS norm",
       "0.0",
       "rstd = 1.0 / tl.sqrt(tl.sum(v * v, axis=$axis$) / n + eps)\nv = v * <rstd>\n",
       {{kZeros, "acc += v * v\n", "rstd = 1.0 / tl.sqrt(tl.sum(acc, axis=$axis$) / n + eps)\n"}},
       "v = v * <rstd>\n",
       ""},
      {"normalize",
       "F.normalize({x}, dim={d})",
       "an L2 normalisation",
       "0.0",
       "s = tl.maximum(tl.sqrt(tl.sum(v * v, axis=$axis$)), 1e-12)\nv = v / <s>\n",
       {{kZeros, "acc += v * v\n", "s = tl.maximum(tl.sqrt(tl.sum(acc, axis=$axis$)), 1e-12)\n"}},
       "v = v / <s>\n",
       ""},
      {"center",
       "{x} - torch.mean({x}, dim={d}, keepdim=True)",
       "a subtraction of the mean",
       "0.0",
       "mean = tl.sum(v, axis=$axis$) / n\nv = v - <mean>\n",
       {kMean},
       "v = v - <mean>\n",
       ""},
      {"divide_by_max",
       "{x} / (1.0 + torch.amax(torch.abs({x}), dim={d}, keepdim=True))",
       "a division by the largest magnitude",
       "0.0",
       "m = tl.max(tl.abs(v), axis=$axis$)\nv = v / (1.0 + <m>)\n",
       {{kZeros, "acc = tl.maximum(acc, tl.abs(v))\n", "m = tl.max(acc, axis=$axis$)\n"}},
       "v = v / (1.0 + <m>)\n",
       ""},
      {"cumsum",
       "torch.cumsum({x}, dim={d})",
       "a running sum",
       "0.0",
       "v = tl.cumsum(v, axis=$axis$)\n",
       {},
       "s = tl.sum(v, axis=$axis$)\nv = tl.cumsum(v, axis=$axis$) + <carry>\ncarry += s\n",
       "carry = $lines$\n",
       false,
       true},
      {"exclusive_cumsum",
       "torch.cumsum({x}, dim={d}) - {x}",
       "a running sum without the element itself",
       "0.0",
       "v = tl.cumsum(v, axis=$axis$) - v\n",
       {},
       "s = tl.sum(v, axis=$axis$)\nv = tl.cumsum(v, axis=$axis$) - v + <carry>\ncarry += s\n",
       "carry = $lines$\n",
       false,
       true},
      {"suffix_sum",
       "torch.flip(torch.cumsum(torch.flip({x}, [{d}]), dim={d}), [{d}])",
       "a running sum from the end",
       "0.0",
       "v = tl.cumsum(v, axis=$axis$, reverse=True)\n",
       {},
       "",
       "",
       false,
       true},
      {"cumprod",
       "torch.cumprod({x}, dim={d})",
       "a running product",
       "1.0",
       "v = tl.cumprod(v, axis=$axis$)\n",
       {},
       "",
       "",
       false,
       true},
  };
  return kTable;
}

}  // namespace

std::span<const LineOp> line_ops() { return table(); }

const LineOp& line_op(std::string_view name) {
  const auto found = std::ranges::find(table(), name, &LineOp::name);
  if (found == table().end()) base::bug("there is no line operator " + std::string(name));
  return *found;
}

Values values_before(const LineOp& op) {
  // Of a long line only its ends count.
  if (op.name == "amax") return {.sign = Sign::kNotNegative, .far = true};
  if (op.name == "amin") return {.sign = Sign::kNotPositive, .far = true};
  return {};
}

Values values_after(const LineOp& op) {
  if (op.name == "amax" || op.name == "amin") return values_before(op);
  if (op.name == "sum") return {.sign = Sign::kAny, .far = true};
  if (op.name == "norm" || op.name == "logsumexp") return {.sign = Sign::kNotNegative, .far = true};
  if (op.name == "log_softmax") return {.sign = Sign::kNotPositive, .far = true};
  return {};
}

}  // namespace tritonrl::synth
