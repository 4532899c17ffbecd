#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include "ttir/launch.h"
#include "ttir/machine/machine.h"
#include "ttir/schedule.h"

namespace tritonrl::ttir {

// Runs the programs of a kernel that can wait: each goes on to its next atomic, then it is another's turn. One that
// waits is left alone until what it asked has changed, and when all on the device wait for nothing that will change,
// that is a finding. Returns how many have started.
std::uint64_t run_taking_turns(Machine& machine, const Schedule& schedule, const LaunchOptions& options,
                               const std::function<std::unique_ptr<Frame>()>& new_frame);

}  // namespace tritonrl::ttir
