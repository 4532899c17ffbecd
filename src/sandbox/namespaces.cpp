#include "sandbox/namespaces.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sched.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <cerrno>

#include "base/error.h"
#include "base/file.h"

namespace tritonrl::sandbox {
namespace {

constexpr unsigned kNobody = 65534;

// Whether all of `text` was written in one call, as the kernel demands of these files.
bool write_once(int folder, const std::string& path, const std::string& text) {
  const base::UniqueFd fd(openat(folder, path.c_str(), O_WRONLY | O_CLOEXEC));
  return fd && write(fd.get(), text.data(), text.size()) == static_cast<ssize_t>(text.size());
}

void must_write(int folder, const std::string& path, const std::string& text) {
  if (!write_once(folder, path, text)) throw base::HostError::from_errno("write /proc/" + path, errno);
}

}  // namespace

const std::vector<NamespaceKind>& namespace_kinds() {
  static const std::vector<NamespaceKind> kinds = {{CLONE_NEWUSER, "user"}, {CLONE_NEWPID, "pid"},
                                                   {CLONE_NEWNET, "net"},   {CLONE_NEWIPC, "ipc"},
                                                   {CLONE_NEWUTS, "uts"},   {CLONE_NEWNS, "mount"}};
  return kinds;
}

bool write_id_maps(pid_t pid) {
  const base::UniqueFd proc(open("/proc", O_PATH | O_DIRECTORY | O_CLOEXEC));
  const std::string folder = std::to_string(pid);
  const auto map = [](unsigned outside) { return fmt::format("0 {} 1\n", outside); };
  const std::string nobody = fmt::format("{} {} 1\n", kGuestId, kNobody);
  if (write_once(proc.get(), folder + "/gid_map", map(getegid()) + nobody)) {
    must_write(proc.get(), folder + "/uid_map", map(geteuid()) + nobody);
    return true;
  }
  must_write(proc.get(), folder + "/setgroups", "deny");
  must_write(proc.get(), folder + "/gid_map", map(getegid()));
  must_write(proc.get(), folder + "/uid_map", map(geteuid()));
  return false;
}

void enter_own_user_namespace(int proc) {
  const unsigned uid = geteuid();
  const unsigned gid = getegid();
  if (unshare(CLONE_NEWUSER) != 0) throw base::HostError::from_errno("make a user namespace", errno);
  // The files of a process that is not dumpable belong to root.
  prctl(PR_SET_DUMPABLE, 1, 0, 0, 0);
  write_once(proc, "self/setgroups", "deny");  // refused where it is denied already
  must_write(proc, "self/gid_map", fmt::format("{} {} 1", kGuestId, gid));
  must_write(proc, "self/uid_map", fmt::format("{} {} 1", kGuestId, uid));
}

void start_pid_namespace() {
  if (unshare(CLONE_NEWPID) != 0) throw base::HostError::from_errno("make a pid namespace", errno);
}

void leave_pid_namespaces() {
  const base::UniqueFd own(open("/proc/self/ns/pid", O_RDONLY | O_CLOEXEC));
  if (!own || setns(own.get(), CLONE_NEWPID) != 0)
    throw base::HostError::from_errno("go back to the own pid namespace", errno);
}

}  // namespace tritonrl::sandbox
