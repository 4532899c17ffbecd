#include "model/panels.h"

#include "kernels/linear_rows.h"
#include "model/large_tensor.h"

namespace tritonrl::model {

std::vector<MatrixPanels> panels_for(const std::vector<at::Tensor>& matrices) {
  const auto floats_of = [](const at::Tensor& matrix) {
    return kernels::cpu::panel_floats(matrix.size(1), matrix.size(0));
  };
  std::int64_t total = 0;
  for (const at::Tensor& matrix : matrices) total += floats_of(matrix);
  const at::Tensor memory = large_tensor({total}, at::TensorOptions(at::kFloat));
  std::vector<MatrixPanels> all;
  std::int64_t used = 0;
  for (const at::Tensor& matrix : matrices) {
    all.push_back({.floats = memory.narrow(0, used, floats_of(matrix)),
                   .in_columns = matrix.size(1),
                   .out_columns = matrix.size(0)});
    used += floats_of(matrix);
  }
  return all;
}

void cut(const at::Tensor& matrix, const MatrixPanels& panels) {
  kernels::cpu::cut_panels({.weight = matrix.const_data_ptr<float>(),
                            .panels = panels.floats.data_ptr<float>(),
                            .in_columns = panels.in_columns,
                            .out_columns = panels.out_columns});
}

}  // namespace tritonrl::model
