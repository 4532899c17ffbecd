#pragma once

#include <ATen/core/Tensor.h>
#include <ATen/core/grad_mode.h>

#include <string>

#include "base/error.h"
#include "base/json.h"
#include "model/qwen3.h"

namespace tritonrl::bench {

// {"model": "DIR" or a config.json's object, "device": "cpu"|"cuda", "dtype": "bf16"}. Weights of a config are drawn on
// the device: for speed, not for results.
inline model::Qwen3 make_model(const base::Json& plan) {
  const bool on_cpu = plan.value("device", "cpu") == "cpu";
  const auto dtype = model::dtype_named(plan.value("dtype", on_cpu ? "fp32" : "bf16"));
  base::check(dtype.has_value(), "a dtype that is none");
  const model::Qwen3::Place place{.device = on_cpu ? at::Device(at::kCPU) : at::Device(at::kCUDA, 0), .dtype = *dtype};
  if (plan.at("model").is_string()) return model::Qwen3::load(plan.at("model").get<std::string>(), place);
  const auto config = model::parse_model_config(plan.at("model").dump(), "model");
  auto made = model::Qwen3::unset(config, place);
  const at::NoGradGuard no_gradients;
  for (const at::Tensor& parameter : made.parameters()) {
    parameter.dim() == 1 ? parameter.fill_(1) : parameter.normal_(0, config.initializer_range);
  }
  return made;
}

}  // namespace tritonrl::bench
