#include "operator_kernel.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <mutex>
#include <optional>
#include <string_view>
#include <utility>

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/core/LegacyTypeDispatch.h>
#include <ATen/core/List.h>
#include <c10/util/SmallVector.h>

#include "claimed_device.h"
#include "definedness.h"
#include "memory.h"
#include "product_flops.h"

namespace tritonrl::device {
namespace {

std::atomic<std::uint64_t> g_ops{0};
std::atomic<std::uint64_t> g_bytes{0};

const c10::Device kCpu(c10::DeviceType::CPU);

// In-place operators that do not read what they overwrite. Those of the second line write a part of it that only the
// values tell: all of it counts as written then.
constexpr std::array<std::string_view, 21> kOverwrites = {
    "fill_",       "zero_",          "copy_",          "normal_",          "uniform_",
    "random_",     "bernoulli_",     "exponential_",   "geometric_",       "log_normal_",
    "cauchy_",     "_cummax_helper", "_cummin_helper", "_index_put_impl_", "index_put_",
    "index_copy_", "index_fill_",    "masked_fill_",   "masked_scatter_",  "put_",
    "scatter_"};

constexpr std::array<std::string_view, 7> kTakesHostIndices = {
    "index",         "index_put_",        "_index_put_impl_",    "index_put",
    "_unsafe_index", "_unsafe_index_put", "_unsafe_masked_index"};

// The second arguments of these are lengths, which CUDA's kernels want on the CPU.
constexpr std::array<std::string_view, 5> kTakesHostTensors = {"copy_", "_pack_padded_sequence", "_ctc_loss",
                                                               "_ctc_loss_backward", "_copy_from"};

// The CPU's kernels of these keep sums and statistics in 16 bits, CUDA's in 32: a script's reference would be worse
// than its kernel. The statistics of a layer norm stay in 32 bits.
std::uint64_t narrowed_results(std::string_view name) {
  constexpr std::uint64_t kAll = ~std::uint64_t{0};
  if (name == "native_layer_norm") return 1;
  if (name == "native_layer_norm_backward" || name == "native_group_norm_backward") return kAll;
  return name == "embedding_dense_backward" ? kAll : 0;
}

template <std::size_t N>
bool is_one_of(std::string_view name, const std::array<std::string_view, N>& names) {
  return std::ranges::find(names, name) != names.end();
}

bool holds_tensors(const c10::Type& type) {
  if (type.kind() == c10::TypeKind::TensorType) return true;
  return std::ranges::any_of(type.containedTypes(), [](const auto& inner) { return holds_tensors(*inner); });
}

bool is_optional_or(const c10::Type& type, c10::TypeKind kind) {
  if (type.kind() == kind) return true;
  return type.kind() == c10::TypeKind::OptionalType && type.containedTypes().at(0)->kind() == kind;
}

at::Tensor tensor_on(c10::Storage storage, c10::DispatchKey key, const at::Tensor& like) {
  auto tensor = at::detail::make_tensor<c10::TensorImpl>(std::move(storage), c10::DispatchKeySet(key), like.dtype());
  tensor.unsafeGetTensorImpl()->set_sizes_and_strides(like.sizes(), like.strides(), like.storage_offset());
  if (like.is_conj()) tensor._set_conj(true);
  if (like.is_neg()) tensor._set_neg(true);
  return tensor;
}

c10::Storage host_alias(const c10::Storage& storage) {
  return {c10::make_intrusive<c10::StorageImpl>(c10::StorageImpl::use_byte_size_t(), storage.nbytes(),
                                                c10::DataPtr(const_cast<void*>(storage.data()), kCpu), cpu_allocator(),
                                                /*resizable=*/true)};
}

c10::Storage device_storage(c10::DataPtr data, std::size_t bytes) {
  return {c10::make_intrusive<c10::StorageImpl>(c10::StorageImpl::use_byte_size_t(), bytes, std::move(data),
                                                cuda_allocator(), /*resizable=*/true)};
}

// Draws of operators that take no generator come from torch's default one: it stands in for the device's meanwhile.
class BorrowedGenerator {
 public:
  explicit BorrowedGenerator(bool wanted) {
    if (!wanted) return;
    lock_ = std::unique_lock(mutex());
    swap();
  }
  ~BorrowedGenerator() {
    if (lock_.owns_lock()) swap();
  }
  BorrowedGenerator(const BorrowedGenerator&) = delete;
  BorrowedGenerator& operator=(const BorrowedGenerator&) = delete;
  BorrowedGenerator(BorrowedGenerator&&) = delete;
  BorrowedGenerator& operator=(BorrowedGenerator&&) = delete;

