#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "train/memory_plan.h"
#include "train/packing.h"

namespace tritonrl::train {

// What a run is planned for. There need be no such GPU here.
struct PlannedDevice {
  bool gpu = true;
  model::DType dtype = model::DType::kBFloat16;  // of the run's weights
  std::int64_t memory_bytes = 0;
};

// What modelled times assume, as measured on one H200 with Qwen3-8B's shapes.
struct DeviceSpeed {
  double flops_per_s = 795e12;   // of a large product in bf16
  double update_share = 0.5;     // of it, layers run again and not counted
  double bytes_per_s = 4.26e12;  // of a copy
  double decode_share = 0.67;    // of it, weights and cache read once a step
};

struct PhaseTime {
  std::string phase;
  double seconds = 0;
};

struct RunPlan {
  MemoryPlan memory;
  std::int64_t steps = 0;  // 0: not known
  std::int64_t tokens_a_step = 0;
  bool at_most = false;                // the tokens, and so the times, are a bound
  std::vector<PhaseTime> a_step = {};  // modelled; empty on the CPU

  double step_seconds() const;
};

// Of `texts`, or where there are none of texts as long as they may be.
RunPlan plan_sft(const SftConfig& config, const model::ModelConfig& model, const PlannedDevice& device,
                 std::span<const TrainText> texts);
// InputError where a GPU's memory is too small: what takes most, and the cheapest change that fits.
void check_sft_fits(const SftConfig& config, const model::ModelConfig& model, const PlannedDevice& device,
                    std::span<const TrainText> texts);

// InputError for a step of so many texts, or for texts of so many layers, that no machine computes it.
void check_sizes(const model::ModelConfig& model, double texts_a_step, std::int64_t longest_text);

// Of an update on at most `texts` texts.
UpdateShape update_shape(const RunConfig& run, const OptimizerConfig& optimizer, const model::ModelConfig& model,
                         const PlannedDevice& device, std::int64_t texts, std::int64_t longest_text);

}  // namespace tritonrl::train
