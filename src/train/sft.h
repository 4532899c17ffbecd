#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "train/config.h"
#include "train/packing.h"

namespace tritonrl::train {

struct SftResult {
  std::int64_t steps = 0;  // done, earlier processes' included
  std::int64_t total_steps = 0;
  double train_loss = 0;  // of the last step, a token
  double dev_loss = 0;    // NaN without dev texts
  bool stopped = false;   // asked to, before the last step
};

// Supervised training, from the last checkpoint in the run's folder or from config.model. `stop` is asked after each
// step; what was done is saved then. Texts are seen in an order that the seed decides. The same steps give the same
// weights, resumed or not.
SftResult run_sft(const SftConfig& config, const std::vector<TrainText>& texts, const std::vector<TrainText>& dev,
                  const std::function<bool()>& stop);

}  // namespace tritonrl::train
