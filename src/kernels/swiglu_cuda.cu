#include "kernels/cuda_lanes.cuh"
#include "kernels/swiglu.h"

namespace tritonrl::kernels::cuda {
namespace {

constexpr unsigned kThreads = 256;

__device__ float sigmoid(float x) { return 1.0F / (1.0F + __expf(-x)); }

// Where a thread's pack of a row's columns lies.
struct Place {
  std::int64_t gate_up;  // of the gate; the up is `columns` further
  std::int64_t out;
  bool inside;
};

template <int Count, typename Work>
__device__ Place place_of(const Work& work) {
  const std::int64_t packs = work.columns / Count;
  const std::int64_t item = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  const std::int64_t row = item / packs;
  const std::int64_t column = item % packs * Count;
  return {row * 2 * work.columns + column, row * work.columns + column, row < work.rows};
}

template <typename T, int Count>
__global__ void forward(SwigluForward work) {
  wait_for_previous();
  const Place place = place_of<Count>(work);
  if (!place.inside) return;
  const T* gate = static_cast<const T*>(work.gate_up) + place.gate_up;
  const auto gates = load_pack<Count>(gate);
  const auto ups = load_pack<Count>(gate + work.columns);
  Pack<T, Count> result;
  for (int j = 0; j < Count; ++j) {
    const float x = to_float(gates.values[j]);
    result.values[j] = from_float<T>(x * sigmoid(x) * to_float(ups.values[j]));
  }
  store_pack<Count>(static_cast<T*>(work.out) + place.out, result);
}

template <typename T, int Count>
__global__ void backward(SwigluBackward work) {
  const Place place = place_of<Count>(work);
  if (!place.inside) return;
  const T* gate = static_cast<const T*>(work.gate_up) + place.gate_up;
  T* grad_gate = static_cast<T*>(work.grad_gate_up) + place.gate_up;
  const auto gates = load_pack<Count>(gate);
  const auto ups = load_pack<Count>(gate + work.columns);
  const auto grads = load_pack<Count>(static_cast<const T*>(work.grad_out) + place.out);
  Pack<T, Count> gate_result;
  Pack<T, Count> up_result;
  for (int j = 0; j < Count; ++j) {
    const float x = to_float(gates.values[j]);
    const float grad = to_float(grads.values[j]);
    const float s = sigmoid(x);
    gate_result.values[j] = from_float<T>(grad * to_float(ups.values[j]) * s * (1.0F + x * (1.0F - s)));
    up_result.values[j] = from_float<T>(grad * x * s);
  }
  store_pack<Count>(grad_gate, gate_result);
  store_pack<Count>(grad_gate + work.columns, up_result);
}

unsigned blocks_for(std::int64_t items) { return static_cast<unsigned>((items + kThreads - 1) / kThreads); }

}  // namespace

void swiglu(const SwigluForward& work, Stream stream) {
  if (work.rows == 0) return;
  with_type(work.dtype, [&](auto zero) {
    using T = decltype(zero);
    constexpr int kCount = kPackCount<T>;
    if (work.columns % kCount == 0 && aligned(work.gate_up) && aligned(work.out)) {
      launch_early(forward<T, kCount>, blocks_for(work.rows * work.columns / kCount), kThreads, 0, stream, work);
    } else {
      launch_early(forward<T, 1>, blocks_for(work.rows * work.columns), kThreads, 0, stream, work);
    }
  });
  check_launch("swiglu");
}

void swiglu_backward(const SwigluBackward& work, Stream stream) {
  if (work.rows == 0) return;
  with_type(work.dtype, [&](auto zero) {
    using T = decltype(zero);
    constexpr int kCount = kPackCount<T>;
    if (work.columns % kCount == 0 && aligned(work.gate_up) && aligned(work.grad_out) && aligned(work.grad_gate_up)) {
      backward<T, kCount><<<blocks_for(work.rows * work.columns / kCount), kThreads, 0, stream>>>(work);
    } else {
      backward<T, 1><<<blocks_for(work.rows * work.columns), kThreads, 0, stream>>>(work);
    }
  });
  check_launch("swiglu_backward");
}

}  // namespace tritonrl::kernels::cuda
