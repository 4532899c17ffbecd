#include "verify/deadline.h"

#include <gtest/gtest.h>
#include <sched.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <thread>

namespace tritonrl::verify {
namespace {

using namespace std::chrono_literals;

// A process that works, or sleeps, on one core until the end of the test.
class Child {
 public:
  explicit Child(bool works) : pid_(fork()) {
    if (pid_ != 0) return;
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(0, &one);
    sched_setaffinity(0, sizeof one, &one);
    while (true) {
      if (works) {
        getppid();
      } else {
        pause();
      }
    }
  }
  ~Child() {
    kill(pid_, SIGKILL);
    waitpid(pid_, nullptr, 0);
  }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;
  Child(Child&&) = delete;
  Child& operator=(Child&&) = delete;

  pid_t pid() const { return pid_; }

 private:
  pid_t pid_;
};

TEST(DeadlineTest, PassesForAGuestThatSleeps) {
  const Child child(false);
  const Deadline deadline(child.pid(), 0.05);
  EXPECT_GT(deadline.left(), 0s);
  std::this_thread::sleep_for(100ms);
  EXPECT_LE(deadline.left(), 0s);
}

TEST(DeadlineTest, OurOwnTimeIsAdded) {
  const Child child(false);
  Deadline deadline(child.pid(), 0.0);
  deadline.extend(10s);
  EXPECT_GT(deadline.left(), 9s);
}

TEST(DeadlineTest, WaitingForACoreDoesNotCount) {
  const Child guest(true);
  const Child rival(true);
  const Child another(true);
  const Deadline deadline(guest.pid(), 0.5);
  std::this_thread::sleep_for(1s);
  // A third of the core was its own, at most.
  EXPECT_GT(deadline.left(), 0s);
  EXPECT_GT(deadline.unused_seconds(), 0.0);
}

TEST(DeadlineTest, AGuestThatIsGoneGetsNoMoreTime) {
  pid_t gone = 0;
  {
    const Child child(false);
    gone = child.pid();
  }
  EXPECT_LE(Deadline(gone, 0.0).left(), 0s);
}

}  // namespace
}  // namespace tritonrl::verify
