#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <filesystem>
#include <vector>

#include "base/json.h"
#include "train/config.h"

namespace tritonrl::train {

enum class HalfWeights : std::uint8_t {
  kMasters,     // weights in 16 bits have a twin in fp32, which is what is updated
  kStochastic,  // none: an update is rounded up or down by chance, so that small ones are not lost
};

struct UpdateConfig {
  UpdateRule rule = UpdateRule::kAdamW;
  double beta1 = 0.9;
  double beta2 = 0.95;
  double eps = 1e-8;
  double momentum = 0.95;     // Muon's
  double weight_decay = 0.0;  // of matrices; norms have none
  double clip_norm = 1.0;     // 0: no clipping
  HalfWeights half_weights = HalfWeights::kMasters;
  bool half_state = false;  // with kStochastic: AdamW's moments are in bf16 too, rounded likewise
  std::uint64_t seed = 0;   // of stochastic rounding
};

struct UpdateReport {
  double gradient_norm = 0;  // before clipping
  bool skipped = false;      // the norm was not finite: nothing changed
};

// Moves a model's parameters; its state is in fp32, unless half_state. fp32 weights are updated in place.
class Optimizer {
 public:
  // `matrix_rows`: for each parameter the rows of the matrices that it stacks, none where Muon is not meant for it.
  Optimizer(std::vector<at::Tensor> parameters, const UpdateConfig& config,
            std::vector<std::vector<std::int64_t>> matrix_rows = {});

  // After each of several batches: 16-bit gradients go into sums that lose no small ones, of fp32 or, with kStochastic,
  // rounded by chance. Those of fp32 add up by themselves.
  void gather_gradients();
  // From the gradients, which are gone afterwards.
  UpdateReport update(double lr);
  void forget_gradients();

  // Updates made, skipped ones not counted.
  std::int64_t updates() const { return updates_; }

  // Everything but the parameters, into an existing folder and back. InputError where the shapes are others.
  void save(const std::filesystem::path& folder) const;
  void load(const std::filesystem::path& folder, std::int64_t updates);

 private:
  bool by_muon(std::size_t parameter) const { return !matrix_rows_[parameter].empty(); }
  void update_by_muon(std::size_t parameter, const at::Tensor& weights, const at::Tensor& gradient, double lr);
  void update_stochastically(std::size_t parameter, const at::Tensor& gradient, double scale, double lr);
  std::uint64_t rounding_seed(std::uint64_t purpose, std::size_t parameter) const;

  std::vector<at::Tensor> parameters_;
  UpdateConfig config_;
  std::vector<std::vector<std::int64_t>> matrix_rows_;  // all empty without Muon
  std::vector<at::Tensor> masters_;  // the parameter itself where it is fp32, undefined with kStochastic
  std::vector<at::Tensor> moments_;
  std::vector<at::Tensor> squares_;   // undefined where Muon moves the parameter
  std::vector<at::Tensor> gathered_;  // sums of gradients, undefined where there are none
  std::uint64_t gatherings_ = 0;      // since the last update
  std::int64_t updates_ = 0;
};

}  // namespace tritonrl::train
