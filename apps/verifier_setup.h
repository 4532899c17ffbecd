#pragma once

#include <string>

#include "verify/verifier.h"

namespace tritonrl::apps {

// A verifier for this machine: the harness, Python and libraries beside the program, the user's secret and cache, as
// many jobs as suit `device` (cuda, cpu, or auto). HostError when the harness or the device is not there.
verify::VerifierConfig local_verifier(const std::string& device);

}  // namespace tritonrl::apps
