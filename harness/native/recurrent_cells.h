#ifndef TRITONRL_HARNESS_RECURRENT_CELLS_H
#define TRITONRL_HARNESS_RECURRENT_CELLS_H

#include <torch/library.h>

namespace tritonrl::device {

// torch's LSTM and GRU call fused cells on CUDA that have no CPU kernel: here they are, of plain operators.
void install_recurrent_cells(torch::Library& library);

}  // namespace tritonrl::device

#endif
