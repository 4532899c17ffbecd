#include "base/error.h"
#include "kernels/sample_tokens.h"

namespace tritonrl::kernels::cuda {

void sample_tokens(const SampleTokens& /*work*/, Stream /*stream*/) {
  throw base::HostError("this build has no kernels for GPUs; configure with --preset cuda where nvcc is found");
}

}  // namespace tritonrl::kernels::cuda
