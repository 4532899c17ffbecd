#include "kernels/cuda_lanes.cuh"
#include "kernels/linear_row.h"

namespace tritonrl::kernels::cuda {
namespace {

constexpr int kWarps = 8;
constexpr int kOutputs = 2;  // of a warp: they share what is read of the row
constexpr int kUnroll = 4;   // packs of each output under way at once

// The weight passes through the caches once: nothing else should leave them for it.
template <int Count, typename T>
__device__ Pack<T, Count> stream_pack(const T* from) {
  static_assert(sizeof(Pack<T, Count>) == sizeof(uint4));
  const uint4 words = __ldcs(reinterpret_cast<const uint4*>(from));
  return *reinterpret_cast<const Pack<T, Count>*>(&words);
}

template <typename T, typename Out>
__global__ void __launch_bounds__(kWarps* kWarp) multiply(LinearRow work) {
  constexpr int kCount = kPackCount<T>;
  const int lane = static_cast<int>(threadIdx.x) % kWarp;
  const std::int64_t first =
      (static_cast<std::int64_t>(blockIdx.x) * kWarps + static_cast<int>(threadIdx.x) / kWarp) * kOutputs;
  if (first >= work.out_columns) return;
  const T* row = static_cast<const T*>(work.row);
  const T* weights[kOutputs];
#pragma unroll
  for (int output = 0; output < kOutputs; ++output) {
    // Past the last one: the last again, which is not written.
    weights[output] = static_cast<const T*>(work.weight) + min(first + output, work.out_columns - 1) * work.in_columns;
  }
  float sums[kOutputs] = {};
  const auto add = [&](const Pack<T, kCount>& values, const Pack<T, kCount>& weight, float& sum) {
#pragma unroll
    for (int j = 0; j < kCount; ++j) sum += to_float(values.values[j]) * to_float(weight.values[j]);
  };
  constexpr std::int64_t kStep = std::int64_t{kWarp} * kCount;
  std::int64_t i = lane * kCount;
  for (; i + (kUnroll - 1) * kStep < work.in_columns; i += kUnroll * kStep) {
    Pack<T, kCount> packs[kOutputs][kUnroll];
#pragma unroll
    for (int output = 0; output < kOutputs; ++output) {
#pragma unroll
      for (int u = 0; u < kUnroll; ++u) packs[output][u] = stream_pack<kCount>(weights[output] + i + u * kStep);
    }
#pragma unroll
    for (int u = 0; u < kUnroll; ++u) {
      const auto values = load_pack<kCount>(row + i + u * kStep);
#pragma unroll
      for (int output = 0; output < kOutputs; ++output) add(values, packs[output][u], sums[output]);
    }
  }
  for (; i < work.in_columns; i += kStep) {
    const auto values = load_pack<kCount>(row + i);
#pragma unroll
    for (int output = 0; output < kOutputs; ++output) {
      add(values, stream_pack<kCount>(weights[output] + i), sums[output]);
    }
  }
#pragma unroll
  for (int output = 0; output < kOutputs; ++output) {
    for (int step = kWarp / 2; step > 0; step /= 2) sums[output] += __shfl_xor_sync(0xffffffffU, sums[output], step);
    if (lane == 0 && first + output < work.out_columns) {
      static_cast<Out*>(work.out)[first + output] = from_float<Out>(sums[output]);
    }
  }
}

}  // namespace

bool takes(const LinearRow& work) {
  return work.dtype != DType::kFloat32 && work.in_columns % kPackCount<__half> == 0 && aligned(work.row) &&
         aligned(work.weight);
}

void linear_row(const LinearRow& work, Stream stream) {
  base::check(takes(work) && (work.out_dtype == work.dtype || work.out_dtype == DType::kFloat32),
              "linear_row: types or sizes do not fit");
  constexpr std::int64_t kOfBlock = kWarps * kOutputs;
  const auto blocks = static_cast<unsigned>((work.out_columns + kOfBlock - 1) / kOfBlock);
  with_type(work.dtype, [&](auto zero) {
    using T = decltype(zero);
    if constexpr (sizeof(T) == 2) {
      if (work.out_dtype == DType::kFloat32) {
        multiply<T, float><<<blocks, kWarps * kWarp, 0, stream>>>(work);
      } else {
        multiply<T, T><<<blocks, kWarps * kWarp, 0, stream>>>(work);
      }
    }
  });
  check_launch("linear_row");
}

}  // namespace tritonrl::kernels::cuda
