#include "call_timer.h"

#include <algorithm>
#include <cmath>

namespace tritonrl::guest {
namespace {

using Clock = std::chrono::steady_clock;

// Each writes four times the cache.
constexpr int kLeastFlushes = 4;
constexpr int kMostFlushes = 256;
// Where launching takes longer, or the call waits for the device, it is timed after all.
constexpr double kMostAheadUs = 8e3;
constexpr double kMargin = 1.5;  // other work on the machine makes launching take now more, now less

double us_since(Clock::time_point moment) {
  return std::chrono::duration<double, std::micro>(Clock::now() - moment).count();
}

}  // namespace

void CallTimer::begin(const CudaContext& context, bool wait) {
  const gpu::DriverApi& api = context.api();
  if (begin_ == nullptr) {
    for (auto* event : {&flush_, &begin_, &end_}) api.cuEventCreate(event, 0);
  }
  const double wanted = flush_us_ > 0 ? std::ceil(ahead_us_ / flush_us_) : 0;
  flushes_ = static_cast<int>(std::clamp<double>(wanted, kLeastFlushes, kMostFlushes));
  api.cuCtxSynchronize();
  api.cuCtxResetPersistingL2Cache();
  api.cuEventRecord(flush_, nullptr);
  for (int n = 0; n < flushes_; ++n) {
    api.cuMemsetD32Async(context.flush_memory(), 0, context.flush_bytes() / 4, nullptr);
  }
  if (wait) api.cuCtxSynchronize();
  began_ = Clock::now();
  api.cuEventRecord(begin_, nullptr);
}

std::optional<verify::wire::TimedEvent> CallTimer::end(const CudaContext& context) {
  const gpu::DriverApi& api = context.api();
  ahead_us_ = std::clamp(kMargin * us_since(began_), ahead_us_, kMostAheadUs);
  api.cuEventRecord(end_, nullptr);
  if (api.cuEventSynchronize(end_) != gpu::kSuccess) return std::nullopt;
  const auto ended = Clock::now();
  api.cuCtxSynchronize();
  const double tail_us = us_since(ended);
  float flush_ms = 0;
  float call_ms = 0;
  if (api.cuEventElapsedTime(&flush_ms, flush_, begin_) != gpu::kSuccess) return std::nullopt;
  if (api.cuEventElapsedTime(&call_ms, begin_, end_) != gpu::kSuccess) return std::nullopt;
  flush_us_ = static_cast<double>(flush_ms) * 1e3 / flushes_;
  return verify::wire::TimedEvent{.call_us = static_cast<double>(call_ms) * 1e3, .tail_us = tail_us};
}

}  // namespace tritonrl::guest
