#include "trace.h"

#include <algorithm>
#include <memory>

#include <ATen/record_function.h>

#include "memory.h"

namespace tritonrl::device {
namespace {

struct Tensors {
  std::uint64_t elements = 0;
  bool of_device = false;

  void look_at(const c10::IValue& value) {
    if (value.isTensor()) {
      look_at(value.toTensor());
    } else if (value.isTensorList()) {
      for (const auto& item : value.toListRef()) look_at(item.toTensor());
    }
  }
  void look_at(const at::Tensor& tensor) {
    if (!tensor.defined()) return;
    of_device = of_device || tensor.is_cuda();
    if (tensor.device().is_cpu()) elements = std::max(elements, static_cast<std::uint64_t>(tensor.numel()));
  }
};

std::unique_ptr<at::ObserverContext> on_operator(const at::RecordFunction& function) {
  if (InOperator::any()) return nullptr;
  Tensors tensors;
  for (const auto& input : function.inputs()) tensors.look_at(input);
  if (tensors.of_device || tensors.elements == 0) return nullptr;
  std::string_view name = function.name();
  if (const auto end = name.find("::"); end != std::string_view::npos) name.remove_prefix(end + 2);
  executor().operated(std::string(name).c_str(), 0, tensors.elements, 0, 1, 0);
  return nullptr;
}

}  // namespace

void trace_host_operators() {
  if (executor().operated == nullptr) return;
  at::addGlobalCallback(at::RecordFunctionCallback(&on_operator).needsInputs(true).scopes({at::RecordScope::FUNCTION}));
}

}  // namespace tritonrl::device