 private:
  static std::mutex& mutex() {
    static std::mutex instance;
    return instance;
  }
  static void swap() {
    auto* host = at::check_generator<at::CPUGeneratorImpl>(at::detail::getDefaultCPUGenerator());
    const auto ours_generator = host_generator(default_generator());
    auto* ours = at::check_generator<at::CPUGeneratorImpl>(ours_generator);
    const auto engine = host->engine();
    host->set_engine(ours->engine());
    ours->set_engine(engine);
    const auto float_sample = host->next_float_normal_sample();
    host->set_next_float_normal_sample(ours->next_float_normal_sample());
    ours->set_next_float_normal_sample(float_sample);
    const auto double_sample = host->next_double_normal_sample();
    host->set_next_double_normal_sample(ours->next_double_normal_sample());
    ours->set_next_double_normal_sample(double_sample);
  }

  std::unique_lock<std::mutex> lock_;
};

}  // namespace

OperatorKernel::OperatorKernel(const c10::OperatorHandle& op) {
  const auto& schema = op.schema();
  const std::string_view full = schema.name();
  const auto base = full.substr(full.find("::") + 2);
  name_ = base;
  argument_count_ = schema.arguments().size();
  return_count_ = schema.returns().size();
  for (std::size_t n = 0; n < argument_count_; ++n) {
    const auto& argument = schema.arguments()[n];
    const auto& type = *argument.type();
    if (holds_tensors(type)) {
      const bool written = argument.alias_info() != nullptr && argument.alias_info()->isWrite();
      const bool read = !argument.is_out() && !(written && is_one_of(base, kOverwrites));
      tensors_.push_back({n, written, read});
    } else if (argument.name() == "beta") {
      beta_position_ = static_cast<int>(n);
    } else if (argument.name() == "device") {
      device_position_ = static_cast<int>(n);
    } else if (is_optional_or(type, c10::TypeKind::GeneratorType)) {
      generator_position_ = static_cast<int>(n);
    }
  }
  draws_without_generator_ = generator_position_ < 0 && op.hasTag(at::Tag::nondeterministic_seeded);
  if (is_one_of(base, kTakesHostIndices)) mixing_ = Mixing::kIndex;
  if (is_one_of(base, kTakesHostTensors)) mixing_ = Mixing::kAny;
  if (base == "_pack_padded_sequence") host_results_ = 2;
  if (schema.overload_name().empty()) narrowed_ = narrowed_results(base);
}

// The aliases of one call, from its arguments to its results.
class OperatorKernel::Call {
 public:
  explicit Call(const OperatorKernel& kernel) : kernel_(kernel) {}

  void take(std::vector<c10::IValue>& stack) {
    const auto first = stack.size() - kernel_.argument_count_;
    for (auto argument : kernel_.tensors_) {
      // A beta of 0 means that the first tensor is not read, only overwritten.
      if (argument.position == 0 && kernel_.beta_position_ >= 0) {
        const auto& beta = stack[first + static_cast<std::size_t>(kernel_.beta_position_)];
        argument.read = argument.read && !(beta.isScalar() && beta.toScalar().equal(0));
      }
      take(stack[first + argument.position], argument);
    }
    check_devices();
    if (kernel_.device_position_ >= 0) {
      auto& device = stack[first + static_cast<std::size_t>(kernel_.device_position_)];
      if (device.isDevice() && device.toDevice().is_cuda()) device = kCpu;
    }
    if (kernel_.generator_position_ >= 0)
      take_generator(stack[first + static_cast<std::size_t>(kernel_.generator_position_)]);
  }

  void widen(std::vector<c10::IValue>& stack) {
    const auto first = stack.size() - kernel_.argument_count_;
    for (const auto& argument : kernel_.tensors_) {
      auto& value = stack[first + argument.position];
      if (!value.isTensor() || !value.toTensor().defined()) continue;
      const auto& tensor = value.toTensor();
      if (!c10::isReducedFloatingType(tensor.scalar_type())) continue;
      narrow_ = tensor.scalar_type();
      value = tensor.to(c10::ScalarType::Float);
    }
  }

  void narrow(std::vector<c10::IValue>& stack) const {
    if (!narrow_.has_value()) return;
    const auto first = stack.size() - kernel_.return_count_;
    for (std::size_t n = 0; n < kernel_.return_count_; ++n) {
      auto& value = stack[first + n];
      if ((kernel_.narrowed_ >> n & 1U) != 0 && value.isTensor() && value.toTensor().defined())
        value = value.toTensor().to(*narrow_);
    }
  }

