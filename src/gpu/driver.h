#pragma once

#include <string>
#include <string_view>

#include "gpu/driver_api.h"

namespace tritonrl::gpu {

// The CUDA driver of this machine, initialised. Its functions are safe from any thread.
class Driver {
 public:
  // HostError "no GPU: ..." where there is no driver or no GPU answers.
  static const Driver& get();

  const DriverApi& api() const { return api_; }
  int device_count() const { return count_; }
  // "NVIDIA H200, 140 GiB, driver 13.0"
  std::string describe(int device) const;

  // HostError for anything but success; `action` as in "cannot <action>: ...".
  void check(Status status, std::string_view action) const;

 private:
  Driver();

  DriverApi api_;
  int count_ = 0;
};

}  // namespace tritonrl::gpu
