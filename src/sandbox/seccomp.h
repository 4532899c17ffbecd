#pragma once

#include <string_view>

namespace tritonrl::sandbox {

// Installs a compiled filter on every thread of this process, for good. Forbidden calls then wait for whoever holds the
// listener, which goes to the trusted side over `watch` (call_watch.h). Needs no_new_privs.
void install_filter(std::string_view filter, int watch);

}  // namespace tritonrl::sandbox