  void give(std::vector<c10::IValue>& stack) {
    for (const auto& pair : tensors_) {
      if (pair.written) settle(pair);
    }
    const auto first = stack.size() - kernel_.return_count_;
    for (std::size_t n = 0; n < kernel_.return_count_; ++n) {
      if ((kernel_.host_results_ >> n & 1U) == 0) give_value(stack[first + n]);
    }
    g_ops.fetch_add(1, std::memory_order_relaxed);
    g_bytes.fetch_add(bytes_, std::memory_order_relaxed);
    advance(profile().op_us + static_cast<double>(bytes_) / profile().bytes_per_us);
    if (executor().operated != nullptr) tell(stack);
  }

 private:
  void tell(const std::vector<c10::IValue>& stack) const {
    std::uint64_t elements = 0;
    c10::SmallVector<at::Tensor, 6> tensors;
    for (const auto& pair : tensors_) {
      tensors.push_back(pair.device);
      elements = std::max(elements, static_cast<std::uint64_t>(pair.device.numel()));
    }
    at::Tensor result;
    if (kernel_.return_count_ > 0 && stack[stack.size() - kernel_.return_count_].isTensor())
      result = stack[stack.size() - kernel_.return_count_].toTensor();
    if (result.defined()) elements = std::max(elements, static_cast<std::uint64_t>(result.numel()));
    const bool to_host = first_is_host_ || kernel_.name_ == "_local_scalar_dense";
    executor().operated(kernel_.name_.c_str(), bytes_, elements, product_flops(kernel_.name_, tensors, result), 0,
                        to_host ? 1 : 0);
  }

  struct Pair {
    at::Tensor device;
    at::Tensor host;
    bool written;
  };

  void take(c10::IValue& value, const Argument& argument) {
    if (value.isTensor()) {
      take_tensor(value, argument);
    } else if (value.isTensorList()) {
      c10::List<at::Tensor> list;
      list.reserve(value.toListRef().size());
      for (const auto& item : value.toListRef()) list.push_back(host_of(item.toTensor(), argument));
      value = std::move(list);
    } else if (value.isOptionalTensorList()) {
      c10::List<std::optional<at::Tensor>> list;
      list.reserve(value.toListRef().size());
      for (const auto& item : value.toListRef()) {
        if (item.isNone()) {
          list.push_back(std::nullopt);
        } else {
          list.push_back(host_of(item.toTensor(), argument));
        }
      }
      value = std::move(list);
    }
  }

  void take_tensor(c10::IValue& value, const Argument& argument) {
    const auto& tensor = value.toTensor();
    if (!tensor.defined()) return;
    if (!tensor.is_cuda()) {
      note_host(tensor, argument);
      return;
    }
    value = host_of(tensor, argument);
  }

  void note_host(const at::Tensor& tensor, const Argument& argument) {
    if (!tensor.device().is_cpu()) return;
    if (argument.position == 0) first_is_host_ = true;
    const bool index = kernel_.mixing_ == Mixing::kIndex && argument.position == 1;
    if (!index && (tensor.dim() > 0 || argument.written)) wrong_host_ = true;
    bytes_ += tensor.nbytes();
  }

  at::Tensor host_of(const at::Tensor& tensor, const Argument& argument) {
    if (!tensor.defined()) return tensor;
    if (!tensor.is_cuda()) {
      note_host(tensor, argument);
      return tensor;
    }
    for (auto& pair : tensors_) {
      if (pair.device.is_same(tensor)) {
        pair.written = pair.written || argument.written;
        if (argument.read) check_written(tensor, kernel_.name_.c_str());
        return pair.host;
      }
    }
    if (argument.read) check_written(tensor, kernel_.name_.c_str());
    bytes_ += tensor.nbytes();
    auto host = tensor_on(host_storage(tensor.storage()), c10::DispatchKey::CPU, tensor);
    tensors_.push_back({tensor, host, argument.written});
    return host;
  }

  c10::Storage host_storage(const c10::Storage& storage) {
    for (const auto& [device, host] : storages_) {
      if (device.is_alias_of(storage)) return host;
    }
    storages_.emplace_back(storage, host_alias(storage));
    return storages_.back().second;
  }

  void check_devices() const {
    if (kernel_.mixing_ == Mixing::kAny || tensors_.empty()) return;
    if (kernel_.mixing_ == Mixing::kIndex && first_is_host_) {
      TORCH_CHECK(false, "indices should be either on cpu or on the same device as the indexed tensor (cpu)");
    }
    TORCH_CHECK(!wrong_host_,
                "Expected all tensors to be on the same device, but found at least two devices, cuda:0 and cpu!");
  }

