#pragma once

#include <map>
#include <string>

#include "sandbox/policy.h"

namespace tritonrl::sandbox {

using Environment = std::map<std::string, std::string>;

// All that a guest finds in its environment: nothing of ours, its home, temporary files and caches under `folder`.
Environment guest_environment(const Policy& policy, const std::string& folder);

// Makes `environment` the whole environment of this process.
void replace_environment(const Environment& environment);

}  // namespace tritonrl::sandbox
