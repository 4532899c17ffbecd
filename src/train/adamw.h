#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <filesystem>
#include <vector>

#include "base/json.h"

namespace tritonrl::train {

enum class HalfWeights : std::uint8_t {
  kMasters,     // weights in 16 bits have a twin in fp32, which is what is updated
  kStochastic,  // none: an update is rounded up or down by chance, so that small ones are not lost
};

struct AdamWConfig {
  double beta1 = 0.9;
  double beta2 = 0.95;
  double eps = 1e-8;
  double weight_decay = 0.0;  // of matrices; norms have none
  double clip_norm = 1.0;     // 0: no clipping
  HalfWeights half_weights = HalfWeights::kMasters;
  std::uint64_t seed = 0;  // of stochastic rounding
};

struct UpdateReport {
  double gradient_norm = 0;  // before clipping
  bool skipped = false;      // the norm was not finite: nothing changed
};

// AdamW over a model's parameters, moments in fp32. fp32 weights are updated in place.
class AdamW {
 public:
  AdamW(std::vector<at::Tensor> parameters, const AdamWConfig& config);

  // From the parameters' gradients, which are gone afterwards.
  UpdateReport update(double lr);
  void forget_gradients();

  // Updates made, skipped ones not counted.
  std::int64_t updates() const { return updates_; }

  // Everything but the parameters, into an existing folder and back. InputError where the shapes are others.
  void save(const std::filesystem::path& folder) const;
  void load(const std::filesystem::path& folder, std::int64_t updates);

 private:
  void update_stochastically(std::size_t parameter, const at::Tensor& gradient, double lr);

  std::vector<at::Tensor> parameters_;
  AdamWConfig config_;
  std::vector<at::Tensor> masters_;  // the parameter itself where it is fp32, undefined with kStochastic
  std::vector<at::Tensor> moments_;
  std::vector<at::Tensor> squares_;
  std::int64_t updates_ = 0;
};

}  // namespace tritonrl::train
