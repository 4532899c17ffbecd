#include "sandbox/facilities.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>

#include "base/error.h"
#include "sandbox/landlock.h"
#include "sandbox/namespaces.h"
#include "sandbox/seccomp_filter.h"

namespace tritonrl::sandbox {
namespace {

// The private root is built with calls of Linux 5.12.
bool has_mount_calls() {
  struct mount_attr none = {};
  return mount_setattr(-1, "", AT_EMPTY_PATH, &none, sizeof none) == 0 || errno != ENOSYS;
}

// In a child, since what is tried stays. Its exit status has a bit for each kind that worked.
int try_namespaces() {
  const auto& kinds = namespace_kinds();
  // clone and not fork: what a sanitizer or a library starts in a forked child would be a second thread, and unshare
  // fails.
  const auto child =
      static_cast<pid_t>(syscall(SYS_clone, CLONE_NEWUSER | SIGCHLD, nullptr, nullptr, nullptr, nullptr));
  if (child < 0) return 0;
  if (child == 0) {
    int worked = 0;
    for (std::size_t i = 0; i < kinds.size(); ++i)
      if (kinds[i].flag == CLONE_NEWUSER || unshare(kinds[i].flag) == 0) worked |= 1 << i;
    _exit(worked);
  }
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  int flags = 0;
  for (std::size_t i = 0; i < kinds.size(); ++i)
    if (WIFEXITED(status) && (WEXITSTATUS(status) & (1 << i)) != 0) flags |= kinds[i].flag;
  return flags;
}

bool kernel_filters_calls() {
  const unsigned action = SECCOMP_RET_USER_NOTIF;  // with TSYNC since Linux 5.7
  return syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &action) == 0;
}

Facilities find_facilities() {
  Facilities found;
  found.namespaces = try_namespaces();
  if (!has_mount_calls()) found.namespaces &= ~CLONE_NEWNS;
  found.landlock_abi = landlock_abi();
  found.seccomp = kernel_filters_calls();
  found.filters = filters_can_be_compiled();
  return found;
}

}  // namespace

std::vector<std::string> Facilities::missing() const {
  std::vector<std::string> result;
  if ((namespaces & CLONE_NEWUSER) == 0) {
    result.emplace_back(
        "user namespaces: allow them (sysctl user.max_user_namespaces, kernel.unprivileged_userns_clone, "
        "kernel.apparmor_restrict_unprivileged_userns; in a container, its seccomp profile)");
  } else {
    for (const NamespaceKind& kind : namespace_kinds())
      if ((namespaces & kind.flag) == 0)
        result.push_back(fmt::format("{} namespaces: needs Linux 5.12 with them configured", kind.name));
  }
  if (landlock_abi == 0) result.emplace_back("Landlock: needs Linux 5.13 with lsm=landlock among its boot parameters");
  if (!seccomp) result.emplace_back("seccomp: needs Linux 5.7 with CONFIG_SECCOMP_FILTER");
  if (seccomp && !filters) result.emplace_back("seccomp: needs libseccomp at build time (Debian: libseccomp-dev)");
  return result;
}

const Facilities& facilities() {
  static const Facilities found = find_facilities();
  return found;
}

void require_facilities(const Facilities& facilities, Enforcement enforcement) {
  const std::vector<std::string> missing = facilities.missing();
  if (enforcement == Enforcement::kBest || missing.empty()) return;
  std::string list;
  for (const std::string& item : missing) list += "\n  " + item;
  throw base::HostError("this machine cannot confine guests fully; --sandbox best runs them without:" + list);
}

}  // namespace tritonrl::sandbox
