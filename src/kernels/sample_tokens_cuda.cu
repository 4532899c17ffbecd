#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include <cstdint>
#include <string>

#include "base/error.h"
#include "kernels/sample_tokens.h"

// A block a draw. It goes over the row of logits a few times, which then comes from the second cache; filters cost
// another 31 times, as they find the exact bound by halving.
namespace tritonrl::kernels::cuda {
namespace {

constexpr int kThreads = 512;
constexpr int kWarps = kThreads / 32;

// philox4x32-10, as base::philox4x32 has it.
__device__ double uniform(std::uint64_t seed, std::uint32_t position) {
  std::uint32_t counter[4] = {position, 0, 0, 0};
  std::uint32_t key[2] = {static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32U)};
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t first = std::uint64_t{0xD2511F53U} * counter[0];
    const std::uint64_t second = std::uint64_t{0xCD9E8D57U} * counter[2];
    const std::uint32_t next[4] = {
        static_cast<std::uint32_t>(second >> 32U) ^ counter[1] ^ key[0], static_cast<std::uint32_t>(second),
        static_cast<std::uint32_t>(first >> 32U) ^ counter[3] ^ key[1], static_cast<std::uint32_t>(first)};
    for (int i = 0; i < 4; ++i) counter[i] = next[i];
    key[0] += 0x9E3779B9U;
    key[1] += 0xBB67AE85U;
  }
  const std::uint64_t bits = (std::uint64_t{counter[0]} << 21U) ^ (counter[1] >> 11U);
  return static_cast<double>(bits) * 0x1p-53;
}

struct Sum {
  static __device__ float join(float a, float b) { return a + b; }
};
struct Greatest {
  static __device__ float join(float a, float b) { return fmaxf(a, b); }
};

// Over the block, in an order that does not depend on timing; every thread gets it.
template <typename Join>
__device__ float over_block(float value, float empty) {
  __shared__ float of_warp[kWarps];
  for (int step = 16; step > 0; step /= 2) value = Join::join(value, __shfl_xor_sync(0xffffffffU, value, step));
  if (threadIdx.x % 32 == 0) of_warp[threadIdx.x / 32] = value;
  __syncthreads();
  float all = empty;
  for (int warp = 0; warp < kWarps; ++warp) all = Join::join(all, of_warp[warp]);
  __syncthreads();
  return all;
}

template <typename T>
struct Row {
  const T* logits;
  std::int64_t count;
  float greatest;
  float scale;

  __device__ float logit(std::int64_t i) const { return static_cast<float>(logits[i]); }
  __device__ float weight(std::int64_t i) const { return expf((logit(i) - greatest) * scale); }

  // Of the weights that are not below the bound.
  __device__ float sum_from(float bound) const {
    float sum = 0;
    for (std::int64_t i = threadIdx.x; i < count; i += kThreads) {
      const float one = weight(i);
      sum += one >= bound ? one : 0.0F;
    }
    return over_block<Sum>(sum, 0);
  }
  __device__ float count_from(float bound) const {
    float kept = 0;  // exact up to 2^24
    for (std::int64_t i = threadIdx.x; i < count; i += kThreads) kept += weight(i) >= bound ? 1.0F : 0.0F;
    return over_block<Sum>(kept, 0);
  }
};

// The largest bound at which `enough` holds; weights lie in [0, 1], where floats are ordered as their bits are.
template <typename Enough>
__device__ float bound_of(float lowest, const Enough& enough) {
  int low = __float_as_int(lowest);
  int high = __float_as_int(1.0F) + 1;
  while (high - low > 1) {
    const int middle = low + (high - low) / 2;
    (enough(__int_as_float(middle)) ? low : high) = middle;
  }
  return __int_as_float(low);
}

