#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <vector>

namespace tritonrl::train {

// Muon: a matrix moves along its gradients' running mean made orthogonal, so that every direction of it learns at the
// same pace. Steps are as long as AdamW's usual ones, 0.2 lr an element: one lr serves both.
struct MuonConfig {
  double momentum = 0.95;  // Nesterov's
  double weight_decay = 0.0;
};

// `rows` are those of the matrices that `weights` stacks, each of which is moved by itself. fp32.
void muon_update(const at::Tensor& weights, const at::Tensor& gradient, const at::Tensor& mean,
                 const std::vector<std::int64_t>& rows, double lr, const MuonConfig& config);

// About the nearest matrix with orthonormal rows, or columns where they are fewer: singular values between 0.7 and 1.2.
at::Tensor orthogonalized(const at::Tensor& matrix);

}  // namespace tritonrl::train
