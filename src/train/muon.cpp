#include "train/muon.h"

#include <ATen/Functions.h>

#include <algorithm>
#include <cmath>

namespace tritonrl::train {
namespace {

// The usual length of an element of AdamW's steps, in lr (Liu et al. 2025, "Muon is scalable for LLM training").
constexpr double kUsualStep = 0.2;

}  // namespace

void muon_update(const at::Tensor& weights, const at::Tensor& gradient, const at::Tensor& mean,
                 const std::vector<std::int64_t>& rows, double lr, const MuonConfig& config) {
  mean.lerp_(gradient, 1 - config.momentum);
  const at::Tensor ahead = gradient.lerp(mean, config.momentum);
  if (config.weight_decay > 0) weights.mul_(1 - lr * config.weight_decay);
  std::int64_t first = 0;
  for (const std::int64_t count : rows) {
    const at::Tensor direction = orthogonalized(ahead.narrow(0, first, count));
    const double longer = static_cast<double>(std::max(count, weights.size(1)));
    weights.narrow(0, first, count).add_(direction, -lr * kUsualStep * std::sqrt(longer));
    first += count;
  }
}

// Newton-Schulz with the coefficients of Jordan et al. 2024, which trade exactness for few steps. bf16 is enough where
// its products are faster.
at::Tensor orthogonalized(const at::Tensor& matrix) {
  constexpr int kSteps = 5;
  const bool tall = matrix.size(0) > matrix.size(1);
  at::Tensor x = tall ? matrix.t() : matrix;
  x = x.div(x.norm().clamp_min(1e-7));
  if (x.is_cuda()) x = x.to(at::kBFloat16);
  for (int step = 0; step < kSteps; ++step) {
    const at::Tensor gram = at::mm(x, x.t());
    x = at::addmm(x, at::addmm(gram, gram, gram, -4.7750, 2.0315), x, 3.4445, 1);
  }
  return (tall ? x.t() : x).to(matrix.scalar_type());
}

}  // namespace tritonrl::train
