#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <vector>

// A model's matrices as products on the CPU read them (kernels/linear_rows.h): copies, as old as the call that made
// them.
namespace tritonrl::model {

struct MatrixPanels {
  at::Tensor floats;
  std::int64_t in_columns = 0;
  std::int64_t out_columns = 0;
};

struct LayerPanels {
  MatrixPanels qkv;
  MatrixPanels o;
  MatrixPanels gate_up;
  MatrixPanels down;
};

struct ModelPanels {
  std::vector<LayerPanels> layers;
  MatrixPanels lm_head;
};

// Room for the matrices' panels, one after the other in one piece of memory.
std::vector<MatrixPanels> panels_for(const std::vector<at::Tensor>& matrices);
void cut(const at::Tensor& matrix, const MatrixPanels& panels);

}  // namespace tritonrl::model
