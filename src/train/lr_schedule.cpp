#include "train/lr_schedule.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace tritonrl::train {

double LrSchedule::at(std::int64_t step) const {
  if (step < warmup_steps) return peak * static_cast<double>(step + 1) / static_cast<double>(warmup_steps);
  const auto after = static_cast<double>(step - warmup_steps);
  const auto length = static_cast<double>(std::max<std::int64_t>(total_steps - warmup_steps, 1));
  const double done = std::min(after / length, 1.0);
  switch (decay) {
    case Decay::kConstant:
      return peak;
    case Decay::kLinear:
      return peak * (1 - (1 - final_share) * done);
    case Decay::kCosine:
      return peak * (final_share + (1 - final_share) * 0.5 * (1 + std::cos(std::numbers::pi * done)));
  }
  return peak;
}

}  // namespace tritonrl::train
