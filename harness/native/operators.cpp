#include "operators.h"

#include <algorithm>
#include <array>
#include <memory>
#include <string_view>

#include <ATen/EmptyTensor.h>
#include <ATen/ops/_reshape_alias_ops.h>
#include <ATen/ops/as_strided_ops.h>
#include <ATen/ops/resize_ops.h>
#include <ATen/ops/view_ops.h>
#include <c10/core/DefaultDtype.h>
#include <torch/library.h>

#include "claimed_device.h"
#include "definedness.h"
#include "memory.h"
#include "operator_kernel.h"
#include "recurrent_cells.h"

namespace tritonrl::device {
namespace {

constexpr c10::DispatchKeySet kCpuKey(c10::DispatchKey::CPU);
constexpr c10::DispatchKeySet kCudaKey(c10::DispatchKey::CUDA);

void check_options(std::optional<c10::Layout> layout, std::optional<c10::Device> device, std::optional<bool> pin) {
  TORCH_CHECK(layout.value_or(c10::Layout::Strided) == c10::Layout::Strided,
              "only strided tensors can be on this device");
  TORCH_CHECK(!pin.value_or(false), "Only dense CPU tensors can be pinned");
  if (device.has_value()) check_index(device->index());
}

c10::ScalarType or_default(std::optional<c10::ScalarType> dtype) {
  return dtype.has_value() ? *dtype : c10::get_default_dtype_as_scalartype();
}

at::Tensor empty(at::IntArrayRef size, std::optional<c10::ScalarType> dtype, std::optional<c10::Layout> layout,
                 std::optional<c10::Device> device, std::optional<bool> pin, std::optional<c10::MemoryFormat> format) {
  check_options(layout, device, pin);
  return {at::detail::empty_generic(size, cuda_allocator(), kCudaKey, or_default(dtype), format)};
}

at::Tensor empty_strided(at::IntArrayRef size, at::IntArrayRef stride, std::optional<c10::ScalarType> dtype,
                         std::optional<c10::Layout> layout, std::optional<c10::Device> device,
                         std::optional<bool> pin) {
  check_options(layout, device, pin);
  return {at::detail::empty_strided_generic(size, stride, cuda_allocator(), kCudaKey, or_default(dtype))};
}

// A tensor of zeros without memory, which torch's own fallback for ZeroTensor knows how to handle.
class NoMemory final : public c10::Allocator {
 public:
  c10::DataPtr allocate(std::size_t /*bytes*/) override { return {nullptr, c10::Device(c10::DeviceType::CUDA, 0)}; }
  c10::DeleterFnPtr raw_deleter() const override { return nullptr; }
  void copy_data(void* /*to*/, const void* /*from*/, std::size_t /*count*/) const override {}
};

at::Tensor efficient_zeros(at::IntArrayRef size, std::optional<c10::ScalarType> dtype,
                           std::optional<c10::Layout> layout, std::optional<c10::Device> device,
                           std::optional<bool> pin) {
  static auto* no_memory = new NoMemory;
  check_options(layout, device, pin);
  const auto keys = kCudaKey | c10::DispatchKeySet(c10::DispatchKey::ZeroTensor);
  return {at::detail::empty_generic(size, no_memory, keys, or_default(dtype), std::nullopt)};
}

// Views read no memory: the CPU's kernels make them of any tensor.
at::Tensor view(const at::Tensor& self, c10::SymIntArrayRef size) {
  return at::_ops::view::redispatch(kCpuKey, self, size);
}

at::Tensor as_strided(const at::Tensor& self, c10::SymIntArrayRef size, c10::SymIntArrayRef stride,
                      std::optional<c10::SymInt> offset) {
  return at::_ops::as_strided::redispatch(kCpuKey, self, size, stride, std::move(offset));
}

at::Tensor reshape_alias(const at::Tensor& self, c10::SymIntArrayRef size, c10::SymIntArrayRef stride) {
  return at::_ops::_reshape_alias::redispatch(kCpuKey, self, size, stride);
}

const at::Tensor& resize(const at::Tensor& self, c10::SymIntArrayRef size, std::optional<c10::MemoryFormat> format) {
  const auto* storage = self.storage().unsafeGetStorageImpl();
  const void* data = storage->data();
  const auto bytes = storage->nbytes();
  const auto& result = at::_ops::resize_::redispatch(kCpuKey, self, size, format);
  if (data != nullptr && storage->data() != data) {
    executor().written(executor().device, reinterpret_cast<std::uint64_t>(storage->data()),
                       std::min(bytes, storage->nbytes()));
  }
  return result;
}

void record_stream(at::Tensor& /*self*/, c10::Stream /*stream*/) {}

bool no_cudnn_ctc_loss(const at::Tensor& /*log_probs*/, const at::Tensor& /*targets*/,
                       at::IntArrayRef /*input_lengths*/, at::IntArrayRef /*target_lengths*/, int64_t /*blank*/) {
  return false;
}

bool no_cudnn_ctc_loss_of_tensors(const at::Tensor& /*log_probs*/, const at::Tensor& /*targets*/,
                                  const at::Tensor& /*input_lengths*/, const at::Tensor& /*target_lengths*/,
                                  int64_t /*blank*/) {
  return false;
}

void unchanged_on_cpu(const c10::OperatorHandle& op, c10::DispatchKeySet /*keys*/, std::vector<c10::IValue>* stack) {
  op.redispatchBoxed(kCpuKey, stack);
}

constexpr std::array<std::string_view, 7> kOwn = {
    "aten::empty",   "aten::empty_strided",       "aten::view", "aten::as_strided", "aten::_reshape_alias",
    "aten::resize_", "aten::_efficientzerotensor"};

// Without a CPU kernel of their own, but their composite one asks which device it is on and picks CUDA's libraries.
constexpr std::array<const char*, 4> kComposite = {"aten::copy_", "aten::convolution", "aten::convolution_backward",
                                                   "aten::_convolution"};

bool has_own_kernel(const c10::OperatorName& name) {
  for (const auto own : kOwn) {
    if (name.name == own && name.overload_name != "dtype") return true;
  }
  return false;
}

bool only_changes_metadata(const c10::FunctionSchema& schema) {
  if (schema.name() == "aten::set_") return true;
  if (schema.is_mutable() || schema.returns().empty()) return false;
  return std::ranges::all_of(schema.returns(), [](const auto& result) { return result.alias_info() != nullptr; });
}

}  // namespace

void install_operators() {
  // Leaked: kernels stay as long as the process.
  auto* library = new torch::Library(torch::Library::IMPL, "aten", c10::DispatchKey::CUDA, __FILE__, __LINE__);
  library->impl("empty.memory_format", TORCH_FN(empty));
  library->impl("empty_strided", TORCH_FN(empty_strided));
  library->impl("view", TORCH_FN(view));
  library->impl("as_strided", TORCH_FN(as_strided));
  library->impl("_reshape_alias", TORCH_FN(reshape_alias));
  library->impl("resize_", TORCH_FN(resize));
  library->impl("_efficientzerotensor", TORCH_FN(efficient_zeros));
  library->impl("_use_cudnn_ctc_loss", TORCH_FN(no_cudnn_ctc_loss));
  library->impl("_use_cudnn_ctc_loss.Tensor", TORCH_FN(no_cudnn_ctc_loss_of_tensors));
  library->impl("record_stream", TORCH_FN(record_stream));
  install_recurrent_cells(*library);

  auto& dispatcher = c10::Dispatcher::singleton();
  const auto with_kernel = [&](const c10::OperatorHandle& op) {
    library->impl(c10::toString(op.operator_name()).c_str(),
                  torch::CppFunction::makeFromBoxedFunctor(std::make_unique<OperatorKernel>(op)));
  };
  for (const auto& name : dispatcher.getAllOpNamesForDispatchKey(c10::DispatchKey::CPU)) {
    const auto op = dispatcher.findSchema(name);
    if (!op.has_value() || !name.name.starts_with("aten::") || has_own_kernel(name)) continue;
    if (!op->hasKernelForDispatchKey(c10::DispatchKey::CPU)) continue;
    if (only_changes_metadata(op->schema())) {
      library->impl(c10::toString(name).c_str(), torch::CppFunction::makeFromBoxedFunction<&unchanged_on_cpu>());
    } else {
      with_kernel(*op);
    }
  }
  for (const char* name : kComposite) with_kernel(dispatcher.findSchemaOrThrow(name, ""));

  auto* own = new torch::Library(torch::Library::DEF, "tritonrl", std::nullopt, __FILE__, __LINE__);
  own->def("default_generator() -> Generator?", [] { return default_generator(); });
}

}  // namespace tritonrl::device
