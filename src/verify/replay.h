#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "verify/guest_device.h"
#include "verify/launch_request.h"

namespace tritonrl::verify {

// A second opinion on launches of a GPU: the executor runs them over copies of the guest's memory, and finds what a GPU
// does not tell: reads out of bounds, races, use of memory that nothing wrote. One call's worth; limits keep it short.
class Replay {
 public:
  struct Memory {
    const std::map<std::uint64_t, std::uint64_t>& allocations;  // bytes by address in the guest
    std::function<void(std::byte* to, std::uint64_t address, std::uint64_t bytes)> copy;
    std::uint32_t pattern = 0;  // words that hold it were never written
  };

  // What it found. `why_not` says why the launch was passed over, if it was.
  std::vector<DeviceFinding> run(const GuestKernel& kernel, const LaunchRequest& request, const Memory& memory,
                                 std::string& why_not);

 private:
  std::size_t launches_ = 0;
  std::uint64_t programs_left_ = std::uint64_t{1} << 16U;
};

}  // namespace tritonrl::verify
