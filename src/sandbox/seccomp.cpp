#include "sandbox/seccomp.h"

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>

#include "base/error.h"
#include "base/file.h"
#include "sandbox/packet.h"

namespace tritonrl::sandbox {

void install_filter(std::string_view filter, int watch) {
  if (filter.empty() || filter.size() % sizeof(sock_filter) != 0) throw base::HostError("the filter is damaged");
  sock_fprog program = {};
  program.len = static_cast<unsigned short>(filter.size() / sizeof(sock_filter));
  program.filter = reinterpret_cast<sock_filter*>(const_cast<char*>(filter.data()));  // the kernel only reads it
  constexpr unsigned kFlags =
      SECCOMP_FILTER_FLAG_NEW_LISTENER | SECCOMP_FILTER_FLAG_TSYNC | SECCOMP_FILTER_FLAG_TSYNC_ESRCH;
  const base::UniqueFd listener(static_cast<int>(syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, kFlags, &program)));
  if (!listener) throw base::HostError::from_errno("install a seccomp filter", errno);
  if (!send_packet(watch, base::Json::object(), {listener.get()})) throw base::HostError("the trusted side is gone");
}

}  // namespace tritonrl::sandbox
