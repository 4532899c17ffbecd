#include "sandbox/privileges.h"

#include <linux/capability.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>

#include "base/error.h"

namespace tritonrl::sandbox {

void drop_privileges() {
  prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
  for (unsigned long capability = 0; prctl(PR_CAPBSET_READ, capability, 0, 0, 0) >= 0; ++capability)
    prctl(PR_CAPBSET_DROP, capability, 0, 0, 0);
  __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3, .pid = 0};
  const std::array<__user_cap_data_struct, 2> none = {};
  if (syscall(SYS_capset, &header, none.data()) != 0) throw base::HostError::from_errno("drop capabilities", errno);
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) throw base::HostError::from_errno("set no_new_privs", errno);
}

void die_with_parent() {
  if (prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) != 0)
    throw base::HostError::from_errno("tie the guest to its parent", errno);
}

void close_descriptors_except(std::vector<int> keep) {
  std::sort(keep.begin(), keep.end());
  unsigned next = 3;
  for (const int fd : keep) {
    if (fd < static_cast<int>(next)) continue;  // -1, twice the same, or a standard stream
    if (static_cast<unsigned>(fd) > next) syscall(SYS_close_range, next, static_cast<unsigned>(fd) - 1, 0);
    next = static_cast<unsigned>(fd) + 1;
  }
  if (syscall(SYS_close_range, next, ~0U, 0) != 0) throw base::HostError::from_errno("close descriptors", errno);
}

void lead_own_session() { setsid(); }  // refused where it leads one already

void hide_from_tracing() {
  if (prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) != 0) throw base::HostError::from_errno("hide from tracing", errno);
}

}  // namespace tritonrl::sandbox
