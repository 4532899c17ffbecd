#include "gpu/driver.h"

#include <array>

#include <fmt/format.h>

#include "base/error.h"

namespace tritonrl::gpu {

const Driver& Driver::get() {
  static const Driver driver;
  return driver;
}

Driver::Driver() {
  if (const std::string missing = load_driver_api(api_); !missing.empty()) throw base::HostError("no GPU: " + missing);
  if (const Status status = api_.cuInit(0); status != kSuccess) {
    throw base::HostError("no GPU: the CUDA driver does not start: " + api_.error_text(status));
  }
  if (api_.cuDeviceGetCount(&count_) != kSuccess || count_ == 0) {
    throw base::HostError("no GPU: the CUDA driver is there, and finds none");
  }
}

std::string Driver::describe(int device) const {
  std::array<char, 128> name{};
  std::size_t bytes = 0;
  int version = 0;
  check(api_.cuDeviceGetName(name.data(), name.size(), device), "ask for the GPU's name");
  check(api_.cuDeviceTotalMem_v2(&bytes, device), "ask for the GPU's memory");
  check(api_.cuDriverGetVersion(&version), "ask for the driver's version");
  return fmt::format("{}, {} GiB, driver {}.{}", name.data(), bytes >> 30U, version / 1000, version % 1000 / 10);
}

void Driver::check(Status status, std::string_view action) const {
  if (status == kSuccess) return;
  throw base::HostError(fmt::format("cannot {} on the GPU: {}", action, api_.error_text(status)), base::Retry::kYes);
}

}  // namespace tritonrl::gpu