  void take_generator(c10::IValue& value) const {
    if (tensors_.empty() && kernel_.device_position_ < 0) {
      TORCH_CHECK(!value.isGenerator() || value.toGenerator().device().is_cpu(),
                  "Expected a 'cpu' device type for generator but found 'cuda'");
      return;
    }
    if (value.isNone()) {
      value = host_generator(default_generator());
      return;
    }
    const auto host = host_generator(value.toGenerator());
    TORCH_CHECK(host.defined(), "Expected a 'cuda' device type for generator but found 'cpu'");
    value = host;
  }

  // What the CPU kernel did to an argument that it wrote: new data always, new shape and memory for some.
  void settle(const Pair& pair) {
    auto* impl = pair.device.unsafeGetTensorImpl();
    const auto* from = pair.host.storage().unsafeGetStorageImpl();
    auto* to = pair.device.storage().unsafeGetStorageImpl();
    if (from->data() != to->data() || from->nbytes() != to->nbytes()) {
      auto data = const_cast<c10::StorageImpl*>(from)->set_data_ptr(c10::DataPtr(nullptr, kCpu));
      to->set_data_ptr(adopt(std::move(data), from->nbytes()));
      to->set_nbytes(from->nbytes());
      const_cast<c10::StorageImpl*>(from)->set_data_ptr(c10::DataPtr(to->mutable_data(), kCpu));
    }
    if (pair.host.sizes() != pair.device.sizes() || pair.host.strides() != pair.device.strides() ||
        pair.host.storage_offset() != pair.device.storage_offset()) {
      impl->set_sizes_and_strides(pair.host.sizes(), pair.host.strides(), pair.host.storage_offset());
    }
    mark_written(pair.device);
  }

  void give_value(c10::IValue& value) {
    if (value.isTensor()) {
      if (value.toTensor().defined()) value = device_of(value.toTensor());
    } else if (value.isTensorList()) {
      c10::List<at::Tensor> list;
      for (const auto& item : value.toListRef()) {
        const auto& tensor = item.toTensor();
        list.push_back(tensor.defined() ? device_of(tensor) : tensor);
      }
      value = std::move(list);
    }
  }

  at::Tensor device_of(const at::Tensor& result) {
    for (const auto& pair : tensors_) {
      if (pair.host.is_same(result)) return pair.device;
    }
    if (!result.device().is_cpu()) return result;
    if (tensors_.empty() && kernel_.device_position_ < 0) return result;
    TORCH_CHECK_NOT_IMPLEMENTED(result.layout() == c10::Layout::Strided,
                                "the device of tritonrl_harness has strided tensors only; ", kernel_.name_, " gives a ",
                                result.layout(), " one");
    // A tensor that was given: copy_ into the CPU returns its destination.
    if (first_is_host_ && kernel_.mixing_ == Mixing::kAny) return result;
    for (const auto& [device, host] : storages_) {
      if (host.is_alias_of(result.storage())) return tensor_on(device, c10::DispatchKey::CUDA, result);
    }
    auto* storage = result.storage().unsafeGetStorageImpl();
    const auto bytes = storage->nbytes();
    bytes_ += result.nbytes();
    auto data = result.storage().use_count() == 1 ? adopt(storage->set_data_ptr(c10::DataPtr(nullptr, kCpu)), bytes)
                                                  : copy_to_device(storage->data(), bytes);
    return tensor_on(device_storage(std::move(data), bytes), c10::DispatchKey::CUDA, result);
  }

  const OperatorKernel& kernel_;
  c10::SmallVector<Pair, 6> tensors_;
  c10::SmallVector<std::pair<c10::Storage, c10::Storage>, 6> storages_;
  std::uint64_t bytes_ = 0;
  std::optional<c10::ScalarType> narrow_;
  bool first_is_host_ = false;
  bool wrong_host_ = false;
};

void OperatorKernel::operator()(const c10::OperatorHandle& op, c10::DispatchKeySet /*keys*/,
                                std::vector<c10::IValue>* stack) const {
  Call call(*this);
  call.take(*stack);
  {
    const InOperator in_operator;
    const BorrowedGenerator borrowed(draws_without_generator_);
    const at::AutoDispatchBelowADInplaceOrView below;
    if (narrowed_ != 0) call.widen(*stack);
    op.redispatchBoxed(c10::DispatchKeySet(c10::DispatchKey::CPU), stack);
    if (narrowed_ != 0) call.narrow(*stack);
  }
  call.give(*stack);
}

std::uint64_t op_count() { return g_ops.load(std::memory_order_relaxed); }
std::uint64_t bytes_moved() { return g_bytes.load(std::memory_order_relaxed); }

}  // namespace tritonrl::device
