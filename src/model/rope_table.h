#pragma once

#include <cstdint>
#include <vector>

#include "model/model_config.h"

namespace tritonrl::model {

// Cosines and sines of the angles of positions [0, positions), [positions, head_dim / 2] each, scaled as the type asks.
struct RopeTable {
  std::vector<float> cosines;
  std::vector<float> sines;
};

RopeTable make_rope_table(const ModelConfig& config, std::int64_t positions);

}  // namespace tritonrl::model
