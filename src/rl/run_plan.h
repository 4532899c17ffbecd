#pragma once

#include "model/model_config.h"
#include "rl/config.h"
#include "train/run_plan.h"

namespace tritonrl::rl {

// Of a GPU that judges while the model is on it: what the verifier's processes take apart from tensors.
inline constexpr double kShareOfVerifierProcesses = 0.1;

// Whether a verifier of this run works on the GPU that the model is on, if it is on one.
bool judges_on_gpu(const RlConfig& config);
// Whether only audits and dev tasks are judged there: that verifier then stays, since starting one takes longer than a
// step.
bool measures_apart(const RlConfig& config);

// The rollout's settings, for contexts of the longest prompt and response.
rollout::RolloutConfig rollout_config(const RlConfig& config, const model::ModelConfig& model);

// A run in which every prompt and response is as long as it may be.
train::RunPlan plan_rl(const RlConfig& config, const model::ModelConfig& model, const train::PlannedDevice& device);
// InputError where a GPU's memory is too small: what takes most, and the cheapest change that fits.
void check_rl_fits(const RlConfig& config, const model::ModelConfig& model, const train::PlannedDevice& device);

}  // namespace tritonrl::rl
