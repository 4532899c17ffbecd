#pragma once

#include <cstdint>
#include <vector>

#include "kernels/cpu/attention_kernels.h"
#include "kernels/head_rope.h"
#include "kernels/rms_norm.h"
#include "kernels/swiglu.h"
#include "kernels/token_softmax.h"

namespace tritonrl::kernels::cpu {

// The loops over rows [begin, end), compiled for one instruction set. Backward passes with a weight count blocks of
// kRowsPerPartial rows instead.
struct RowKernels {
  void (*rms_norm)(const RmsNormForward&, std::int64_t begin, std::int64_t end);
  void (*rms_norm_backward)(const RmsNormBackward&, std::int64_t begin, std::int64_t end);
  void (*head_rope)(const HeadRopeForward&, std::int64_t begin, std::int64_t end);
  void (*head_rope_backward)(const HeadRopeBackward&, std::int64_t begin, std::int64_t end);
  void (*swiglu)(const SwigluForward&, std::int64_t begin, std::int64_t end);
  void (*swiglu_backward)(const SwigluBackward&, std::int64_t begin, std::int64_t end);
  void (*token_softmax)(const TokenSoftmaxForward&, std::int64_t begin, std::int64_t end);
  void (*token_softmax_backward)(const TokenSoftmaxBackward&, std::int64_t begin, std::int64_t end);
  AttendText attend_text;
  AttendTextBackward attend_text_backward;
};

// Those of every instruction set that this processor has, the widest first.
const std::vector<const RowKernels*>& all_row_kernels();
inline const RowKernels& row_kernels() { return *all_row_kernels().front(); }

}  // namespace tritonrl::kernels::cpu
