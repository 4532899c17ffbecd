#pragma once

#include <span>
#include <utility>
#include <vector>

#include "base/json.h"
#include "rl/sample.h"

namespace tritonrl::rl {

// Where speed is modelled for the reward and measured in the audit: what the one says of kernels that the other has
// seen too. The latest pairs count.
class Calibration {
 public:
  // Pairs of those samples that have both.
  void see(std::span<const Group> groups);

  // What a modelled speedup is multiplied by: the median of measured over modelled; 1 while there are few pairs.
  double factor() const;
  // How far pairs lie from that, as a factor: half of them are nearer.
  double error() const;
  // Rank correlation of modelled and measured; NaN of fewer than three pairs.
  double rank_correlation() const;
  std::size_t pairs() const { return pairs_.size(); }

  base::Json saved() const;
  void go_on_from(const base::Json& saved);

 private:
  std::vector<std::pair<double, double>> pairs_;  // modelled and measured, the oldest first
};

}  // namespace tritonrl::rl
