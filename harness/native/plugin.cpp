#include <exception>
#include <string>

#include <c10/util/Exception.h>
#include <torch/headeronly/version.h>

#include "claimed_device.h"
#include "memory.h"
#include "operator_kernel.h"
#include "operators.h"
#include "plugin_api.h"
#include "trace.h"

namespace device = tritonrl::device;

const char* tritonrl_torch_install(const tritonrl_torch_executor* executor, const tritonrl_torch_profile* profile) {
  static bool installed = false;
  static std::string error;
  if (installed) return "the device is installed already";
  try {
    if (!device::install_device()) return "this is a CUDA build of torch: install the CPU build";
    device::install_memory(*executor, *profile);
    device::install_operators();
  } catch (const c10::Error& failure) {
    error = failure.what_without_backtrace();
    return error.c_str();
  } catch (const std::exception& failure) {
    error = failure.what();
    return error.c_str();
  }
  installed = true;
  return nullptr;
}

void tritonrl_torch_start_guest() {
  device::forget_spare_memory();
  device::trace_host_operators();
}

const char* tritonrl_torch_built_for() { return TORCH_VERSION; }
int tritonrl_torch_owns(uint64_t address) { return device::owns(address) ? 1 : 0; }
uint64_t tritonrl_torch_op_count() { return device::op_count(); }
uint64_t tritonrl_torch_bytes_moved() { return device::bytes_moved(); }
double tritonrl_torch_modelled_us() { return device::modelled_us(); }
void tritonrl_torch_advance(double microseconds) { device::advance(microseconds); }
uint64_t tritonrl_torch_memory_allocated() { return device::memory_allocated(); }
uint64_t tritonrl_torch_max_memory_allocated() { return device::max_memory_allocated(); }
void tritonrl_torch_reset_max_memory() { device::reset_max_memory(); }