// Threads sum neighbouring tokens, so that the running sum goes through the row in order.
template <typename T>
__device__ std::int64_t find_by_sum(const Row<T>& row, float bound, double share) {
  __shared__ double before[kThreads + 1];
  __shared__ int chosen;
  __shared__ std::int64_t found;
  const std::int64_t per_thread = (row.count + kThreads - 1) / kThreads;
  const std::int64_t begin = threadIdx.x * per_thread;
  const std::int64_t end = min(begin + per_thread, row.count);
  double sum = 0;
  for (std::int64_t i = begin; i < end; ++i) {
    const float one = row.weight(i);
    if (one >= bound) sum += one;
  }
  before[threadIdx.x + 1] = sum;
  __syncthreads();
  if (threadIdx.x == 0) {
    before[0] = 0;
    found = 0;
    for (int t = 0; t < kThreads; ++t) before[t + 1] += before[t];
    const double wanted = share * before[kThreads];
    chosen = 0;
    // The last thread that has anything, where rounding keeps the sum from passing.
    for (int t = 0; t < kThreads; ++t) {
      if (before[t + 1] == before[t]) continue;
      chosen = t;
      if (before[t + 1] > wanted) break;
    }
  }
  __syncthreads();
  if (static_cast<int>(threadIdx.x) == chosen) {
    const double wanted = share * before[kThreads];
    double reached = before[threadIdx.x];
    for (std::int64_t i = begin; i < end && reached <= wanted; ++i) {
      const float one = row.weight(i);
      if (one < bound) continue;
      found = i;
      reached += one;
    }
  }
  __syncthreads();
  return found;
}

template <typename T>
__device__ std::int64_t first_greatest(const Row<T>& row) {
  __shared__ unsigned long long first;
  if (threadIdx.x == 0) first = static_cast<unsigned long long>(row.count - 1);
  __syncthreads();
  for (std::int64_t i = threadIdx.x; i < row.count; i += kThreads) {
    if (row.logit(i) == row.greatest) {
      atomicMin(&first, static_cast<unsigned long long>(i));
      break;
    }
  }
  __syncthreads();
  return static_cast<std::int64_t>(first);
}

template <typename T>
__global__ void __launch_bounds__(kThreads) draw_tokens(SampleTokens work) {
  const std::int64_t draw = blockIdx.x;
  Row<T> row{.logits = static_cast<const T*>(work.logits) + work.rows[draw] * work.vocabulary,
             .count = work.vocabulary,
             .greatest = 0,
             .scale = 1};
  float greatest = -INFINITY;
  for (std::int64_t i = threadIdx.x; i < row.count; i += kThreads) greatest = fmaxf(greatest, row.logit(i));
  row.greatest = over_block<Greatest>(greatest, -INFINITY);
  const float raw_sum = row.sum_from(0);

  const float temperature = work.temperatures[draw];
  std::int64_t id = 0;
  float log_prob = 0;
  if (temperature == 0) {
    id = first_greatest(row);
  } else {
    row.scale = 1 / temperature;
    float bound = __int_as_float(1);  // above zero: what has no weight is never drawn
    const auto top_k = static_cast<float>(work.top_k[draw]);
    if (top_k > 0 && work.top_k[draw] < row.count) {
      bound = bound_of(bound, [&](float middle) { return row.count_from(middle) >= top_k; });
    }
    const float top_p = work.top_p[draw];
    if (top_p < 1) {
      const float wanted = top_p * row.sum_from(bound);
      bound = bound_of(bound, [&](float middle) { return row.sum_from(middle) >= wanted; });
    }
    bound = fmaxf(bound, work.min_p[draw]);
    const float kept = row.sum_from(bound);
    const double share =
        uniform(static_cast<std::uint64_t>(work.seeds[draw]), static_cast<std::uint32_t>(work.positions[draw]));
    id = find_by_sum(row, bound, share);
    log_prob = (row.logit(id) - row.greatest) * row.scale - logf(kept);
  }
  if (threadIdx.x != 0) return;
  work.ids[draw] = id;
  work.log_probs[draw] = log_prob;
  work.raw_log_probs[draw] = (row.logit(id) - row.greatest) - logf(raw_sum);
}

}  // namespace

void sample_tokens(const SampleTokens& work, Stream stream) {
  if (work.draws == 0) return;
  const auto blocks = static_cast<unsigned>(work.draws);
  switch (work.dtype) {
    case DType::kFloat32:
      draw_tokens<float><<<blocks, kThreads, 0, stream>>>(work);
      break;
    case DType::kBFloat16:
      draw_tokens<__nv_bfloat16><<<blocks, kThreads, 0, stream>>>(work);
      break;
    case DType::kFloat16:
      draw_tokens<__half><<<blocks, kThreads, 0, stream>>>(work);
      break;
  }
  const cudaError_t error = cudaGetLastError();
  if (error != cudaSuccess) throw base::HostError(std::string("sampling: ") + cudaGetErrorString(error));
}

}  // namespace tritonrl::kernels::cuda
