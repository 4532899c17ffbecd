#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "sandbox/outcome.h"
#include "sandbox/policy.h"
#include "sandbox/status_page.h"

namespace tritonrl::sandbox {

// Processes that this machine's kernel killed for lack of memory so far.
std::uint64_t out_of_memory_kills();

// What the trusted side saw of a guest's end. Made before the guest starts.
struct GuestEnd {
  std::uint64_t out_of_memory_kills_before = out_of_memory_kills();
  int wait_status = 0;  // as wait4(2) gives it
  Usage usage;
  bool wall_reached = false;
  bool output_exceeded = false;
  bool memory_exceeded = false;  // shared memory, which the kernel does not limit
  bool killed = false;           // by its owner
  std::optional<std::string> forbidden_call;
  std::string output;
  std::uint64_t output_bytes = 0;
};

// Tells the guest's misbehaviour from our own failure: a guest that never got in, or that something else on the machine
// killed, is a HostError.
Outcome judge(GuestEnd end, const StatusPage& page, const Policy& policy);

}  // namespace tritonrl::sandbox
