#pragma once

#include <vector>

namespace tritonrl::sandbox {

// No capabilities, and no way to gain any: those of this thread, so before there are others.
void drop_privileges();

// SIGKILL to this process when the thread that made it ends. After every change of ids, which clears it.
void die_with_parent();

// Closes every descriptor but 0, 1, 2 and `keep`.
void close_descriptors_except(std::vector<int> keep);

// A session of its own: signals to a process group stay inside it.
void lead_own_session();

// No tracing of this process, and no reading of its memory through /proc, by processes of the same user.
void hide_from_tracing();

}  // namespace tritonrl::sandbox
