#include "kernels/cuda_lanes.cuh"
#include "kernels/token_softmax.h"

namespace tritonrl::kernels::cuda {
namespace {

constexpr unsigned kThreads = 1024;
constexpr int kCount = kPackCount<float>;

// One block a row: the greatest logit, then the sums. A vocabulary's row stays in the cache between the two.
template <int Count>
__global__ void forward(TokenSoftmaxForward work) {
  const std::int64_t row = blockIdx.x;
  const float* logits = work.logits + row * work.columns;
  const float scale = work.inverse_temperature;
  float greatest = -INFINITY;
  for (std::int64_t i = threadIdx.x * Count; i < work.columns; i += blockDim.x * Count) {
    const auto values = load_pack<Count>(logits + i);
    for (int j = 0; j < Count; ++j) greatest = fmaxf(greatest, values.values[j]);
  }
  const float top = block_max(greatest) * scale;
  float sum = 0;
  float weighted = 0;
  for (std::int64_t i = threadIdx.x * Count; i < work.columns; i += blockDim.x * Count) {
    const auto values = load_pack<Count>(logits + i);
    for (int j = 0; j < Count; ++j) {
      const float z = values.values[j] * scale - top;
      const float e = __expf(z);
      sum += e;
      weighted += e * z;
    }
  }
  const float total = block_sum(sum);
  const float total_weighted = block_sum(weighted);
  if (threadIdx.x != 0) return;
  const float log_sum = logf(total);
  work.log_sums[row] = top + log_sum;
  work.log_probs[row] = logits[work.targets[row]] * scale - top - log_sum;
  if (work.entropies != nullptr) work.entropies[row] = log_sum - total_weighted / total;
}

template <typename T, int Count>
__global__ void backward(TokenSoftmaxBackward work) {
  const std::int64_t row = blockIdx.x;
  const float* logits = work.logits + row * work.columns;
  T* grad_logits = static_cast<T*>(work.grad_logits) + row * work.columns;
  const float scale = work.inverse_temperature;
  const float log_sum = work.log_sums[row];
  const float grad_log_prob = work.grad_log_probs[row] * scale;
  const bool with_entropy = work.grad_entropies != nullptr;
  const float grad_entropy = with_entropy ? work.grad_entropies[row] * scale : 0;
  const float entropy = with_entropy ? work.entropies[row] : 0;
  const std::int64_t target = work.targets[row];
  for (std::int64_t i = threadIdx.x * Count; i < work.columns; i += blockDim.x * Count) {
    const auto values = load_pack<Count>(logits + i);
    Pack<T, Count> grads;
    for (int j = 0; j < Count; ++j) {
      const float log_prob = values.values[j] * scale - log_sum;
      float grad = -__expf(log_prob) * (grad_log_prob + grad_entropy * (log_prob + entropy));
      if (i + j == target) grad += grad_log_prob;
      grads.values[j] = from_float<T>(grad);
    }
    store_pack<Count>(grad_logits + i, grads);
  }
}

}  // namespace

void token_softmax(const TokenSoftmaxForward& work, Stream stream) {
  if (work.rows == 0) return;
  const auto blocks = static_cast<unsigned>(work.rows);
  if (work.columns % kCount == 0 && aligned(work.logits)) {
    forward<kCount><<<blocks, threads_for(work.columns / kCount, kThreads), 0, stream>>>(work);
  } else {
    forward<1><<<blocks, threads_for(work.columns, kThreads), 0, stream>>>(work);
  }
  check_launch("token_softmax");
}

void token_softmax_backward(const TokenSoftmaxBackward& work, Stream stream) {
  if (work.rows == 0) return;
  with_type(work.dtype, [&](auto zero) {
    using T = decltype(zero);
    const auto blocks = static_cast<unsigned>(work.rows);
    if (work.columns % kCount == 0 && aligned(work.logits) && aligned(work.grad_logits)) {
      backward<T, kCount><<<blocks, threads_for(work.columns / kCount, kThreads), 0, stream>>>(work);
    } else {
      backward<T, 1><<<blocks, threads_for(work.columns, kThreads), 0, stream>>>(work);
    }
  });
  check_launch("token_softmax_backward");
}

}  // namespace tritonrl::kernels::cuda
