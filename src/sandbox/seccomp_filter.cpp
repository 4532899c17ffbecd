#include "sandbox/seccomp_filter.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/prctl.h>
#include <sched.h>
#include <seccomp.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/mman.h>

#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <memory>
#include <vector>

#include "base/error.h"
#include "base/file.h"
#include "base/text.h"

namespace tritonrl::sandbox {
namespace {

struct Allowed {
  const char* names;
  const char* reason;
};
// Everything else is forbidden: the call is not made, and the guest ends there (SECCOMP_RET_USER_NOTIF, call_watch.h).
constexpr std::array kAllowed = {
    Allowed{"brk munmap mremap madvise mincore msync membarrier", "memory; mmap and mprotect have rules of their own"},
    Allowed{"read write readv writev pread64 pwrite64 preadv pwritev lseek close close_range dup dup2 dup3 fcntl flock "
            "fsync fdatasync ftruncate fallocate fadvise64 readahead sendfile copy_file_range",
            "files that were opened or handed over"},
    Allowed{"open openat creat stat lstat fstat newfstatat statx statfs fstatfs access faccessat faccessat2 readlink "
            "readlinkat getdents getdents64 getcwd chdir fchdir umask",
            "which files can be opened is up to the mounts and to Landlock"},
    Allowed{"mkdir mkdirat rmdir unlink unlinkat rename renameat renameat2 symlink symlinkat truncate chmod fchmod "
            "fchmodat utime utimes futimesat utimensat",
            "/tmp is the only place where they can succeed"},
    Allowed{"recvfrom recvmsg sendmsg shutdown getsockopt getsockname getpeername",
            "the socket to the trusted side is connected already; no call that makes or names another is here"},
    Allowed{"poll ppoll select pselect6 epoll_create epoll_create1 epoll_ctl epoll_wait epoll_pwait epoll_pwait2 pipe "
            "pipe2 eventfd eventfd2 timerfd_create timerfd_settime timerfd_gettime nanosleep clock_nanosleep pause "
            "restart_syscall",
            "waiting"},
    Allowed{"futex set_robust_list get_robust_list rseq set_tid_address gettid sched_yield sched_getaffinity "
            "sched_setaffinity sched_getparam sched_getscheduler sched_get_priority_max sched_get_priority_min getcpu "
            "exit exit_group wait4 waitid",
            "threads, whose number is limited; clone has a rule of its own"},
    Allowed{"rt_sigprocmask rt_sigreturn rt_sigpending rt_sigsuspend rt_sigtimedwait sigaltstack alarm setitimer "
            "getitimer",
            "signals within the process; rt_sigaction, kill and tgkill have rules of their own"},
    Allowed{
        "getpid getppid getuid geteuid getgid getegid getresuid getresgid getgroups getpgrp getpgid getsid "
        "getpriority getrlimit getrusage times sysinfo uname getrandom clock_gettime clock_getres gettimeofday time "
        "capget",
        "questions about itself and the time"},
};

struct Refused {
  const char* names;
  int error;
  const char* reason;
};
// Calls that libraries make to find out what is there, and get over without: refused, and the guest goes on.
constexpr std::array kRefused = {
    Refused{"clone3", ENOSYS, "its flags cannot be looked at; glibc falls back to clone"},
    Refused{"openat2", ENOSYS, "likewise; callers fall back to openat"},
    Refused{"memfd_create", EPERM, "memory beyond the limit on memory; libffi and allocators fall back"},
    Refused{"get_mempolicy set_mempolicy mbind", EPERM, "OpenMP and allocators ask for NUMA nodes"},
    Refused{"mlock mlock2 munlock", EPERM, "random number generators try to lock their state"},
    Refused{"setrlimit", EPERM, "libraries raise their own limits"},
    Refused{"setpriority sched_setscheduler sched_setparam sched_setattr", EPERM, "thread pools change theirs"},
    Refused{"setsid setpgid", EPERM, "it leads its session already"},
    Refused{"chown fchown lchown fchownat", EPERM, "copying a file with its owner"},
    Refused{"link linkat mknod mknodat", EPERM, "lock files fall back to rename"},
    Refused{"getxattr lgetxattr fgetxattr listxattr llistxattr flistxattr setxattr lsetxattr fsetxattr", ENOTSUP,
            "copying a file with its attributes"},
    Refused{"sync syncfs", EPERM, "of the whole machine"},
};

constexpr std::uint64_t kKindOfMapping = 0x0f;  // MAP_TYPE
constexpr std::uint64_t kNewNamespaces =
    CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS | CLONE_NEWIPC | CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNET;

class Rules {
 public:
  Rules() : context_(seccomp_init(SCMP_ACT_NOTIFY)) {
    if (!context_) throw base::HostError("libseccomp cannot make a filter");
    // A call by another processor's numbers (32-bit, x32) is no mistake of a library.
    require(seccomp_attr_set(context_.get(), SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_KILL_PROCESS), "foreign calls");
    // A binary search over the numbers: calls are many, and each runs through the filter.
    seccomp_attr_set(context_.get(), SCMP_FLTATR_CTL_OPTIMIZE, 2);
  }

