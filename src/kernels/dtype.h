#pragma once

#include <cstddef>
#include <cstdint>

struct CUstream_st;

namespace tritonrl::kernels {

// What the kernels compute on. Sums, norms and exponentials are in fp32 whatever the type.
// CPU kernels take kFloat32 alone: the CPU is there to be exact, and slower in the others.
enum class DType : std::uint8_t { kFloat32, kBFloat16, kFloat16 };

constexpr std::size_t bytes_of(DType type) { return type == DType::kFloat32 ? 4 : 2; }

// cudaStream_t, without its header. A launch function on a stream returns before the work is done.
using Stream = CUstream_st*;

}  // namespace tritonrl::kernels
