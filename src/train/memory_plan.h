#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/error.h"
#include "model/model_config.h"
#include "train/config.h"

// How many bytes a run will take, before it takes any. tests/train/memory_plan_test.cpp compares with what is
// allocated.
namespace tritonrl::train {

struct MemoryEntry {
  std::string name;
  std::int64_t bytes = 0;
  bool estimate = false;  // else the sizes of tensors
};

// What lies in memory at once when a phase of a step takes most.
struct MemoryMoment {
  std::string name;
  std::vector<MemoryEntry> entries = {};

  std::int64_t bytes() const;
};

struct MemoryPlan {
  std::vector<MemoryMoment> moments = {};  // in the order of a step
  std::int64_t device_bytes = 0;

  const MemoryMoment& peak() const;
  bool fits() const { return peak().bytes() <= device_bytes; }
};

// What decides the memory of an update.
struct UpdateShape {
  model::ModelConfig model;
  model::DType dtype = model::DType::kBFloat16;
  bool on_gpu = true;
  UpdateRule rule = UpdateRule::kAdamW;
  bool stochastic_rounding = false;
  bool half_state = false;
  std::int64_t recompute_layers = 0;  // from the first
  std::int64_t batch_tokens = 8192;   // of the largest batch
  bool several_batches = true;        // are summed for an update
};

// Of all parameters together.
struct StateBytes {
  std::int64_t weights = 0;
  std::int64_t position_tables = 0;
  std::int64_t masters = 0;
  std::int64_t moments = 0;
  std::int64_t squares = 0;
  std::int64_t gradients = 0;  // of one batch
  std::int64_t gathered = 0;   // sums over several batches; fp32 gradients are their own
};
StateBytes state_bytes(const UpdateShape& shape);

// What forward over the largest batch leaves for backward, if all its tokens are scored.
std::int64_t kept_activation_bytes(const UpdateShape& shape);

// What stays between updates, as entries of every moment.
std::vector<MemoryEntry> lasting_entries(const UpdateShape& shape);
// The moments of an update: scores, backward, gather where there are several batches, optimizer.
std::vector<MemoryMoment> update_moments(const UpdateShape& shape);

// Entries by moment in GiB, what is taken at each and what is free. `~` marks estimates.
std::string table_text(const MemoryPlan& plan);

std::string gib_text(std::int64_t bytes);  // "15.26"

// Says what takes most of a plan that does not fit, and what would: `remedy` is empty where nothing does.
base::InputError does_not_fit(const MemoryPlan& plan, const std::string& remedy);

}  // namespace tritonrl::train
