#pragma once

#include <cstdint>

#include "model/model_config.h"
#include "rollout/config.h"

namespace tritonrl::rollout {

// With a value for all that `config` leaves to the device and the model. InputError for a context that is too long.
RolloutConfig resolved(RolloutConfig config, const model::ModelConfig& model, bool on_cpu);

// Pages that the cache of a resolved configuration has. InputError where its memory holds fewer than two.
std::int64_t cache_pages(const RolloutConfig& config, const model::ModelConfig& model, model::DType dtype,
                         std::int64_t device_bytes);

}  // namespace tritonrl::rollout
