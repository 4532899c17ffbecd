#include <algorithm>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/record_function.h>

#include "gpu_trace_api.h"
#include "product_flops.h"

namespace {

tritonrl_operated_function g_operated = nullptr;

// Operators that others are made of count; those that are made of others, all of which come by themselves, do not.
bool made_of_others(const c10::OperatorName& name) {
  static std::mutex mutex;
  static std::unordered_map<std::string, bool> known;
  const std::scoped_lock lock(mutex);
  const std::string key = name.name + "." + name.overload_name;
  const auto found = known.find(key);
  if (found != known.end()) return found->second;
  const auto handle = c10::Dispatcher::singleton().findSchema(name);
  const bool composite =
      handle.has_value() && handle->hasKernelForDispatchKey(c10::DispatchKey::CompositeImplicitAutograd);
  known.emplace(key, composite);
  return composite;
}

struct Tensors {
  std::vector<at::Tensor> of_device;
  std::uint64_t bytes = 0;
  std::uint64_t elements = 0;
  bool of_host = false;

  void look_at(const c10::IValue& value) {
    if (value.isTensor()) {
      look_at(value.toTensor());
    } else if (value.isTensorList()) {
      for (const auto& item : value.toListRef()) look_at(item.toTensor());
    }
  }
  void look_at(const at::Tensor& tensor) {
    if (!tensor.defined()) return;
    elements = std::max(elements, static_cast<std::uint64_t>(tensor.numel()));
    if (tensor.is_cuda()) {
      bytes += static_cast<std::uint64_t>(tensor.numel()) * tensor.element_size();
      of_device.push_back(tensor);
    } else {
      of_host = true;
    }
  }
};

// What an operator was given: it is gone when the operator ends.
struct Given : at::ObserverContext {
  Tensors tensors;
};

std::unique_ptr<at::ObserverContext> on_begin(const at::RecordFunction& function) {
  const auto name = function.operator_name();
  if (!name || made_of_others(*name)) return nullptr;
  auto given = std::make_unique<Given>();
  for (const auto& input : function.inputs()) given->tensors.look_at(input);
  return given;
}

void on_end(const at::RecordFunction& function, at::ObserverContext* context) {
  if (context == nullptr) return;
  const Tensors& given = static_cast<Given*>(context)->tensors;
  Tensors made;
  for (const auto& output : function.outputs()) made.look_at(output);
  if (given.elements == 0 && made.elements == 0) return;
  const bool on_device = !given.of_device.empty() || !made.of_device.empty();
  const bool to_host = !given.of_device.empty() && made.of_host;
  std::string_view name = function.name();
  if (const auto end = name.find("::"); end != std::string_view::npos) name.remove_prefix(end + 2);
  const at::Tensor result = made.of_device.empty() ? at::Tensor() : made.of_device.front();
  const double flops = tritonrl::device::product_flops(name, given.of_device, result);
  g_operated(std::string(name).c_str(), given.bytes + made.bytes, std::max(given.elements, made.elements), flops,
             on_device ? 0 : 1, to_host ? 1 : 0);
}

}  // namespace

void tritonrl_trace_start(tritonrl_operated_function operated) {
  g_operated = operated;
  at::addGlobalCallback(at::RecordFunctionCallback(&on_begin, &on_end)
                            .needsInputs(true)
                            .needsOutputs(true)
                            .scopes({at::RecordScope::FUNCTION}));
}
