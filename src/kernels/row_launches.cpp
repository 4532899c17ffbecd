#include "base/error.h"
#include "kernels/cpu/row_kernels.h"
#include "kernels/parallel_rows.h"

// The CPU's launch functions of everything that works row by row.
namespace tritonrl::kernels::cpu {
namespace {

constexpr std::int64_t kGrainElements = 1 << 14;  // fewer are not worth a second thread

std::int64_t grain_of(std::int64_t elements_per_item) {
  return elements_per_item >= kGrainElements ? 1 : kGrainElements / (elements_per_item + 1);
}

template <typename Work>
void launch(void (*kernel)(const Work&, std::int64_t, std::int64_t), const Work& work, std::int64_t count,
            std::int64_t elements_per_item) {
  if constexpr (requires { work.dtype; }) base::check(work.dtype == DType::kFloat32, "CPU kernels compute in fp32");
  for_each_range(count, grain_of(elements_per_item),
                 [&](std::int64_t begin, std::int64_t end) { kernel(work, begin, end); });
}

}  // namespace

void rms_norm(const RmsNormForward& work) { launch(row_kernels().rms_norm, work, work.rows, work.columns); }

void rms_norm_backward(const RmsNormBackward& work) {
  launch(row_kernels().rms_norm_backward, work, weight_partials(work.rows), kRowsPerPartial * work.columns);
}

void head_rope(const HeadRopeForward& work) {
  launch(row_kernels().head_rope, work, work.shape.tokens, work.shape.qkv_columns());
}

void head_rope_backward(const HeadRopeBackward& work) {
  launch(row_kernels().head_rope_backward, work, weight_partials(work.shape.tokens),
         kRowsPerPartial * work.shape.qkv_columns());
}

void swiglu(const SwigluForward& work) { launch(row_kernels().swiglu, work, work.rows, 2 * work.columns); }

void swiglu_backward(const SwigluBackward& work) {
  launch(row_kernels().swiglu_backward, work, work.rows, 2 * work.columns);
}

void token_softmax(const TokenSoftmaxForward& work) {
  launch(row_kernels().token_softmax, work, work.rows, work.columns);
}

void token_softmax_backward(const TokenSoftmaxBackward& work) {
  launch(row_kernels().token_softmax_backward, work, work.rows, work.columns);
}

}  // namespace tritonrl::kernels::cpu
