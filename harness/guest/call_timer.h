#ifndef TRITONRL_HARNESS_CALL_TIMER_H
#define TRITONRL_HARNESS_CALL_TIMER_H

#include <optional>

#include "cuda_context.h"
#include "verify/wire.h"

namespace tritonrl::guest {

// Times calls by the device's own clock, with the cache flushed before.
class CallTimer {
 public:
  // `wait`: the flush is over before the call begins; needed where work may run beside the default stream.
  void begin(const CudaContext& context, bool wait);
  // After the whole device is idle.
  std::optional<verify::wire::TimedEvent> end(const CudaContext& context);

 private:
  gpu::EventHandle* begin_ = nullptr;
  gpu::EventHandle* end_ = nullptr;
};

}  // namespace tritonrl::guest

#endif
