#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
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

  struct Copies {
    ttir::AddressSpace space;
    std::vector<std::unique_ptr<std::byte[]>> bytes;
  };
  // Of what the launch is given. Nothing: it is passed over, and `why_not` says why.
  std::optional<Copies> copy(const GuestKernel& kernel, const LaunchRequest& request, const Memory& memory,
                             std::string& why_not);
  // What it found; takes long, and no GPU. `why_not` as above.
  static std::vector<DeviceFinding> run(const GuestKernel& kernel, const LaunchRequest& request, Copies& copies,
                                        std::string& why_not);

 private:
  std::size_t launches_ = 0;
  std::uint64_t programs_left_ = std::uint64_t{1} << 16U;
};

}  // namespace tritonrl::verify
