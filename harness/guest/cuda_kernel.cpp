#include "cuda_kernel.h"

#include <bit>
#include <cstring>

#include "small_float.h"
#include "verify/frame_bytes.h"

namespace tritonrl::guest {
namespace {

namespace wire = verify::wire;

std::uint64_t value_of(const wire::CudaParameter& parameter, const tritonrl_argument& argument) {
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

constexpr int kPromoteToL2By128Bytes = 2;

// As Triton's launcher encodes a descriptor: innermost dimension first.
gpu::Status encode(const gpu::DriverApi& api, const wire::TensorMap& wanted, const tritonrl_argument& given,
                   void* map) {
  const unsigned rank = wanted.rank;
  std::uint64_t sizes[5] = {};
  std::uint64_t strides[5] = {};
  unsigned block[5] = {};
  const unsigned ones[5] = {1, 1, 1, 1, 1};
  for (unsigned n = 0; n < rank; ++n) {
    const unsigned inner = rank - n - 1;
    sizes[inner] = static_cast<std::uint64_t>(given.shape[n]);
    block[inner] = wanted.block[n];
    if (inner > 0) strides[inner - 1] = wanted.element_bytes * static_cast<std::uint64_t>(given.strides[n]);
  }
  if (wanted.two_per_byte != 0) sizes[0] *= 2;
  return api.cuTensorMapEncodeTiled(map, static_cast<int>(wanted.element_type), rank,
                                    reinterpret_cast<void*>(given.integer), sizes, strides, block, ones, 0,
                                    static_cast<int>(wanted.swizzle), kPromoteToL2By128Bytes, given.nan_padding);
}

}  // namespace

std::string CudaKernel::load(const gpu::DriverApi& api, std::uint64_t number, std::string_view answer) {
  number_ = number;
  if (!verify::take(answer, head_)) return "the kernel's description is cut off";
  parameters_.resize(head_.parameters);
  for (auto& parameter : parameters_) {
    if (!verify::take(answer, parameter)) return "the kernel's parameters are cut off";
    if (parameter.kind == wire::ParameterKind::kTensorMap) tensor_maps_.emplace_back();
  }
  for (auto& map : tensor_maps_) {
    if (!verify::take(answer, map)) return "the kernel's tensor descriptors are cut off";
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

std::string CudaKernel::pack(const gpu::DriverApi& api, std::span<const tritonrl_argument> arguments,
                             std::uint64_t scratch, Packed& packed) const {
  packed.values.reserve(parameters_.size());
  packed.maps.reserve(tensor_maps_.size());
  std::size_t next = 0;
  for (const wire::CudaParameter& parameter : parameters_) {
    if (parameter.kind == wire::ParameterKind::kScratch || parameter.kind == wire::ParameterKind::kNothing) {
      packed.values.push_back(parameter.kind == wire::ParameterKind::kScratch ? scratch : 0);
      packed.pointers.push_back(&packed.values.back());
      continue;
    }
    if (next == arguments.size()) return "a kernel was given fewer arguments than it takes";
    const tritonrl_argument& argument = arguments[next++];
    if (parameter.kind != wire::ParameterKind::kTensorMap) {
      packed.values.push_back(value_of(parameter, argument));
      packed.pointers.push_back(&packed.values.back());
      continue;
    }
    const wire::TensorMap& wanted = tensor_maps_[packed.maps.size()];
    const auto status = static_cast<std::uint32_t>(argument.rank) != wanted.rank
                            ? gpu::kInvalidValue
                            : encode(api, wanted, argument, &packed.maps.emplace_back());
    if (status != gpu::kSuccess) return "Failed to create tensor map descriptor: " + api.error_text(status);
    packed.pointers.push_back(&packed.maps.back());
  }
  return next == arguments.size() ? "" : "a kernel was given more arguments than it takes";
}

std::string CudaKernel::launch(const gpu::DriverApi& api, const std::uint32_t grid[3], void* stream,
                               std::span<const tritonrl_argument> arguments, std::uint64_t scratch) const {
  Packed packed;
  if (std::string failed = pack(api, arguments, scratch, packed); !failed.empty()) return failed;

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
  const gpu::Status status = api.cuLaunchKernelEx(&config, function_, packed.pointers.data(), nullptr);
  return status == gpu::kSuccess ? "" : api.error_text(status);
}

}  // namespace tritonrl::guest
