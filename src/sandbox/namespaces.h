#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

namespace tritonrl::sandbox {

// Flags of clone(2). A guest's process lives in one of each; user, net, ipc, uts and an outer pid and mount namespace
// belong to its fork server, and its own user, pid and mount namespace lie inside those.
struct NamespaceKind {
  int flag;
  const char* name;
};
const std::vector<NamespaceKind>& namespace_kinds();

// The user and group id that guests have inside where the program may hand out ids (root); elsewhere they keep 0,
// which is the program's own user outside.
inline constexpr unsigned kGuestId = 1000;

// Maps ids of the new user namespace of process `pid`: 0 to the caller's own and, where the caller has the privilege,
// kGuestId to nobody's. Called from outside that namespace. Returns whether kGuestId is mapped.
bool write_id_maps(pid_t pid);

// A user namespace for the calling process alone, so that its threads are counted by themselves and what it could do
// to its mounts is gone. `proc` is an open /proc.
void enter_own_user_namespace(int proc);

// Children of this process start a new pid namespace, until leave_pid_namespaces().
void start_pid_namespace();
void leave_pid_namespaces();

}  // namespace tritonrl::sandbox
