#include "kernels/cuda_lanes.cuh"
#include "kernels/rms_norm.h"

namespace tritonrl::kernels::cuda {
namespace {

constexpr unsigned kMostThreads = 512;

template <int Count>
struct Floats {
  float values[Count];
};

// Sixteen bytes at a time, whatever the type of the other packs.
template <int Count>
__device__ Floats<Count> load_floats(const float* from) {
  constexpr int kStep = Count < 4 ? Count : 4;
  Floats<Count> floats;
#pragma unroll
  for (int i = 0; i < Count; i += kStep) {
    const auto pack = load_pack<kStep>(from + i);
    for (int j = 0; j < kStep; ++j) floats.values[i + j] = pack.values[j];
  }
  return floats;
}
template <int Count>
__device__ void store_floats(float* to, const Floats<Count>& floats) {
  constexpr int kStep = Count < 4 ? Count : 4;
#pragma unroll
  for (int i = 0; i < Count; i += kStep) {
    Pack<float, kStep> pack;
    for (int j = 0; j < kStep; ++j) pack.values[j] = floats.values[i + j];
    store_pack<kStep>(to + i, pack);
  }
}

template <int Count, typename T>
__device__ Floats<Count> load_as_floats(const T* from) {
  const auto pack = load_pack<Count>(from);
  Floats<Count> floats;
  for (int j = 0; j < Count; ++j) floats.values[j] = to_float(pack.values[j]);
  return floats;
}

// One block a row. A thread's first values stay in its registers: where they are all, the row is read once.
template <typename T, int Count>
__global__ void forward(RmsNormForward work) {
  wait_for_previous();
  const std::int64_t row = blockIdx.x;
  const T* x = static_cast<const T*>(work.x) + row * work.columns;
  const float* residual = work.residual == nullptr ? nullptr : work.residual + row * work.columns;
  float* sum = work.sum == nullptr ? nullptr : work.sum + row * work.columns;
  const std::int64_t begin = threadIdx.x * Count;
  Floats<Count> first{};
  float squares = 0;
  for (std::int64_t i = begin; i < work.columns; i += blockDim.x * Count) {
    auto values = load_as_floats<Count>(x + i);
    if (residual != nullptr) {
      const auto added = load_floats<Count>(residual + i);
      for (int j = 0; j < Count; ++j) values.values[j] += added.values[j];
    }
    if (sum != nullptr) store_floats<Count>(sum + i, values);
    for (int j = 0; j < Count; ++j) squares += values.values[j] * values.values[j];
    if (i == begin) first = values;
  }
  const float rstd = rsqrtf(block_sum(squares) / static_cast<float>(work.columns) + work.eps);
  if (work.rstd != nullptr && threadIdx.x == 0) work.rstd[row] = rstd;
  const T* weight = static_cast<const T*>(work.weight);
  T* out = static_cast<T*>(work.out) + row * work.columns;
  for (std::int64_t i = begin; i < work.columns; i += blockDim.x * Count) {
    if (i != begin) first = sum != nullptr ? load_floats<Count>(sum + i) : load_as_floats<Count>(x + i);
    const auto weights = load_pack<Count>(weight + i);
    Pack<T, Count> result;
    for (int j = 0; j < Count; ++j) {
      result.values[j] = from_float<T>(first.values[j] * rstd * to_float(weights.values[j]));
    }
    store_pack<Count>(out + i, result);
  }
}

// One block for the rows of a partial sum of the weight's gradient; a thread owns its columns in all of them.
template <typename T, int Count>
__global__ void backward(RmsNormBackward work) {
  const std::int64_t n = work.columns;
  const std::int64_t first = blockIdx.x * kRowsPerPartial;
  const std::int64_t last = min(first + kRowsPerPartial, work.rows);
  float* partial = work.weight_partials + blockIdx.x * n;
  const T* weight = static_cast<const T*>(work.weight);
  for (std::int64_t i = threadIdx.x * Count; i < n; i += blockDim.x * Count) {
    for (int j = 0; j < Count; ++j) partial[i + j] = 0;
  }
  for (std::int64_t row = first; row < last; ++row) {
    const float* x = work.sum + row * n;
    const T* grad_out = static_cast<const T*>(work.grad_out) + row * n;
    const float* grad_sum = work.grad_sum == nullptr ? nullptr : work.grad_sum + row * n;
    T* grad_in = static_cast<T*>(work.grad_in) + row * n;
    const float rstd = work.rstd[row];
    float products = 0;
    for (std::int64_t i = threadIdx.x * Count; i < n; i += blockDim.x * Count) {
      const auto values = load_floats<Count>(x + i);
      const auto grads = load_pack<Count>(grad_out + i);
      const auto weights = load_pack<Count>(weight + i);
      for (int j = 0; j < Count; ++j) {
        const float value = values.values[j];
        const float grad = to_float(grads.values[j]);
        products += grad * to_float(weights.values[j]) * value;
        partial[i + j] += grad * value * rstd;
      }
    }
    const float along = block_sum(products) / static_cast<float>(n) * rstd * rstd * rstd;
    for (std::int64_t i = threadIdx.x * Count; i < n; i += blockDim.x * Count) {
      const auto values = load_floats<Count>(x + i);
      const auto grads = load_pack<Count>(grad_out + i);
      const auto weights = load_pack<Count>(weight + i);
      Floats<Count> sums{};
      if (grad_sum != nullptr) sums = load_floats<Count>(grad_sum + i);
      Pack<T, Count> result;
      for (int j = 0; j < Count; ++j) {
        sums.values[j] += to_float(grads.values[j]) * to_float(weights.values[j]) * rstd - values.values[j] * along;
        result.values[j] = from_float<T>(sums.values[j]);
      }
      store_pack<Count>(grad_in + i, result);
      if (work.grad_residual != nullptr) store_floats<Count>(work.grad_residual + row * n + i, sums);
    }
  }
}

}  // namespace

void rms_norm(const RmsNormForward& work, Stream stream) {
  if (work.rows == 0) return;
  with_type(work.dtype, [&](auto zero) {
    using T = decltype(zero);
    constexpr int kCount = kPackCount<T>;
    const bool packed = work.columns % kCount == 0 && aligned(work.x) && aligned(work.residual) &&
                        aligned(work.weight) && aligned(work.sum) && aligned(work.out);
    const auto blocks = static_cast<unsigned>(work.rows);
    if (packed) {
      launch_early(forward<T, kCount>, blocks, threads_for(work.columns / kCount, kMostThreads), 0, stream, work);
    } else {
      launch_early(forward<T, 1>, blocks, threads_for(work.columns, kMostThreads), 0, stream, work);
    }
  });
  check_launch("rms_norm");
}

void rms_norm_backward(const RmsNormBackward& work, Stream stream) {
  if (work.rows == 0) return;
  with_type(work.dtype, [&](auto zero) {
    using T = decltype(zero);
    constexpr int kCount = kPackCount<T>;
    const bool packed = work.columns % kCount == 0 && aligned(work.sum) && aligned(work.weight) &&
                        aligned(work.grad_out) && aligned(work.grad_sum) && aligned(work.grad_in) &&
                        aligned(work.grad_residual);
    const auto blocks = static_cast<unsigned>(weight_partials(work.rows));
    if (packed) {
      backward<T, kCount><<<blocks, threads_for(work.columns / kCount, kMostThreads), 0, stream>>>(work);
    } else {
      backward<T, 1><<<blocks, threads_for(work.columns, kMostThreads), 0, stream>>>(work);
    }
  });
  check_launch("rms_norm_backward");
}

}  // namespace tritonrl::kernels::cuda
