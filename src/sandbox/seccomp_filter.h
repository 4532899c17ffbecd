#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "sandbox/policy.h"

// Which system calls a guest may make: the rules, and their compilation to the kernel's own format by libseccomp. Only
// the program compiles; the bytes go to the process that installs them (seccomp.h).
namespace tritonrl::sandbox {

bool filters_can_be_compiled();

// The filter as bytes. `first_process`: the guest is process 1 of its pid namespace, and may signal itself as such.
// HostError where the build has no libseccomp.
std::string compile_filter(const Policy& policy, bool first_process);

// "socket", or "mmap (executable memory)" where the arguments made the call a forbidden one.
std::string describe_call(int number, std::span<const std::uint64_t> arguments);

}  // namespace tritonrl::sandbox
