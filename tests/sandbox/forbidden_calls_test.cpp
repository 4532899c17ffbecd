// What a guest may not ask of the kernel: the call is not made, and the outcome names it.
#include <dlfcn.h>
#include <fcntl.h>
#include <linux/prctl.h>
#include <netinet/in.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>

#include <array>
#include <fstream>

#include "guest_test.h"

namespace tritonrl::sandbox {
namespace {

class ForbiddenCallsTest : public GuestTest {};

TEST_F(ForbiddenCallsTest, ForkBomb) {
  expect_forbidden(
      [] {
        while (true) fork();
      },
      "clone (a new process)");
}

TEST_F(ForbiddenCallsTest, SystemStartsNoShell) {
  expect_forbidden([] { [[maybe_unused]] const int status = system("true"); }, "clone (a new process)");
}

TEST_F(ForbiddenCallsTest, DaemonCannotDetach) {
  expect_forbidden(
      [] {
        expect_refused(setsid(), EPERM, "setsid");
        expect(daemon(0, 0) == 0, "daemon");
      },
      "clone (a new process)");
}

TEST_F(ForbiddenCallsTest, ExecIsForbidden) {
  expect_forbidden([] { expect(execl("/bin/true", "true", nullptr) == 0, "exec"); }, "execve");
}

TEST_F(ForbiddenCallsTest, MemoryBecomesNoCode) {
  expect_forbidden(
      [] {
        constexpr int kAll = PROT_READ | PROT_WRITE | PROT_EXEC;
        expect(mmap(nullptr, 4096, kAll, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED, "executable memory");
      },
      "mmap (executable memory)");
  expect_forbidden(
      [] {
        void* page = mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        mprotect(page, 4096, PROT_READ | PROT_EXEC);
      },
      "mprotect (executable memory)");
}

const char* const kSomeLibrary = TRITONRL_LIBRARY;

TEST_F(ForbiddenCallsTest, LibrariesAreNotLoadedUnlessAllowed) {
  const Policy policy = Policy::deny_all().allow_read(kSomeLibrary).limits(tight_limits());
  EXPECT_EQ(run([] { dlopen(kSomeLibrary, RTLD_NOW); }, policy).ending,
            Ending(ForbiddenCall{"mmap (executable memory)"}));
}

TEST_F(ForbiddenCallsTest, CodeWrittenToTmpIsNeverLoaded) {
  Limits limits = tight_limits();
  limits.file_bytes = 64 << 20;
  limits.disk_bytes = 64 << 20;
  const Policy policy =
      Policy::deny_all().allow_read("/usr/lib").allow_read("/lib").allow_read("/lib64").allow_read(kSomeLibrary);
  expect_completes(
      [] {
        std::ofstream("/tmp/copy.so", std::ios::binary) << std::ifstream(kSomeLibrary, std::ios::binary).rdbuf();
        expect(dlopen("/tmp/copy.so", RTLD_NOW) == nullptr, "a library in /tmp was loaded");
        const std::string error = dlerror();
        expect(error.find("failed to map segment") != std::string::npos, error);
        expect(dlopen(kSomeLibrary, RTLD_NOW) != nullptr, "the library under a read path");
      },
      Policy(policy).allow_code_loading().limits(limits));
}

TEST_F(ForbiddenCallsTest, NetworkIsForbidden) {
  expect_forbidden([] { socket(AF_INET, SOCK_STREAM, 0); }, "socket");
  expect_forbidden([] { socket(AF_NETLINK, SOCK_RAW, 0); }, "socket");
}

TEST_F(ForbiddenCallsTest, UnixSocketsAreRefused) {
  expect_completes([] { expect_refused(socket(AF_UNIX, SOCK_STREAM, 0), EACCES, "socket"); });
  expect_forbidden(
      [] {
        std::array<int, 2> ends{};
        socketpair(AF_UNIX, SOCK_STREAM, 0, ends.data());
      },
      "socketpair");
}

TEST_F(ForbiddenCallsTest, HandedSocketReachesItsPeerOnly) {
  std::array<int, 2> ends{};
  ASSERT_EQ(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()), 0);
  const int theirs = ends[1];
  const Policy policy = Policy::deny_all().limits(tight_limits());
  const Sandbox sandbox(policy, {theirs});
  EXPECT_TRUE(sandbox.run([theirs] { expect(send(theirs, "x", 1, 0) == 1, "send"); }).completed());
  const auto connect_elsewhere = [theirs] {
    sockaddr_un address = {.sun_family = AF_UNIX, .sun_path = {}};
    expect(connect(theirs, reinterpret_cast<sockaddr*>(&address), sizeof address) < 0, "connected");
  };
  EXPECT_EQ(sandbox.run(connect_elsewhere).ending, Ending(ForbiddenCall{"connect"}));
  close(ends[0]);
  close(ends[1]);
}

TEST_F(ForbiddenCallsTest, OtherProcessesAreOutOfReach) {
  expect_forbidden([] { kill(-1, SIGKILL); }, "kill (another process)");
  expect_forbidden([] { kill(0, SIGKILL); }, "kill (another process)");
  expect_forbidden([] { kill(getppid(), SIGKILL); }, "kill (another process)");
  expect_completes([] {
    expect(getpid() == 1, "the first process of its namespace");
    expect(getppid() == 0, "no parent that can be seen");
  });
}

TEST_F(ForbiddenCallsTest, ThreadIntoANewNamespace) {
  expect_forbidden([] { syscall(SYS_clone, CLONE_VM | CLONE_THREAD | CLONE_SIGHAND | CLONE_NEWUSER, 0, 0, 0, 0); },
                   "clone");
}

TEST_F(ForbiddenCallsTest, BlockedSignalsHideNothing) {
  expect_forbidden(
      [] {
        sigset_t all;
        sigfillset(&all);
        sigprocmask(SIG_BLOCK, &all, nullptr);
        signal(SIGSYS, [](int) {});
        syscall(SYS_unshare, 0);
      },
      "unshare");
}

#if defined(__x86_64__)
TEST_F(ForbiddenCallsTest, CallsOfAnotherArchitecture) {
  expect_forbidden(
      [] {
        long result = 20;  // getpid of 32-bit programs
        asm volatile("int $0x80" : "+a"(result) : : "memory");
        expect(false, "the call was made");
      },
      "of another architecture");
}
#endif

struct Call {
  long number;
  const char* name;
  std::array<long, 3> arguments = {};
};

class NamedCallTest : public GuestTest, public testing::WithParamInterface<Call> {};

TEST_P(NamedCallTest, IsNamed) {
  const Call call = GetParam();
  expect_forbidden([call] { syscall(call.number, call.arguments[0], call.arguments[1], call.arguments[2], 0, 0, 0); },
                   call.name);
}

INSTANTIATE_TEST_SUITE_P(
    Calls, NamedCallTest,
    testing::Values(
        // Other processes.
        Call{SYS_ptrace, "ptrace"}, Call{SYS_process_vm_readv, "process_vm_readv"},
        Call{SYS_process_vm_writev, "process_vm_writev"}, Call{SYS_pidfd_open, "pidfd_open", {1}},
        Call{SYS_pidfd_getfd, "pidfd_getfd"}, Call{SYS_pidfd_send_signal, "pidfd_send_signal"}, Call{SYS_kcmp, "kcmp"},
        Call{SYS_rt_sigqueueinfo, "rt_sigqueueinfo"}, Call{SYS_execveat, "execveat"},
        // The sandbox itself.
        Call{SYS_mount, "mount"}, Call{SYS_umount2, "umount2"}, Call{SYS_pivot_root, "pivot_root"},
        Call{SYS_chroot, "chroot"}, Call{SYS_unshare, "unshare", {CLONE_NEWUSER}}, Call{SYS_setns, "setns"},
        Call{SYS_open_tree, "open_tree"}, Call{SYS_fsopen, "fsopen"}, Call{SYS_mount_setattr, "mount_setattr"},
        Call{SYS_setuid, "setuid"}, Call{SYS_setresuid, "setresuid"}, Call{SYS_setgroups, "setgroups"},
        Call{SYS_capset, "capset"}, Call{SYS_seccomp, "seccomp"},
        Call{SYS_landlock_create_ruleset, "landlock_create_ruleset"}, Call{SYS_personality, "personality", {0x0400000}},
        Call{SYS_prctl, "prctl", {PR_SET_DUMPABLE, 1}}, Call{SYS_prctl, "prctl", {PR_SET_PDEATHSIG, 0}},
        Call{SYS_prctl, "prctl", {PR_SET_PTRACER, -1}},
        // Parts of the kernel that nothing here needs.
        Call{SYS_bpf, "bpf"}, Call{SYS_perf_event_open, "perf_event_open"}, Call{SYS_userfaultfd, "userfaultfd"},
        Call{SYS_io_uring_setup, "io_uring_setup"}, Call{SYS_io_uring_enter, "io_uring_enter"},
        Call{SYS_io_setup, "io_setup"}, Call{SYS_keyctl, "keyctl"}, Call{SYS_add_key, "add_key"},
        Call{SYS_request_key, "request_key"}, Call{SYS_inotify_init1, "inotify_init1"},
        Call{SYS_fanotify_init, "fanotify_init"}, Call{SYS_open_by_handle_at, "open_by_handle_at"},
        Call{SYS_name_to_handle_at, "name_to_handle_at"}, Call{SYS_splice, "splice"}, Call{SYS_vmsplice, "vmsplice"},
        Call{SYS_remap_file_pages, "remap_file_pages"}, Call{SYS_pkey_mprotect, "pkey_mprotect"},
        Call{SYS_signalfd4, "signalfd4"}, Call{SYS_ioctl, "ioctl", {0, TIOCSTI}},
        // Memory and messages between processes.
        Call{SYS_shmget, "shmget"}, Call{SYS_shmat, "shmat"}, Call{SYS_semget, "semget"}, Call{SYS_msgget, "msgget"},
        Call{SYS_mq_open, "mq_open"}, Call{SYS_bind, "bind"}, Call{SYS_listen, "listen"}, Call{SYS_accept4, "accept4"},
        // The machine.
        Call{SYS_reboot, "reboot"}, Call{SYS_init_module, "init_module"}, Call{SYS_finit_module, "finit_module"},
        Call{SYS_kexec_load, "kexec_load"}, Call{SYS_swapon, "swapon"}, Call{SYS_settimeofday, "settimeofday"},
        Call{SYS_clock_settime, "clock_settime"}, Call{SYS_sethostname, "sethostname"}, Call{SYS_syslog, "syslog"},
        Call{SYS_acct, "acct"}, Call{SYS_quotactl, "quotactl"}),
    [](const auto& test) { return std::string(test.param.name) + "_" + std::to_string(test.index); });

}  // namespace
}  // namespace tritonrl::sandbox
