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

// What backward reads of a row at one place.
template <int Count>
struct RowPart {
  Floats<Count> values;
  Floats<Count> grads;  // times the weight
  Floats<Count> sums;   // the gradient that comes by way of the residual stream
};

// One block for the rows of a partial sum of the weight's gradient; a thread owns its columns in all of them. The first
// of them stay in its registers, as in forward.
template <typename T, int Count>
__global__ void backward(RmsNormBackward work) {
  const std::int64_t n = work.columns;
  const std::int64_t first = blockIdx.x * kRowsPerPartial;
  const std::int64_t last = min(first + kRowsPerPartial, work.rows);
  float* partial = work.weight_partials + blockIdx.x * n;
  const T* weight = static_cast<const T*>(work.weight);
  const std::int64_t begin = threadIdx.x * Count;
  const std::int64_t step = blockDim.x * Count;
  Floats<Count> first_partial{};
  for (std::int64_t i = begin + step; i < n; i += step) store_floats<Count>(partial + i, first_partial);
  for (std::int64_t row = first; row < last; ++row) {
    const float* x = work.sum + row * n;
    const T* grad_out = static_cast<const T*>(work.grad_out) + row * n;
    const float* grad_sum = work.grad_sum == nullptr ? nullptr : work.grad_sum + row * n;
    T* grad_in = static_cast<T*>(work.grad_in) + row * n;
    const float rstd = work.rstd[row];
    const auto read = [&](std::int64_t i) {
      RowPart<Count> part{
          .values = load_floats<Count>(x + i), .grads = load_as_floats<Count>(grad_out + i), .sums = {}};
      if (grad_sum != nullptr) part.sums = load_floats<Count>(grad_sum + i);
      return part;
    };
    RowPart<Count> kept{};
    float products = 0;
    for (std::int64_t i = begin; i < n; i += step) {
      RowPart<Count> part = read(i);
      const auto weights = load_as_floats<Count>(weight + i);
      Floats<Count> own = i == begin ? first_partial : load_floats<Count>(partial + i);
      for (int j = 0; j < Count; ++j) {
        own.values[j] += part.grads.values[j] * part.values.values[j] * rstd;
        part.grads.values[j] *= weights.values[j];
        products += part.grads.values[j] * part.values.values[j];
      }
      if (i == begin) {
        first_partial = own;
        kept = part;
      } else {
        store_floats<Count>(partial + i, own);
      }
    }
    const float along = block_sum(products) / static_cast<float>(n) * rstd * rstd * rstd;
    for (std::int64_t i = begin; i < n; i += step) {
      if (i != begin) {
        kept = read(i);
        const auto weights = load_as_floats<Count>(weight + i);
        for (int j = 0; j < Count; ++j) kept.grads.values[j] *= weights.values[j];
      }
      Pack<T, Count> result;
      for (int j = 0; j < Count; ++j) {
        kept.sums.values[j] += kept.grads.values[j] * rstd - kept.values.values[j] * along;
        result.values[j] = from_float<T>(kept.sums.values[j]);
      }
      store_pack<Count>(grad_in + i, result);
      if (work.grad_residual != nullptr) store_floats<Count>(work.grad_residual + row * n + i, kept.sums);
    }
  }
  if (begin < n) store_floats<Count>(partial + begin, first_partial);
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
                        aligned(work.grad_residual) && aligned(work.weight_partials);
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
