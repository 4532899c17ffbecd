#include "kernels/cuda_lanes.cuh"
#include "kernels/rms_norm.h"

namespace tritonrl::kernels::cuda {
namespace {

constexpr unsigned kMostThreads = 512;

// One block a row. The sum is rounded to T before it is normed, as the tensor that it becomes.
template <typename T, int Count>
__global__ void forward(RmsNormForward work) {
  const std::int64_t row = blockIdx.x;
  const T* x = static_cast<const T*>(work.x) + row * work.columns;
  const T* residual = work.residual == nullptr ? nullptr : static_cast<const T*>(work.residual) + row * work.columns;
  T* sum = static_cast<T*>(work.sum) + row * work.columns;
  float squares = 0;
  for (std::int64_t i = threadIdx.x * Count; i < work.columns; i += blockDim.x * Count) {
    auto values = load_pack<Count>(x + i);
    if (residual != nullptr) {
      const auto added = load_pack<Count>(residual + i);
      for (int j = 0; j < Count; ++j) {
        values.values[j] = from_float<T>(to_float(values.values[j]) + to_float(added.values[j]));
      }
      store_pack<Count>(sum + i, values);
    }
    for (int j = 0; j < Count; ++j) squares += to_float(values.values[j]) * to_float(values.values[j]);
  }
  const float rstd = rsqrtf(block_sum(squares) / static_cast<float>(work.columns) + work.eps);
  if (work.rstd != nullptr && threadIdx.x == 0) work.rstd[row] = rstd;
  const T* normed = residual == nullptr ? x : sum;
  const T* weight = static_cast<const T*>(work.weight);
  T* out = static_cast<T*>(work.out) + row * work.columns;
  for (std::int64_t i = threadIdx.x * Count; i < work.columns; i += blockDim.x * Count) {
    const auto values = load_pack<Count>(normed + i);
    const auto weights = load_pack<Count>(weight + i);
    Pack<T, Count> result;
    for (int j = 0; j < Count; ++j) {
      result.values[j] = from_float<T>(rounded<T>(to_float(values.values[j]) * rstd) * to_float(weights.values[j]));
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
    const T* x = static_cast<const T*>(work.sum) + row * n;
    const T* grad_out = static_cast<const T*>(work.grad_out) + row * n;
    const T* grad_sum = work.grad_sum == nullptr ? nullptr : static_cast<const T*>(work.grad_sum) + row * n;
    T* grad_in = static_cast<T*>(work.grad_in) + row * n;
    const float rstd = work.rstd[row];
    float products = 0;
    for (std::int64_t i = threadIdx.x * Count; i < n; i += blockDim.x * Count) {
      const auto values = load_pack<Count>(x + i);
      const auto grads = load_pack<Count>(grad_out + i);
      const auto weights = load_pack<Count>(weight + i);
      for (int j = 0; j < Count; ++j) {
        const float value = to_float(values.values[j]);
        const float grad = to_float(grads.values[j]);
        products += grad * to_float(weights.values[j]) * value;
        partial[i + j] += grad * value * rstd;
      }
    }
    const float along = block_sum(products) / static_cast<float>(n) * rstd * rstd * rstd;
    for (std::int64_t i = threadIdx.x * Count; i < n; i += blockDim.x * Count) {
      const auto values = load_pack<Count>(x + i);
      const auto grads = load_pack<Count>(grad_out + i);
      const auto weights = load_pack<Count>(weight + i);
      Pack<T, Count> others;
      if (grad_sum != nullptr) others = load_pack<Count>(grad_sum + i);
      Pack<T, Count> result;
      for (int j = 0; j < Count; ++j) {
        float grad =
            to_float(grads.values[j]) * to_float(weights.values[j]) * rstd - to_float(values.values[j]) * along;
        if (grad_sum != nullptr) grad += to_float(others.values[j]);
        result.values[j] = from_float<T>(grad);
      }
      store_pack<Count>(grad_in + i, result);
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
      forward<T, kCount><<<blocks, threads_for(work.columns / kCount, kMostThreads), 0, stream>>>(work);
    } else {
      forward<T, 1><<<blocks, threads_for(work.columns, kMostThreads), 0, stream>>>(work);
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
                        aligned(work.grad_out) && aligned(work.grad_sum) && aligned(work.grad_in);
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
