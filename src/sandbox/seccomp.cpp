#include "sandbox/seccomp.h"

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#include <cerrno>

#include "base/error.h"

namespace tritonrl::sandbox {
namespace {

GuestRecord* g_record = nullptr;

void on_forbidden_call(int /*signal*/, siginfo_t* info, void* context) {
  std::int32_t none = 0;
  // The first one counts: what follows may be another thread's.
  if (g_record->forbidden_call.compare_exchange_strong(none, info->si_syscall + 1)) {
#if defined(__x86_64__)
    const auto& registers = static_cast<const ucontext_t*>(context)->uc_mcontext.gregs;
    const int order[] = {REG_RDI, REG_RSI, REG_RDX, REG_R10};
    for (int i = 0; i < 4; ++i) g_record->forbidden_arguments[i] = static_cast<std::uint64_t>(registers[order[i]]);
#elif defined(__aarch64__)
    const auto& registers = static_cast<const ucontext_t*>(context)->uc_mcontext.regs;
    for (int i = 0; i < 4; ++i) g_record->forbidden_arguments[i] = registers[i];
#endif
  }
  syscall(SYS_exit_group, kForbiddenStatus);
}

void on_abort(int /*signal*/) { g_record->aborted = 1; }

}  // namespace

void note_aborts(GuestRecord& record) {
  g_record = &record;
  struct sigaction action = {};
  action.sa_handler = on_abort;
  if (sigaction(SIGABRT, &action, nullptr) != 0) throw base::HostError::from_errno("watch for aborts", errno);
}

void install_filter(std::string_view filter, GuestRecord& record) {
  g_record = &record;
  struct sigaction action = {};
  action.sa_sigaction = on_forbidden_call;
  action.sa_flags = SA_SIGINFO;
  sigfillset(&action.sa_mask);
  if (sigaction(SIGSYS, &action, nullptr) != 0) throw base::HostError::from_errno("watch for forbidden calls", errno);
  sigset_t forbidden;
  sigemptyset(&forbidden);
  sigaddset(&forbidden, SIGSYS);
  sigprocmask(SIG_UNBLOCK, &forbidden, nullptr);

  if (filter.empty() || filter.size() % sizeof(sock_filter) != 0)
    throw base::HostError("the seccomp filter is damaged");
  sock_fprog program = {};
  program.len = static_cast<unsigned short>(filter.size() / sizeof(sock_filter));
  program.filter = reinterpret_cast<sock_filter*>(const_cast<char*>(filter.data()));  // the kernel only reads it
  const long thread = syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &program);
  if (thread < 0) throw base::HostError::from_errno("install a seccomp filter", errno);
  if (thread > 0) throw base::HostError("a thread of the guest has a seccomp filter of its own");
}

}  // namespace tritonrl::sandbox
