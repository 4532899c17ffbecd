#ifndef TRITONRL_HARNESS_CALL_TIMER_H
#define TRITONRL_HARNESS_CALL_TIMER_H

#include <chrono>
#include <optional>

#include "cuda_context.h"
#include "verify/wire.h"

namespace tritonrl::guest {

// Times calls by the device's own clock, with the cache flushed before. Meanwhile the host gets ahead, so that what
// launching takes is not timed: the longer it took before, the more is flushed.
class CallTimer {
 public:
  // `wait`: the flush is over before the call begins; needed where work may run beside the default stream.
  void begin(const CudaContext& context, bool wait);
  // After the whole device is idle.
  std::optional<verify::wire::TimedEvent> end(const CudaContext& context);

 private:
  gpu::EventHandle* flush_ = nullptr;
  gpu::EventHandle* begin_ = nullptr;
  gpu::EventHandle* end_ = nullptr;
  std::chrono::steady_clock::time_point began_;
  double ahead_us_ = 0;  // what flushes have to last, by the calls so far
  double flush_us_ = 0;  // what one took the last time; 0: not known yet
  int flushes_ = 0;
};

}  // namespace tritonrl::guest

#endif
