#include <algorithm>

#include "kernels/cuda_lanes.cuh"
#include "kernels/head_rope.h"
#include "kernels/rms_norm.h"

namespace tritonrl::kernels::cuda {
namespace {

constexpr unsigned kWarpsPerBlock = 4;
// There are few blocks, one for a partial sum, so each is as large as its shared memory lets it be.
constexpr unsigned kMostBackwardWarps = 32;
constexpr unsigned kMostSharedBytes = 48 << 10U;

__device__ float warp_sum(float value) {
  for (int step = kWarp / 2; step > 0; step /= 2) value += __shfl_xor_sync(0xffffffffU, value, step);
  return value;
}

// One head, by one warp.
template <typename T>
__device__ float rope_head(const T* x, const T* weight, const float* cosines, const float* sines, std::int64_t half,
                           float eps, T* out) {
  const int lane = threadIdx.x % kWarp;
  float squares = 0;
  for (std::int64_t i = lane; i < 2 * half; i += kWarp) squares += to_float(x[i]) * to_float(x[i]);
  const float rstd = rsqrtf(warp_sum(squares) / static_cast<float>(2 * half) + eps);
  for (std::int64_t i = lane; i < half; i += kWarp) {
    const float a = to_float(x[i]) * rstd * to_float(weight[i]);
    const float b = to_float(x[half + i]) * rstd * to_float(weight[half + i]);
    out[i] = from_float<T>(a * cosines[i] - b * sines[i]);
    out[half + i] = from_float<T>(b * cosines[i] + a * sines[i]);
  }
  return rstd;
}

// A warp for each head of a token: queries and keys are turned, values copied to their slot.
template <typename T>
__global__ void forward(HeadRopeForward work) {
  wait_for_previous();
  const HeadShape shape = work.shape;
  const std::int64_t jobs = shape.heads + shape.kv_heads + (work.v == nullptr ? 0 : shape.kv_heads);
  const std::int64_t job = static_cast<std::int64_t>(blockIdx.x) * kWarpsPerBlock + threadIdx.x / kWarp;
  const std::int64_t token = job / jobs;
  const std::int64_t head = job % jobs;
  if (token >= shape.tokens) return;
  const std::int64_t dim = shape.head_dim;
  const T* x = static_cast<const T*>(work.qkv) + token * shape.qkv_columns() + head * dim;
  const bool query = head < shape.heads;
  const std::int64_t slot = work.slots == nullptr ? token : work.slots[token];
  if (!query && slot < 0) return;
  const int lane = threadIdx.x % kWarp;
  if (head >= shape.heads + shape.kv_heads) {
    T* v = static_cast<T*>(work.v) + (slot * shape.kv_heads + head - shape.heads - shape.kv_heads) * dim;
    for (std::int64_t i = lane; i < dim; i += kWarp) v[i] = x[i];
    return;
  }
  const std::int64_t angles = work.positions[token] * (dim / 2);
  const T* weight = static_cast<const T*>(query ? work.q_weight : work.k_weight);
  T* out = query ? static_cast<T*>(work.q) + (token * shape.heads + head) * dim
                 : static_cast<T*>(work.k) + (slot * shape.kv_heads + head - shape.heads) * dim;
  const float rstd = rope_head(x, weight, work.cosines + angles, work.sines + angles, dim / 2, work.eps, out);
  if (work.rstd != nullptr && lane == 0) work.rstd[token * (shape.heads + shape.kv_heads) + head] = rstd;
}

// One block for the tokens of a partial sum; its warps take heads in turn, each with sums of its own in shared memory.
template <typename T>
__global__ void __launch_bounds__(kMostBackwardWarps* kWarp) backward(HeadRopeBackward work) {
  extern __shared__ float sums[];  // [warps][2][head_dim]
  const HeadShape shape = work.shape;
  const std::int64_t dim = shape.head_dim;
  const std::int64_t half = dim / 2;
  const int lane = threadIdx.x % kWarp;
  const int warp = threadIdx.x / kWarp;
  float* own = sums + warp * 2 * dim;
  for (std::int64_t i = lane; i < 2 * dim; i += kWarp) own[i] = 0;
  const std::int64_t first = blockIdx.x * kRowsPerPartial;
  const std::int64_t last = min(first + kRowsPerPartial, shape.tokens);
  const std::int64_t heads = shape.heads + shape.kv_heads;
  const int warps = static_cast<int>(blockDim.x) / kWarp;
  for (std::int64_t job = warp; job < (last - first) * (heads + shape.kv_heads); job += warps) {
    const std::int64_t token = first + job / (heads + shape.kv_heads);
    const std::int64_t head = job % (heads + shape.kv_heads);
    const std::int64_t offset = token * shape.qkv_columns() + head * dim;
    T* grad_in = static_cast<T*>(work.grad_qkv) + offset;
    if (head >= heads) {
      const T* grad_v = static_cast<const T*>(work.grad_v) + (token * shape.kv_heads + head - heads) * dim;
      for (std::int64_t i = lane; i < dim; i += kWarp) grad_in[i] = grad_v[i];
      continue;
    }
    const bool query = head < shape.heads;
    const T* grad_out = query
                            ? static_cast<const T*>(work.grad_q) + (token * shape.heads + head) * dim
                            : static_cast<const T*>(work.grad_k) + (token * shape.kv_heads + head - shape.heads) * dim;
    const T* x = static_cast<const T*>(work.qkv) + offset;
    const T* weight = static_cast<const T*>(query ? work.q_weight : work.k_weight);
    const float* cosines = work.cosines + work.positions[token] * half;
    const float* sines = work.sines + work.positions[token] * half;
    const float rstd = work.rstd[token * heads + head];
    float* partial = query ? own : own + dim;
    float products = 0;
    for (std::int64_t i = lane; i < half; i += kWarp) {
      const float grad_a = to_float(grad_out[i]);
      const float grad_b = to_float(grad_out[half + i]);
      const float a = grad_a * cosines[i] + grad_b * sines[i];
      const float b = grad_b * cosines[i] - grad_a * sines[i];
      const float value_a = to_float(x[i]);
      const float value_b = to_float(x[half + i]);
      partial[i] += a * value_a * rstd;
      partial[half + i] += b * value_b * rstd;
      products += a * to_float(weight[i]) * value_a + b * to_float(weight[half + i]) * value_b;
    }
    const float along = warp_sum(products) / static_cast<float>(dim) * rstd * rstd * rstd;
    for (std::int64_t i = lane; i < half; i += kWarp) {
      const float grad_a = to_float(grad_out[i]);
      const float grad_b = to_float(grad_out[half + i]);
      const float a = (grad_a * cosines[i] + grad_b * sines[i]) * to_float(weight[i]);
      const float b = (grad_b * cosines[i] - grad_a * sines[i]) * to_float(weight[half + i]);
      grad_in[i] = from_float<T>(a * rstd - to_float(x[i]) * along);
      grad_in[half + i] = from_float<T>(b * rstd - to_float(x[half + i]) * along);
    }
  }
  __syncthreads();
  float* partial = work.weight_partials + blockIdx.x * 2 * dim;
  for (std::int64_t i = threadIdx.x; i < 2 * dim; i += blockDim.x) {
    float sum = 0;
    for (int other = 0; other < warps; ++other) sum += sums[other * 2 * dim + i];
    partial[i] = sum;
  }
}

}  // namespace

void head_rope(const HeadRopeForward& work, Stream stream) {
  const auto& shape = work.shape;
  const std::int64_t jobs = shape.tokens * (shape.heads + shape.kv_heads + (work.v == nullptr ? 0 : shape.kv_heads));
  if (jobs == 0) return;
  const auto blocks = static_cast<unsigned>((jobs + kWarpsPerBlock - 1) / kWarpsPerBlock);
  with_type(work.dtype,
            [&](auto zero) { launch_early(forward<decltype(zero)>, blocks, kWarpsPerBlock * kWarp, 0, stream, work); });
  check_launch("head_rope");
}

void head_rope_backward(const HeadRopeBackward& work, Stream stream) {
  if (work.shape.tokens == 0) return;
  const auto blocks = static_cast<unsigned>(weight_partials(work.shape.tokens));
  const auto sums_bytes = static_cast<unsigned>(2 * work.shape.head_dim * sizeof(float));  // of a warp
  const unsigned warps = std::clamp(kMostSharedBytes / sums_bytes, 1U, kMostBackwardWarps);
  with_type(work.dtype,
            [&](auto zero) { backward<decltype(zero)><<<blocks, warps * kWarp, warps * sums_bytes, stream>>>(work); });
  check_launch("head_rope_backward");
}

}  // namespace tritonrl::kernels::cuda
