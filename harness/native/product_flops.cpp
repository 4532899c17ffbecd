#include "product_flops.h"

namespace tritonrl::device {
namespace {

double volume(const at::Tensor& tensor) { return static_cast<double>(tensor.numel()); }

// Rows, inner and columns of a times b, over as many matrices as a has.
double matrix_flops(const at::Tensor& a, const at::Tensor& b) {
  return a.dim() < 2 || b.dim() < 1 ? 2 * volume(a) : 2 * volume(a) * static_cast<double>(b.dim() < 2 ? 1 : b.size(-1));
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

}  // namespace tritonrl::device
