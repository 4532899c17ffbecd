#pragma once

#include <string>

#include "model/model_config.h"
#include "model/qwen3.h"

namespace tritonrl::apps {

// Where a model is to answer: "cuda", "cpu", or "auto" for a GPU where there is one, with weights of the type that they
// are stored in. HostError where there is no GPU that this build can use.
model::Qwen3::Place answering_place(const std::string& device, const model::ModelConfig& model);

}  // namespace tritonrl::apps
