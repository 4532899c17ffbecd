#include "base/error.h"
#include "kernels/linear_row.h"
#include "kernels/paged_attention.h"
#include "kernels/sample_tokens.h"

namespace tritonrl::kernels::cuda {
namespace {

[[noreturn]] void refuse() {
  throw base::HostError("this build has no kernels for GPUs; configure with --preset cuda where nvcc is found");
}

}  // namespace

bool takes(const LinearRow& /*work*/) { return false; }
void linear_row(const LinearRow& /*work*/, Stream /*stream*/) { refuse(); }

std::int64_t paged_attention_scratch(const PagedAttention& /*work*/) { return 0; }
void paged_attention(const PagedAttention& /*work*/, Stream /*stream*/) { refuse(); }

std::int64_t sample_tokens_scratch(const SampleTokens& /*work*/) { return 0; }
void sample_tokens(const SampleTokens& /*work*/, Stream /*stream*/) { refuse(); }

}  // namespace tritonrl::kernels::cuda
