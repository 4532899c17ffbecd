#include "base/error.h"
#include "kernels/head_rope.h"
#include "kernels/rms_norm.h"
#include "kernels/rounded_update.h"
#include "kernels/swiglu.h"
#include "kernels/token_softmax.h"

// Where the build has no CUDA compiler.
namespace tritonrl::kernels::cuda {
namespace {

[[noreturn]] void refuse() {
  throw base::HostError("this build has no kernels for GPUs; configure with --preset cuda where nvcc is found");
}

}  // namespace

void rms_norm(const RmsNormForward& /*work*/, Stream /*stream*/) { refuse(); }
void rms_norm_backward(const RmsNormBackward& /*work*/, Stream /*stream*/) { refuse(); }
void rounded_adamw(const RoundedAdamW& /*work*/, Stream /*stream*/) { refuse(); }
void rounded_sum(const RoundedSum& /*work*/, Stream /*stream*/) { refuse(); }
void head_rope(const HeadRopeForward& /*work*/, Stream /*stream*/) { refuse(); }
void head_rope_backward(const HeadRopeBackward& /*work*/, Stream /*stream*/) { refuse(); }
void swiglu(const SwigluForward& /*work*/, Stream /*stream*/) { refuse(); }
void swiglu_backward(const SwigluBackward& /*work*/, Stream /*stream*/) { refuse(); }
void token_softmax(const TokenSoftmaxForward& /*work*/, Stream /*stream*/) { refuse(); }
void token_softmax_backward(const TokenSoftmaxBackward& /*work*/, Stream /*stream*/) { refuse(); }

}  // namespace tritonrl::kernels::cuda
