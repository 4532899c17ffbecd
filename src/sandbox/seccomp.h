#pragma once

#include <string_view>

#include "sandbox/status_page.h"

namespace tritonrl::sandbox {

// Installs a compiled filter on every thread of this process, for good. A forbidden call then notes itself in `record`
// and ends the process. Needs no_new_privs. `record` must stay mapped.
void install_filter(std::string_view filter, GuestRecord& record);

// Notes abort(): the first process of a pid namespace cannot die of its own SIGABRT, and ends by SIGSEGV.
void note_aborts(GuestRecord& record);

// Exit status of a guest that made a forbidden call.
inline constexpr int kForbiddenStatus = 159;  // 128 + SIGSYS

}  // namespace tritonrl::sandbox
