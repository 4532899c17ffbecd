#include "call_timer.h"

#include <chrono>

namespace tritonrl::guest {
namespace {

// Each writes four times the cache; while they run the host gets ahead, so that what it takes to launch is not timed.
constexpr int kFlushes = 4;

}  // namespace

void CallTimer::begin(const CudaContext& context, bool wait) {
  const gpu::DriverApi& api = context.api();
  if (begin_ == nullptr) {
    api.cuEventCreate(&begin_, 0);
    api.cuEventCreate(&end_, 0);
  }
  api.cuCtxSynchronize();
  api.cuCtxResetPersistingL2Cache();
  for (int n = 0; n < kFlushes; ++n) {
    api.cuMemsetD32Async(context.flush_memory(), 0, context.flush_bytes() / 4, nullptr);
  }
  if (wait) api.cuCtxSynchronize();
  api.cuEventRecord(begin_, nullptr);
}

std::optional<verify::wire::TimedEvent> CallTimer::end(const CudaContext& context) {
  const gpu::DriverApi& api = context.api();
  api.cuEventRecord(end_, nullptr);
  if (api.cuEventSynchronize(end_) != gpu::kSuccess) return std::nullopt;
  const auto ended = std::chrono::steady_clock::now();
  api.cuCtxSynchronize();
  const std::chrono::duration<double, std::micro> tail = std::chrono::steady_clock::now() - ended;
  float milliseconds = 0;
  if (api.cuEventElapsedTime(&milliseconds, begin_, end_) != gpu::kSuccess) return std::nullopt;
  return verify::wire::TimedEvent{.call_us = static_cast<double>(milliseconds) * 1e3, .tail_us = tail.count()};
}

}  // namespace tritonrl::guest