  // `action` for the call `name` when all comparisons hold. Calls that this machine's kernel does not have are skipped.
  void on(std::string_view name, std::uint32_t action, const std::vector<scmp_arg_cmp>& when = {}) {
    const int number = seccomp_syscall_resolve_name(std::string(name).c_str());
    if (number < 0) return;
    require(seccomp_rule_add_array(context_.get(), action, number, static_cast<unsigned>(when.size()), when.data()),
            name);
  }
  void allow(std::string_view name, const std::vector<scmp_arg_cmp>& when = {}) { on(name, SCMP_ACT_ALLOW, when); }

  std::string bytes() const {
    const base::UniqueFd file(memfd_create("filter", MFD_CLOEXEC));
    if (!file) throw base::HostError::from_errno("make memory for a filter", errno);
    require(seccomp_export_bpf(context_.get(), file.get()), "export");
    std::string result(static_cast<std::size_t>(lseek(file.get(), 0, SEEK_END)), '\0');
    if (pread(file.get(), result.data(), result.size(), 0) != static_cast<ssize_t>(result.size()))
      throw base::HostError::from_errno("read a filter", errno);
    return result;
  }

 private:
  struct Release {
    void operator()(void* context) const { seccomp_release(context); }
  };
  static void require(int error, std::string_view what) {
    if (error != 0) throw base::HostError::from_errno(fmt::format("compile the filter's rule for {}", what), -error);
  }

