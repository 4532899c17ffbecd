#include "cuda_kernel.h"

#include <bit>
#include <cstring>

#include "small_float.h"
#include "verify/frame_bytes.h"

namespace tritonrl::guest {
namespace {

namespace wire = verify::wire;

std::uint64_t packed(const wire::CudaParameter& parameter, const tritonrl_argument& argument) {
  switch (parameter.kind) {
    case wire::ParameterKind::kFloat16:
      return to_float16(argument.real);
    case wire::ParameterKind::kBfloat16:
      return to_bfloat16(argument.real);
    case wire::ParameterKind::kFloat32:
      return std::bit_cast<std::uint32_t>(static_cast<float>(argument.real));
    case wire::ParameterKind::kFloat64:
      return std::bit_cast<std::uint64_t>(argument.real);
    default:
      return static_cast<std::uint64_t>(argument.integer);  // little-endian: the first bytes are the value
  }
}

}  // namespace

std::string CudaKernel::load(const gpu::DriverApi& api, std::uint64_t number, std::string_view answer) {
  number_ = number;
  if (!verify::take(answer, head_)) return "the kernel's description is cut off";
  parameters_.resize(head_.parameters);
  for (auto& parameter : parameters_) {
    if (!verify::take(answer, parameter)) return "the kernel's parameters are cut off";
  }
  if (answer.size() != head_.name_bytes + head_.cubin_bytes) return "the kernel's code is cut off";
  const std::string name(answer.substr(0, head_.name_bytes));
  gpu::ModuleHandle* module = nullptr;  // stays loaded, as long as the process lives
  gpu::Status status = api.cuModuleLoadData(&module, answer.data() + head_.name_bytes);
  if (status == gpu::kSuccess) status = api.cuModuleGetFunction(&function_, module, name.c_str());
  if (status == gpu::kSuccess && head_.shared_bytes > 0) {
    status = api.cuFuncSetAttribute(function_, gpu::kFunctionMaxDynamicShared, static_cast<int>(head_.shared_bytes));
  }
  if (status == gpu::kSuccess && head_.clusters > 8) {
    status = api.cuFuncSetAttribute(function_, gpu::kFunctionNonPortableCluster, 1);
  }
  return status == gpu::kSuccess ? "" : api.error_text(status);
}

std::uint64_t CudaKernel::scratch_bytes(const std::uint32_t grid[3]) const {
  return head_.scratch_bytes * head_.clusters * grid[0] * grid[1] * grid[2];
}

bool CudaKernel::pack(std::span<const tritonrl_argument> arguments, std::uint64_t scratch,
                      std::vector<std::uint64_t>& values) const {
  std::size_t next = 0;
  for (const wire::CudaParameter& parameter : parameters_) {
    if (parameter.kind == wire::ParameterKind::kScratch) {
      values.push_back(scratch);
    } else if (parameter.kind == wire::ParameterKind::kNothing) {
      values.push_back(0);
    } else if (next < arguments.size()) {
      values.push_back(packed(parameter, arguments[next++]));
    } else {
      return false;
    }
  }
  return next == arguments.size();
}

std::string CudaKernel::launch(const gpu::DriverApi& api, const std::uint32_t grid[3], void* stream,
                               std::span<const tritonrl_argument> arguments, std::uint64_t scratch) const {
  std::vector<std::uint64_t> values;
  if (!pack(arguments, scratch, values)) return "a kernel was given another number of arguments than it takes";
  std::vector<void*> pointers;
  for (auto& value : values) pointers.push_back(&value);

  gpu::LaunchAttribute attributes[3];
  gpu::LaunchConfig config;
  for (int n = 0; n < 3; ++n) config.grid[n] = grid[n];
  config.grid[0] *= head_.clusters;
  config.block[0] = head_.threads;
  config.shared_bytes = head_.shared_bytes;
  config.stream = static_cast<gpu::StreamHandle*>(stream);
  config.attributes = attributes;
  if (head_.clusters > 1) {
    gpu::LaunchAttribute& size = attributes[config.attribute_count++];
    size.id = gpu::kAttributeClusterDimension;
    size.value.cluster[0] = head_.clusters;
    size.value.cluster[1] = size.value.cluster[2] = 1;
    gpu::LaunchAttribute& order = attributes[config.attribute_count++];
    order.id = gpu::kAttributeClusterScheduling;
    order.value.number = 1;  // spread
  }
  if (head_.cooperative != 0) {
    gpu::LaunchAttribute& together = attributes[config.attribute_count++];
    together.id = gpu::kAttributeCooperative;
    together.value.number = 1;
  }
  const gpu::Status status = api.cuLaunchKernelEx(&config, function_, pointers.data(), nullptr);
  return status == gpu::kSuccess ? "" : api.error_text(status);
}

}  // namespace tritonrl::guest
