#pragma once

#include <cstdint>

namespace tritonrl::train {

enum class Decay : std::uint8_t { kConstant, kLinear, kCosine };

// Linear warm-up from nothing, then down to final_share of the peak at the last step.
struct LrSchedule {
  double peak = 1e-5;
  std::int64_t warmup_steps = 0;
  std::int64_t total_steps = 1;
  Decay decay = Decay::kCosine;
  double final_share = 0.1;

  // Of step `step`, counted from 0.
  double at(std::int64_t step) const;
};

}  // namespace tritonrl::train
