#include "synth/faults.h"

namespace tritonrl::synth {
namespace {

bool fits(const Fault& fault, const std::string& code, Dtype dtype) {
  if (fault.fp32_only && dtype != Dtype::kFloat32) return false;
  if (!fault.needs.empty() && code.find(fault.needs) == std::string::npos) return false;
  return code.find(fault.find) != std::string::npos;
}

void replace_all(std::string& code, std::string_view find, std::string_view replace) {
  for (std::size_t at = code.find(find); at != std::string::npos; at = code.find(find, at + replace.size()))
    code.replace(at, find.size(), replace);
}

}  // namespace

const std::vector<Fault>& slips() {
  static const std::vector<Fault> kSlips = {
      {"store without mask", "", "v, mask=inside)", "v)", ""},
      {"bound off by one", "", "inside = offs < n\n", "inside = offs <= n\n", ""},
      {"column bound off by one", "", "inside = cols < n\n", "inside = cols <= n\n", ""},
      {"undefined name", "", "tl.store(y_ptr", "tl.store(output_ptr", ""},
      {"invented function", "", "tl.sum(", "tl.reduce_sum(", ""},
      {"invented activation", "", "tl.maximum(v, 0.0)", "tl.relu(v)", ""},
      {"wrong axis", "", "axis=1)", "axis=0)", "rows[:, None]"},
      {"strides swapped", "", "k[:, None] * stride_wk + n[None, :] * stride_wn",
       "k[:, None] * stride_wn + n[None, :] * stride_wk", ""},
      {"scale forgotten", "", ") * scale\n", ")\n", ""},
      {"rows and columns mixed up", "", "cols[None, :]) * n_rows + rows[:, None]",
       "cols[None, :]) * n_cols + rows[:, None]", ""},
      {"sign turned", "", "tl.where(v > 0, v,", "tl.where(v < 0, v,", ""},
      {"argument forgotten", "", "y, n, ", "n, ", ""},
      {"argument forgotten", "", "y, n_rows, n, ", "y, n, ", "n_rows, n, "},
      {"argument forgotten", "", "y, M, N, K, ", "y, M, N, ", ""},
      {"argument forgotten", "", "y, total, ", "total, ", ""},
      {"last element read first", "", "n_cols - 1 - cols", "n_cols - cols", ""},
  };
  return kSlips;
}

const std::vector<Fault>& misconceptions() {
  static const std::vector<Fault> kMisconceptions = {
      {"gelu by a sigmoid", "gelu", "0.5 * v * (1.0 + tl.erf(v * 0.7071067811865476))", "v * tl.sigmoid(1.702 * v)", "",
       true},
      {"padding counts in the softmax", "softmax", "other=-float(\"inf\"))", "other=0.0)", "tl.exp(v - m", true},
      {"variance over n", "variance", "/ (n - 1)", "/ n", "", true},
      {"no mask along k", "product edge", "mask=(m[:, None] < M) & (k[None, :] < K), other=0.0)",
       "mask=m[:, None] < M, other=0.0)", ""},
      {"padding counts in the softmin", "softmin", "other=float(\"inf\"))", "other=0.0)", " - v", true},
      {"mean over the padded row", "mean", "tl.sum(v, axis=0) / n\n", "tl.sum(v, axis=0) / WIDTH\n", ""},
      {"mean over the padded rows", "mean of several rows", "tl.sum(v, axis=1) / n\n", "tl.sum(v, axis=1) / WIDTH\n",
       "rows[:, None] < n_rows"},
      {"deviations of padding", "centred squares", "d = tl.where(inside, v - mean, 0.0)", "d = v - mean", "", true},
      {"softplus to the base 2", "softplus", "tl.where(v > 20.0, v, libdevice.log1p(tl.exp(v)))",
       "tl.log2(1.0 + tl.exp2(v))", ""},
      {"hard sigmoid of another library", "hard sigmoid", "tl.minimum(tl.maximum(v + 3.0, 0.0), 6.0) / 6.0",
       "tl.minimum(tl.maximum(0.2 * v + 0.5, 0.0), 1.0)", ""},
      {"silu as if it were gelu", "silu", "v * tl.sigmoid(v)", "v * tl.sigmoid(1.702 * v)", "", true},
      {"tanh from a sigmoid of x", "tanh", "libdevice.tanh(v)", "2.0 * tl.sigmoid(v) - 1.0", ""},
      {"log-sigmoid of the other sign", "log-sigmoid", "tl.minimum(v, 0.0) - libdevice.log1p(tl.exp(-tl.abs(v)))",
       "-libdevice.log1p(tl.exp(v))", ""},
      {"logarithm to the base 2", "log1p", "libdevice.log1p(tl.abs(v))", "tl.log2(1.0 + tl.abs(v))", ""},
      {"exponential to the base 2", "exponential decay", "v = tl.exp(-tl.abs(v))", "v = tl.exp2(-tl.abs(v))", ""},
      {"columns taken for rows", "operand of rows", "offs // n_cols", "offs % n_cols", ""},
      {"the element itself counted", "exclusive sum", "tl.cumsum(v, axis=0) - v", "tl.cumsum(v, axis=0)", ""},
      {"sum from the wrong end", "sum from the end", ", reverse=True)", ")", ""},
      {"rotation the other way", "rotation",
       "moved = cols - shift\n    moved = tl.where(moved < 0, moved + n_cols, moved)\n",
       "moved = cols + shift\n    moved = tl.where(moved >= n_cols, moved - n_cols, moved)\n", ""},
      {"gather along columns", "gather", "source = rows[:, None] * n_cols + index\n",
       "source = index * n_cols + cols[None, :]\n", ""},
      {"a query does not see itself", "causal mask", "t[:, None] >= s[None, :]", "t[:, None] > s[None, :]", ""},
      {"window padded with zeros", "max pooling", "mask=valid, other=-float(\"inf\"))", "mask=valid, other=0.0)",
       "PW=1"},
  };
  return kMisconceptions;
}

std::string_view make_slip(std::string& code, Dtype dtype, base::Random& random) {
  std::vector<const Fault*> fitting;
  for (const Fault& fault : slips())
    if (fits(fault, code, dtype)) fitting.push_back(&fault);
  if (fitting.empty()) return {};
  const Fault& chosen = *fitting[random.below(fitting.size())];
  code.replace(code.find(chosen.find), chosen.find.size(), chosen.replace);
  return chosen.name;
}

std::vector<std::string_view> apply_misconceptions(std::string& code, Dtype dtype, double share, base::Random& random) {
  std::vector<std::string_view> applied;
  for (const Fault& fault : misconceptions()) {
    if (!fits(fault, code, dtype) || random.uniform() >= share) continue;
    replace_all(code, fault.find, fault.replace);
    applied.push_back(fault.name);
  }
  return applied;
}

}  // namespace tritonrl::synth
