#include "apps/training/model_place.h"

#include "base/error.h"
#include "model/device_memory.h"

namespace tritonrl::apps {

model::Qwen3::Place answering_place(const std::string& device, const model::ModelConfig& model) {
  const bool has_cuda = model::has_gpu();
  if (device == "cuda" && !has_cuda)
    throw base::HostError("no GPU that this build can use was found; try --device cpu");
  if (device == "cpu" || !has_cuda) return {.device = at::kCPU, .dtype = model::DType::kFloat32};
  return {.device = at::Device(at::kCUDA, 0), .dtype = model.dtype};
}

}  // namespace tritonrl::apps
