#pragma once

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cstdint>

#include "base/error.h"
#include "kernels/dtype.h"

// What the CUDA kernels share: vectors of sixteen bytes, sums over a block, the choice of a type, and launches.
namespace tritonrl::kernels::cuda {

inline constexpr int kWarp = 32;

__device__ inline float to_float(float value) { return value; }
__device__ inline float to_float(__nv_bfloat16 value) { return __bfloat162float(value); }
__device__ inline float to_float(__half value) { return __half2float(value); }

template <typename T>
__device__ T from_float(float value);
template <>
__device__ inline float from_float<float>(float value) {
  return value;
}
template <>
__device__ inline __nv_bfloat16 from_float<__nv_bfloat16>(float value) {
  return __float2bfloat16_rn(value);
}
template <>
__device__ inline __half from_float<__half>(float value) {
  return __float2half_rn(value);
}

// Count values of T that are moved at once: sixteen bytes where everything is aligned to them, else one.
template <typename T, int Count>
struct alignas(sizeof(T) * Count) Pack {
  T values[Count];
};

template <int Count, typename T>
__device__ Pack<T, Count> load_pack(const T* from) {
  return *reinterpret_cast<const Pack<T, Count>*>(from);
}
template <int Count, typename T>
__device__ void store_pack(T* to, const Pack<T, Count>& pack) {
  *reinterpret_cast<Pack<T, Count>*>(to) = pack;
}

template <typename T>
inline constexpr int kPackCount = 16 / sizeof(T);

// Every thread of the block gets the sum; all of them must call. Threads are a multiple of a warp, 1024 at most.
__device__ inline float block_sum(float value) {
  __shared__ float parts[kWarp];
  for (int step = kWarp / 2; step > 0; step /= 2) value += __shfl_xor_sync(0xffffffffU, value, step);
  if (blockDim.x == kWarp) return value;
  if (threadIdx.x % kWarp == 0) parts[threadIdx.x / kWarp] = value;
  __syncthreads();
  const int warps = static_cast<int>(blockDim.x) / kWarp;
  float total = static_cast<int>(threadIdx.x) % kWarp < warps ? parts[threadIdx.x % kWarp] : 0;
  for (int step = kWarp / 2; step > 0; step /= 2) total += __shfl_xor_sync(0xffffffffU, total, step);
  __syncthreads();  // before the next call writes `parts`
  return total;
}

__device__ inline float block_max(float value) {
  __shared__ float parts[kWarp];
  for (int step = kWarp / 2; step > 0; step /= 2) value = fmaxf(value, __shfl_xor_sync(0xffffffffU, value, step));
  if (threadIdx.x % kWarp == 0) parts[threadIdx.x / kWarp] = value;
  __syncthreads();
  const int warps = static_cast<int>(blockDim.x) / kWarp;
  float greatest = static_cast<int>(threadIdx.x) % kWarp < warps ? parts[threadIdx.x % kWarp] : -INFINITY;
  for (int step = kWarp / 2; step > 0; step /= 2)
    greatest = fmaxf(greatest, __shfl_xor_sync(0xffffffffU, greatest, step));
  __syncthreads();
  return greatest;
}

// Calls use(T{}) with the C++ type of `type`.
template <typename Use>
void with_type(DType type, const Use& use) {
  switch (type) {
    case DType::kFloat32:
      return use(float{});
    case DType::kBFloat16:
      return use(__nv_bfloat16{});
    case DType::kFloat16:
      return use(__half{});
  }
}

inline bool aligned(const void* pointer) { return reinterpret_cast<std::uintptr_t>(pointer) % 16 == 0; }

// After a launch: what went wrong with it. What goes wrong in it shows where the stream is waited for.
inline void check_launch(const char* kernel) {
  const cudaError_t error = cudaGetLastError();
  if (error != cudaSuccess) {
    throw base::HostError(std::string("cannot launch ") + kernel + ": " + cudaGetErrorString(error));
  }
}

// In a step of decoding kernels are short, and their beginnings and ends count. One that is launched like this begins
// while the one before it in the stream ends, and must call wait_for_previous() before it reads what others write, and
// before it writes anything.
template <typename... Parameters>
void launch_early(void (*kernel)(Parameters...), dim3 blocks, unsigned threads, std::size_t shared, Stream stream,
                  const Parameters&... arguments) {
  cudaLaunchAttribute early{};
  early.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  early.val.programmaticStreamSerializationAllowed = 1;
  cudaLaunchConfig_t config{};
  config.gridDim = blocks;
  config.blockDim = dim3(threads);
  config.dynamicSmemBytes = shared;
  config.stream = stream;
  config.attrs = &early;
  config.numAttrs = 1;
  cudaLaunchKernelEx(&config, kernel, arguments...);  // its error is the last one, which check_launch looks at
}

// Until all that the kernel before has written can be seen; then the next one may begin.
__device__ inline void wait_for_previous() {
  asm volatile("griddepcontrol.wait;" ::: "memory");
  asm volatile("griddepcontrol.launch_dependents;");
}

// A multiple of a warp that gives each thread at least one of `items`.
inline unsigned threads_for(std::int64_t items, unsigned most) {
  const auto wanted = static_cast<unsigned>((items + kWarp - 1) / kWarp * kWarp);
  return wanted < kWarp ? kWarp : wanted > most ? most : wanted;
}

}  // namespace tritonrl::kernels::cuda
