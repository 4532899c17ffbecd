#include "gpu/context.h"

namespace tritonrl::gpu {

Context::Context(int device) : driver_(Driver::get()), device_(device) {
  const DriverApi& api = driver_.api();
  const auto attribute = [&](int which) {
    int value = 0;
    driver_.check(api.cuDeviceGetAttribute(&value, which, device_), "ask for an attribute");
    return value;
  };
  architecture_ = attribute(kDeviceCapabilityMajor) * 10 + attribute(kDeviceCapabilityMinor);
  shared_bytes_ = static_cast<std::size_t>(attribute(kDeviceSharedPerBlockOptin));
  driver_.check(api.cuDeviceTotalMem_v2(&memory_bytes_, device_), "ask for the memory");
  driver_.check(api.cuDevicePrimaryCtxRetain(&handle_, device_), "make a context");
  make_current();
}

Context::~Context() { driver_.api().cuDevicePrimaryCtxRelease_v2(device_); }

void Context::make_current() const { driver_.check(driver_.api().cuCtxSetCurrent(handle_), "use the context"); }

void Context::synchronize() const { driver_.check(driver_.api().cuCtxSynchronize(), "finish what was started"); }

}  // namespace tritonrl::gpu
