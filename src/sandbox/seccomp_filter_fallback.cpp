// Where the build has no libseccomp.
#include <fmt/format.h>

#include "base/error.h"
#include "sandbox/seccomp_filter.h"

namespace tritonrl::sandbox {

bool filters_can_be_compiled() { return false; }

std::string compile_filter(const Policy& /*policy*/, bool /*first_process*/) {
  throw base::HostError("this program was built without libseccomp: system calls cannot be filtered");
}

std::string describe_call(int number, std::span<const std::uint64_t> /*arguments*/) {
  return fmt::format("call {}", number);
}

}  // namespace tritonrl::sandbox
