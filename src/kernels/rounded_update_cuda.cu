#include <algorithm>
#include <type_traits>

#include "base/error.h"
#include "kernels/cuda_lanes.cuh"
#include "kernels/rounded_update.h"
#include "kernels/rounding.h"

namespace tritonrl::kernels::cuda {
namespace {

using rounding::Bf16;

constexpr unsigned kThreads = 256;
constexpr int kCount = 8;  // elements of a thread at a time: sixteen bytes of bf16
constexpr std::int64_t kMostBlocks = 1 << 16;

__device__ std::int64_t first_item() { return static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x; }
__device__ std::int64_t stride() { return static_cast<std::int64_t>(gridDim.x) * blockDim.x; }

template <typename State, int Count>
__global__ void adamw(RoundedAdamW work) {
  auto* weights = static_cast<Bf16*>(work.weights);
  const auto* gradients = static_cast<const Bf16*>(work.gradients);
  auto* moments = static_cast<State*>(work.moments);
  auto* squares = static_cast<State*>(work.squares);
  for (std::int64_t item = first_item(); item * Count < work.count; item += stride()) {
    const std::int64_t at = item * Count;
    auto w = load_pack<Count>(weights + at);
    const auto g = load_pack<Count>(gradients + at);
    auto m = load_pack<Count>(moments + at);
    auto v = load_pack<Count>(squares + at);
    for (int j = 0; j < Count; ++j) {
      rounding::adamw(work, at + j, w.values[j], g.values[j], m.values[j], v.values[j]);
    }
    store_pack<Count>(weights + at, w);
    store_pack<Count>(moments + at, m);
    store_pack<Count>(squares + at, v);
  }
}

template <int Count>
__global__ void sum(RoundedSum work) {
  auto* sums = static_cast<Bf16*>(work.sum);
  const auto* added = static_cast<const Bf16*>(work.added);
  for (std::int64_t item = first_item(); item * Count < work.count; item += stride()) {
    const std::int64_t at = item * Count;
    auto s = load_pack<Count>(sums + at);
    const auto a = load_pack<Count>(added + at);
    for (int j = 0; j < Count; ++j) rounding::add(work, at + j, s.values[j], a.values[j]);
    store_pack<Count>(sums + at, s);
  }
}

unsigned blocks_for(std::int64_t items) {
  return static_cast<unsigned>(std::min((items + kThreads - 1) / kThreads, kMostBlocks));
}

template <typename State>
void adamw_with(const RoundedAdamW& work, Stream stream) {
  const bool whole = work.count % kCount == 0 && aligned(work.weights) && aligned(work.gradients) &&
                     aligned(work.moments) && aligned(work.squares);
  // Sixteen bytes of the wider ones.
  constexpr int kWide = std::is_same_v<State, float> ? kCount / 2 : kCount;
  if (whole) {
    adamw<State, kWide><<<blocks_for(work.count / kWide), kThreads, 0, stream>>>(work);
  } else {
    adamw<State, 1><<<blocks_for(work.count), kThreads, 0, stream>>>(work);
  }
}

}  // namespace

void rounded_adamw(const RoundedAdamW& work, Stream stream) {
  if (work.count == 0) return;
  base::check(work.state != DType::kFloat16, "an optimizer's state in fp16");
  work.state == DType::kFloat32 ? adamw_with<float>(work, stream) : adamw_with<Bf16>(work, stream);
  check_launch("rounded_adamw");
}

void rounded_sum(const RoundedSum& work, Stream stream) {
  if (work.count == 0) return;
  if (work.count % kCount == 0 && aligned(work.sum) && aligned(work.added)) {
    sum<kCount><<<blocks_for(work.count / kCount), kThreads, 0, stream>>>(work);
  } else {
    sum<1><<<blocks_for(work.count), kThreads, 0, stream>>>(work);
  }
  check_launch("rounded_sum");
}

}  // namespace tritonrl::kernels::cuda
