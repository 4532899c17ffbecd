#pragma once

#include "verify/verifier.h"

namespace tritonrl::apps {

// A verifier for this machine: the harness, Python and libraries beside the program, the user's secret and cache, as
// many jobs as cores. HostError when the harness is not there.
verify::VerifierConfig local_verifier();

}  // namespace tritonrl::apps
