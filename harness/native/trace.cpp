#include "trace.h"

#include <algorithm>
#include <memory>

#include <ATen/record_function.h>

#include "memory.h"

namespace tritonrl::device {
namespace {

double volume(const at::Tensor& tensor) { return static_cast<double>(tensor.numel()); }

// Rows, inner and columns of a times b, over as many matrices as a has.
double matrix_flops(const at::Tensor& a, const at::Tensor& b) {
  return a.dim() < 2 || b.dim() < 1 ? 2 * volume(a) : 2 * volume(a) * static_cast<double>(b.dim() < 2 ? 1 : b.size(-1));
}

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

double product_flops(std::string_view name, c10::ArrayRef<at::Tensor> tensors, const at::Tensor& result) {
  if ((name == "mm" || name == "bmm" || name == "mv" || name == "dot") && tensors.size() >= 2)
    return matrix_flops(tensors[0], tensors[1]);
  if ((name == "addmm" || name == "baddbmm" || name == "addbmm" || name == "addmv" || name == "_addmm_activation") &&
      tensors.size() >= 3)
    return matrix_flops(tensors[1], tensors[2]);
  if (name.find("convolution") != std::string_view::npos && tensors.size() >= 2 && tensors[1].dim() > 0) {
    // A transposed convolution spreads its input; of the other kind each output element gathers.
    const bool transposed = name.find("transpose") != std::string_view::npos || !result.defined();
    const double elements = transposed ? volume(tensors[0]) : volume(result);
    return 2 * elements * volume(tensors[1]) / static_cast<double>(tensors[1].size(0));
  }
  if (name.starts_with("_scaled_dot_product") && tensors.size() >= 3 && tensors[1].dim() >= 2)
    return 4 * volume(tensors[0]) * static_cast<double>(tensors[1].size(-2));
  return 0;
}

void trace_host_operators() {
  if (executor().operated == nullptr) return;
  at::addGlobalCallback(at::RecordFunctionCallback(&on_operator).needsInputs(true).scopes({at::RecordScope::FUNCTION}));
}

}  // namespace tritonrl::device