  std::unique_ptr<void, Release> context_;
};

void add_memory_rules(Rules& rules, const Policy& policy) {
  constexpr std::uint64_t kForm = kKindOfMapping | MAP_GROWSDOWN;  // growing mappings escape the limit on memory
  const auto no_code = SCMP_A2(SCMP_CMP_MASKED_EQ, PROT_EXEC, 0);
  rules.allow("mmap", {no_code, SCMP_A3(SCMP_CMP_MASKED_EQ, kForm, MAP_PRIVATE)});
  // Shared memory of a file: the arena that the trusted side owns, or files in /tmp.
  rules.allow("mmap", {no_code, SCMP_A3(SCMP_CMP_MASKED_EQ, kForm | MAP_ANONYMOUS, MAP_SHARED)});
  // Shared memory of no file escapes the kernel's limit on memory. The CUDA driver pins it, so the trusted side watches
  // how much of it a GPU guest has; elsewhere Python's mmap(-1) gets an OSError.
  rules.on("mmap", policy.gpu() ? SCMP_ACT_ALLOW : SCMP_ACT_ERRNO(EPERM),
           {no_code, SCMP_A3(SCMP_CMP_MASKED_EQ, kForm | MAP_ANONYMOUS, MAP_SHARED | MAP_ANONYMOUS)});
  rules.allow("mprotect", {SCMP_A2(SCMP_CMP_MASKED_EQ, PROT_EXEC | PROT_GROWSDOWN | PROT_GROWSUP, 0)});
  if (policy.code_loading() || policy.gpu()) {
    // Shared libraries: never writable, never anonymous; /tmp is mounted noexec. The CUDA driver loads parts late.
    rules.allow("mmap", {SCMP_A2(SCMP_CMP_MASKED_EQ, PROT_EXEC | PROT_WRITE, PROT_EXEC),
                         SCMP_A3(SCMP_CMP_MASKED_EQ, kForm | MAP_ANONYMOUS, MAP_PRIVATE)});
  }
}

void add_thread_rules(Rules& rules, bool first_process) {
  constexpr std::uint64_t kThread = CLONE_VM | CLONE_THREAD;
  rules.allow("clone", {SCMP_A0(SCMP_CMP_MASKED_EQ, kThread | kNewNamespaces | CLONE_PTRACE | CLONE_PARENT, kThread)});
  if (first_process) {
    // raise, abort and pthread_kill: signals to itself, by its own number. Not SIGKILL, which the kernel would pass
    // over in silence: the first process of a namespace cannot send it to itself.
    for (const char* name : {"kill", "tgkill"})
      rules.allow(name, {SCMP_A0(SCMP_CMP_EQ, 1), name == std::string_view("kill") ? SCMP_A1(SCMP_CMP_NE, SIGKILL)
                                                                                   : SCMP_A2(SCMP_CMP_NE, SIGKILL)});
    // LLVM's handler passes SIGXFSZ on with this.
    rules.allow("rt_tgsigqueueinfo", {SCMP_A0(SCMP_CMP_EQ, 1), SCMP_A2(SCMP_CMP_NE, SIGKILL)});
  } else {
    for (const char* name : {"kill", "tgkill"}) rules.on(name, SCMP_ACT_ERRNO(EPERM));
  }
  // Its own handlers, but not in place of ours, which names the limit on CPU time.
  rules.allow("rt_sigaction", {SCMP_A0(SCMP_CMP_NE, SIGXCPU)});
  rules.on("rt_sigaction", SCMP_ACT_ERRNO(EPERM), {SCMP_A0(SCMP_CMP_EQ, SIGXCPU)});
  for (const int option : {PR_SET_NAME, PR_GET_NAME, PR_GET_DUMPABLE, PR_GET_NO_NEW_PRIVS, PR_CAPBSET_READ,
                           PR_SET_VMA})  // thread names, questions, names of memory
    rules.allow("prctl", {SCMP_A0(SCMP_CMP_EQ, static_cast<scmp_datum_t>(option))});
  // ARCH_GET_XCOMP_SUPP, ARCH_GET_XCOMP_PERM, ARCH_REQ_XCOMP_PERM: the tile registers of matrix products.
  for (const scmp_datum_t option : {0x1021, 0x1022, 0x1023}) rules.allow("arch_prctl", {SCMP_A0(SCMP_CMP_EQ, option)});
}

void add_descriptor_rules(Rules& rules, const Policy& policy) {
  // To the peer that the socket has, not to an address.
  rules.allow("sendto", {SCMP_A4(SCMP_CMP_EQ, 0)});
  // glibc asks nscd for users and hosts, and gets over its absence.
  rules.on("socket", SCMP_ACT_ERRNO(EACCES), {SCMP_A0(SCMP_CMP_EQ, AF_UNIX)});
  // Reading limits, not setting them.
  rules.allow("prlimit64", {SCMP_A2(SCMP_CMP_EQ, 0)});
  rules.on("prlimit64", SCMP_ACT_ERRNO(EPERM), {SCMP_A2(SCMP_CMP_NE, 0)});
  if (policy.gpu()) {
    rules.allow("ioctl");  // the CUDA driver's language; only the nvidia nodes are there to hear it
  } else {
    // isatty, bytes waiting, blocking or not, close on exec.
    for (const unsigned long request : {TCGETS, TIOCGWINSZ, FIONREAD, FIONBIO, FIOCLEX, FIONCLEX})
      rules.allow("ioctl", {SCMP_A1(SCMP_CMP_EQ, request)});
  }
}

bool has(std::uint64_t value, std::uint64_t bits) { return (value & bits) != 0; }

}  // namespace

bool filters_can_be_compiled() { return true; }

std::string compile_filter(const Policy& policy, bool first_process) {
  Rules rules;
  for (const Allowed& calls : kAllowed)
    for (const std::string_view name : base::split(calls.names, ' ')) rules.allow(name);
  for (const Refused& calls : kRefused)
    for (const std::string_view name : base::split(calls.names, ' '))
      rules.on(name, SCMP_ACT_ERRNO(static_cast<std::uint32_t>(calls.error)));
  add_memory_rules(rules, policy);
  add_thread_rules(rules, first_process);
  add_descriptor_rules(rules, policy);
  return rules.bytes();
}

std::string describe_call(int number, std::span<const std::uint64_t> arguments) {
  struct Free {
    void operator()(char* text) const { std::free(text); }  // NOLINT(cppcoreguidelines-no-malloc): libseccomp's
  };
  const std::unique_ptr<char, Free> resolved(seccomp_syscall_resolve_num_arch(SCMP_ARCH_NATIVE, number));
  if (!resolved) return fmt::format("call {}", number);
  std::string name = resolved.get();
  if (arguments.size() < 4) return name;
  if ((name == "mmap" || name == "mprotect") && has(arguments[2], PROT_EXEC)) return name + " (executable memory)";
  if (name == "clone" && !has(arguments[0], CLONE_THREAD)) return name + " (a new process)";
  if ((name == "kill" || name == "tgkill") && arguments[0] != 1) return name + " (another process)";
  return name;
}

}  // namespace tritonrl::sandbox
