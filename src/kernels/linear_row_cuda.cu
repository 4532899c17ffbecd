#include "kernels/cuda_lanes.cuh"
#include "kernels/linear_row.h"

namespace tritonrl::kernels::cuda {
namespace {

constexpr int kWarps = 8;
constexpr int kOutputs = 2;     // of a warp: they share what is read of the row
constexpr int kUnroll = 4;      // packs of each output under way at once
constexpr int kBlocksEach = 4;  // of a multiprocessor

__device__ float2 two_floats(std::uint32_t word, __nv_bfloat16 /*type*/) {
  return {__uint_as_float(word << 16), __uint_as_float(word & 0xffff0000U)};
}
__device__ float2 two_floats(std::uint32_t word, __half /*type*/) {
  return __half22float2(*reinterpret_cast<const __half2*>(&word));
}

template <typename T>
__device__ float dot(const uint4& a, const uint4& b, float sum) {
  const auto add = [&](std::uint32_t left, std::uint32_t right) {
    const float2 x = two_floats(left, T{});
    const float2 y = two_floats(right, T{});
    sum = fmaf(x.y, y.y, fmaf(x.x, y.x, sum));
  };
  add(a.x, b.x);
  add(a.y, b.y);
  add(a.z, b.z);
  add(a.w, b.w);
  return sum;
}

// kParts warps of a block share their outputs: where outputs are few, there are warps enough all the same. The first
// packs of the weight are under way before the row is there.
template <typename T, typename Out, int kParts>
__global__ void __launch_bounds__(kWarps* kWarp, kBlocksEach) multiply(LinearRow work) {
  constexpr int kCount = kPackCount<T>;
  constexpr int kStep = kParts * kWarp * kCount;
  const int lane = static_cast<int>(threadIdx.x) % kWarp;
  const int warp = static_cast<int>(threadIdx.x) / kWarp;
  const std::int64_t first = (static_cast<std::int64_t>(blockIdx.x) * kWarps + warp) / kParts * kOutputs;
  const T* row = static_cast<const T*>(work.row);
  const int columns = static_cast<int>(work.in_columns);
  const T* weights[kOutputs];
#pragma unroll
  for (int output = 0; output < kOutputs; ++output) {
    // Past the last one: the last again, which is not written.
    weights[output] = static_cast<const T*>(work.weight) + min(first + output, work.out_columns - 1) * work.in_columns;
  }
  uint4 packs[kOutputs][kUnroll];
  const auto load = [&](int i) {
#pragma unroll
    for (int output = 0; output < kOutputs; ++output) {
#pragma unroll
      for (int u = 0; u < kUnroll; ++u) {
        // The weight passes through the caches once: nothing else should leave them for it.
        if (i + u * kStep < columns) {
          packs[output][u] = __ldcs(reinterpret_cast<const uint4*>(weights[output] + i + u * kStep));
        }
      }
    }
  };
  int i = (warp % kParts * kWarp + lane) * kCount;
  load(i);
  wait_for_previous();
  float sums[kOutputs] = {};
  while (i < columns) {
#pragma unroll
    for (int u = 0; u < kUnroll; ++u) {
      if (i + u * kStep >= columns) continue;
      const uint4 values = *reinterpret_cast<const uint4*>(row + i + u * kStep);
#pragma unroll
      for (int output = 0; output < kOutputs; ++output) sums[output] = dot<T>(values, packs[output][u], sums[output]);
    }
    i += kUnroll * kStep;
    load(i);
  }
  __shared__ float parts[kWarps][kOutputs];
#pragma unroll
  for (int output = 0; output < kOutputs; ++output) {
    for (int step = kWarp / 2; step > 0; step /= 2) sums[output] += __shfl_xor_sync(0xffffffffU, sums[output], step);
    if (kParts > 1 && lane == 0) parts[warp][output] = sums[output];
  }
  if constexpr (kParts > 1) __syncthreads();
  if (warp % kParts != 0 || lane >= kOutputs || first + lane >= work.out_columns) return;
  float sum = sums[0];
#pragma unroll
  for (int output = 1; output < kOutputs; ++output) sum = lane == output ? sums[output] : sum;
#pragma unroll
  for (int part = 1; part < kParts; ++part) sum += parts[warp + part][lane];
  static_cast<Out*>(work.out)[first + lane] = from_float<Out>(sum);
}

template <typename T, int kParts>
void launch(const LinearRow& work, Stream stream) {
  constexpr std::int64_t kOfBlock = kWarps / kParts * kOutputs;
  const auto blocks = static_cast<unsigned>((work.out_columns + kOfBlock - 1) / kOfBlock);
  if (work.out_dtype == DType::kFloat32) {
    launch_early(multiply<T, float, kParts>, blocks, kWarps * kWarp, 0, stream, work);
  } else {
    launch_early(multiply<T, T, kParts>, blocks, kWarps * kWarp, 0, stream, work);
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
  constexpr std::int64_t kFewOutputs = 4096;
  with_type(work.dtype, [&](auto zero) {
    using T = decltype(zero);
    if constexpr (sizeof(T) == 2)
      work.out_columns <= kFewOutputs ? launch<T, 2>(work, stream) : launch<T, 1>(work, stream);
  });
  check_launch("linear_row");
}

}  // namespace tritonrl::kernels::cuda
