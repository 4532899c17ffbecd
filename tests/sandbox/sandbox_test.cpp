// How guests end, and what is left of them.
#include "sandbox/sandbox.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <stdexcept>
#include <thread>

#include "base/error.h"
#include "guest_test.h"

namespace tritonrl::sandbox {
namespace {

class SandboxTest : public GuestTest {
 protected:
  // Processes of this name on the whole machine.
  static int processes_named(const std::string& name) {
    int found = 0;
    for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
      std::string command;
      if (std::getline(std::ifstream(entry.path() / "comm"), command) && command == name) ++found;
    }
    return found;
  }

  static bool comes_true(const std::function<bool()>& condition) {
    for (int i = 0; i < 500 && !condition(); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(10));
    return condition();
  }
};

TEST_F(SandboxTest, CompletesWhenTheGuestReturns) {
  const Outcome outcome = run([] { (void)!write(1, "hello\n", 6); });
  EXPECT_EQ(outcome.ending, Ending(Completed{}));
  EXPECT_EQ(outcome.output, "hello\n");
  EXPECT_TRUE(outcome.missing.empty());
  EXPECT_GT(outcome.usage.start_s, 0);
  EXPECT_GE(outcome.usage.wall_s, outcome.usage.start_s);
  EXPECT_GT(outcome.usage.peak_rss_bytes, 0U);
}

TEST_F(SandboxTest, ExitIsNoCompletion) {
  EXPECT_EQ(run([] { _exit(0); }).ending, Ending(Exited{0}));
  EXPECT_EQ(run([] { _exit(7); }).ending, Ending(Exited{7}));
}

TEST_F(SandboxTest, ExitInAnExitHandlerIsNoCompletion) {
  const auto guest = [] {
    std::atexit([] { _exit(0); });
    std::exit(3);  // NOLINT(concurrency-mt-unsafe)
  };
  EXPECT_EQ(run(guest).ending, Ending(Exited{0}));
}

TEST_F(SandboxTest, ExceptionIsAnExitWithItsMessage) {
  const Outcome outcome = run([] { throw std::runtime_error("what went wrong"); });
  EXPECT_EQ(outcome.ending, Ending(Exited{1}));
  EXPECT_EQ(outcome.message, "what went wrong");
}

TEST_F(SandboxTest, CrashesAreSignals) {
  EXPECT_EQ(run([] {
              *static_cast<volatile int*>(mmap(nullptr, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)) = 1;
            }).ending,
            Ending(Signalled{SIGSEGV}));
  EXPECT_EQ(run([] { __builtin_trap(); }).ending, Ending(Signalled{SIGILL}));
  EXPECT_EQ(run([] { std::abort(); }).ending, Ending(Signalled{SIGABRT}));
}

TEST_F(SandboxTest, ThreadsEndWithTheGuest) {
  EXPECT_TRUE(run([] {
                std::thread([] {
                  prctl(PR_SET_NAME, "left-behind");
                  while (true) std::this_thread::sleep_for(std::chrono::milliseconds(1));
                }).detach();
              }).completed());
  EXPECT_EQ(processes_named("left-behind"), 0);
}

TEST_F(SandboxTest, GuestMayCloseItsDescriptors) {
  EXPECT_TRUE(run([] {
                for (int fd = 0; fd < 100; ++fd) close(fd);
              }).completed());
}

TEST_F(SandboxTest, GuestThatIgnoresSignalsStillEnds) {
  Limits limits = tight_limits();
  limits.wall_s = 0.2;
  const auto guest = [] {
    for (int signal = 1; signal < 31; ++signal) ::signal(signal, SIG_IGN);
    sigset_t all;
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, nullptr);
    while (true) pause();
  };
  EXPECT_EQ(run(guest, Policy::deny_all().limits(limits)).ending, Ending(LimitReached{Limit::kWall}));
}

TEST_F(SandboxTest, HasNoPrivileges) {
  expect_completes([] {
    expect(prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 1, "no_new_privs");
    expect(prctl(PR_GET_DUMPABLE, 0, 0, 0, 0) == 0, "not dumpable");
    expect(prctl(PR_CAPBSET_READ, 21, 0, 0, 0) == 0, "no capability to gain");
    expect(getuid() == 1000 && geteuid() == 1000 && getgid() == 1000, "ids");
  });
}

TEST_F(SandboxTest, NothingOutlivesTheProgram) {
  const pid_t program = fork();
  ASSERT_GE(program, 0);
  if (program == 0) {
    run([] {
      prctl(PR_SET_NAME, "sandboxed-sleep");
      std::this_thread::sleep_for(std::chrono::hours(1));
    });
    _exit(0);
  }
  EXPECT_TRUE(comes_true([] { return processes_named("sandboxed-sleep") == 1; }));
  kill(program, SIGKILL);
  waitpid(program, nullptr, 0);
  EXPECT_TRUE(comes_true([] { return processes_named("sandboxed-sleep") == 0; }));
}

// What a kernel without the facility would do.
TEST_F(SandboxTest, RequireRefusesAMachineWithoutAFacility) {
  Facilities lacking = facilities();
  lacking.landlock_abi = 0;
  lacking.filters = false;
  try {
    Sandbox(Policy::deny_all(), {}, lacking).run([] {});
    FAIL() << "it ran";
  } catch (const base::HostError& error) {
    EXPECT_NE(std::string(error.what()).find("Landlock: needs Linux 5.13"), std::string::npos) << error.what();
    EXPECT_NE(std::string(error.what()).find("libseccomp"), std::string::npos) << error.what();
    EXPECT_NE(std::string(error.what()).find("--sandbox best"), std::string::npos) << error.what();
  }
}

TEST_F(SandboxTest, BestRunsWithoutAndSaysSo) {
  Facilities lacking = facilities();
  lacking.landlock_abi = 0;
  lacking.filters = false;
  const Policy policy = Policy::deny_all().enforce(Enforcement::kBest);
  const Outcome outcome = Sandbox(policy, {}, lacking).run([] {});
  EXPECT_TRUE(outcome.completed()) << outcome.text();
  EXPECT_EQ(outcome.missing, (std::vector<std::string>{"Landlock", "seccomp"}));
}

TEST_F(SandboxTest, BestWithoutNamespacesIsStillConfined) {
  Facilities lacking = facilities();
  lacking.namespaces = 0;
  const Policy policy = Policy::deny_all().enforce(Enforcement::kBest);
  const Outcome outcome = Sandbox(policy, {}, lacking).run([] {
    expect_refused(open("/etc/passwd", O_RDONLY), EACCES, "a file of the machine");
    expect(open("/tmp/left-behind", O_WRONLY | O_CREAT, 0600) < 0, "a file in the machine's /tmp");
  });
  EXPECT_TRUE(outcome.completed()) << outcome.text() << " " << outcome.message;
  EXPECT_EQ(outcome.missing, (std::vector<std::string>{"user namespaces", "pid namespaces", "net namespaces",
                                                       "ipc namespaces", "uts namespaces", "mount namespaces"}));
}

}  // namespace
}  // namespace tritonrl::sandbox
