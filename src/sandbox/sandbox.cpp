#include "sandbox/sandbox.h"

#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <new>
#include <optional>
#include <system_error>
#include <utility>

#include "base/error.h"
#include "base/file.h"
#include "sandbox/call_watch.h"
#include "sandbox/confinement.h"
#include "sandbox/environment.h"
#include "sandbox/guest_end.h"
#include "sandbox/mounts.h"
#include "sandbox/namespaces.h"
#include "sandbox/output_drain.h"
#include "sandbox/privileges.h"
#include "sandbox/seccomp_filter.h"

namespace tritonrl::sandbox {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int kPollMs = 10;
constexpr double kEntryTimeoutS = 60;

// What the process between us and the guest says: the pid namespace begins with a child of the one that asks for it.
struct Report {
  int error = 0;  // errno of a failure of ours
  int wait_status = 0;
  struct rusage usage = {};
};

struct Channel {
  base::UniqueFd read;
  base::UniqueFd write;
};

Channel make_channel() {
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) throw base::HostError::from_errno("make a pipe", errno);
  return {base::UniqueFd(ends[0]), base::UniqueFd(ends[1])};
}

template <typename T>
bool receive(int fd, T& value) {
  ssize_t got = -1;
  do {
    got = read(fd, &value, sizeof value);
  } while (got < 0 && errno == EINTR);
  return got == static_cast<ssize_t>(sizeof value);
}

template <typename T>
bool send(int fd, const T& value) {
  return write(fd, &value, sizeof value) == static_cast<ssize_t>(sizeof value);
}

double seconds(const timeval& time) {
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
}

void reset_signals() {
  for (int signal = 1; signal < NSIG; ++signal) ::signal(signal, SIG_DFL);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
}

// Which limit a denied request met.
std::optional<Limit> limit_of(const std::error_code& code) {
  if (code == std::errc::not_enough_memory) return Limit::kMemory;
  if (code == std::errc::resource_unavailable_try_again) return Limit::kProcesses;  // pthread_create
  if (code == std::errc::no_space_on_device) return Limit::kDisk;
  if (code == std::errc::file_too_large) return Limit::kFileBytes;
  return std::nullopt;
}

int run_guest(const std::function<void()>& guest, StatusPage& page) {
  const auto note = [&page](std::optional<Limit> limit, const char* message) {
    if (limit) page.guest().limit = static_cast<int>(*limit) + 1;
    set_text(page.guest().message, message);
  };
  try {
    guest();
    complete(page);
    return 0;
  } catch (const std::bad_alloc& error) {
    note(Limit::kMemory, error.what());
  } catch (const std::system_error& error) {
    note(limit_of(error.code()), error.what());
  } catch (const std::exception& error) {
    note(std::nullopt, error.what());
  } catch (...) {
    note(std::nullopt, "an exception of another type");
  }
  return 1;
}

[[noreturn]] void be_guest(GuestSetup setup, const std::function<void()>& guest, StatusPage& page, int output) {
  try {
    reset_signals();
    const int null = open("/dev/null", O_RDONLY | O_CLOEXEC);
    if (null < 0) throw base::HostError::from_errno("open /dev/null", errno);
    dup2(null, STDIN_FILENO);
    dup2(output, STDOUT_FILENO);
    dup2(output, STDERR_FILENO);
    replace_environment(guest_environment(setup.policy, kGuestTmp));
    confine(std::move(setup), page);
  } catch (const std::exception& error) {
    set_text(page.setup().error, error.what());
    page.setup().failed = 1;
    _exit(1);
  }
  _exit(run_guest(guest, page));
}

struct Between {
  int mapped;  // a bool comes when the ids are mapped: whether guests have one of their own
  int stop;    // closed, or a byte: end the guest
  int report;
};

// Waits for the guest, and ends it when the program says so or is gone.
Report watch(pid_t guest, int stop) {
  const base::UniqueFd pidfd(static_cast<int>(syscall(SYS_pidfd_open, guest, 0)));
  std::array<pollfd, 2> polled = {
      {{.fd = pidfd.get(), .events = POLLIN, .revents = 0}, {.fd = stop, .events = POLLIN, .revents = 0}}};
  while (poll(polled.data(), polled.size(), -1) < 0 && errno == EINTR) {
  }
  if (polled[1].revents != 0) ::kill(guest, SIGKILL);
  Report report;
  while (wait4(guest, &report.wait_status, 0, &report.usage) < 0) {
    if (errno != EINTR) {
      report.error = errno;
      break;
    }
  }
  return report;
}

[[noreturn]] void be_between(GuestSetup setup, const std::function<void()>& guest, StatusPage& page, int output,
                             const Between& between) {
  const auto fail = [&](int error) {
    send(between.report, Report{.error = error});
    _exit(1);
  };
  if (unshare(setup.namespaces) != 0) fail(errno);
  die_with_parent();
  if (!send(between.report, Report{}) || !receive(between.mapped, setup.own_id)) _exit(1);
  const pid_t child = fork();
  if (child < 0) fail(errno);
  if (child == 0) be_guest(setup, guest, page, output);
  close(output);
  close(setup.watch);
  send(between.report, watch(child, between.stop));
  _exit(0);
}

// Until the report of the end comes: drains output, keeps the time.
Report supervise(int report_fd, base::UniqueFd& stop, OutputDrain& drain, CallWatch& calls, const StatusPage& page,
                 const Limits& limits, GuestEnd& end) {
  const Clock::time_point started = Clock::now();
  while (true) {
    std::array<pollfd, 2> polled = {
        {{.fd = report_fd, .events = POLLIN, .revents = 0}, {.fd = drain.poll_fd(), .events = POLLIN, .revents = 0}}};
    poll(polled.data(), polled.size(), kPollMs);
    drain.drain();
    if (polled[0].revents != 0) {
      while (drain.bytes() <= limits.output_bytes && drain.drain()) {
      }
      Report report;
      if (!receive(report_fd, report)) throw base::HostError("a guest's watcher died", base::Retry::kYes);
      return report;
    }
    const std::int64_t entered_ns = page.setup().entered_ns;
    const Clock::time_point entered{std::chrono::duration_cast<Clock::duration>(std::chrono::nanoseconds(entered_ns))};
    const auto elapsed = std::chrono::duration<double>(Clock::now() - (entered_ns == 0 ? started : entered)).count();
    if (entered_ns != 0 && elapsed >= limits.wall_s) end.wall_reached = true;
    if (drain.bytes() > limits.output_bytes) end.output_exceeded = true;
    if (!end.forbidden_call) end.forbidden_call = calls.look();
    if (end.wall_reached || end.output_exceeded || end.forbidden_call || (entered_ns == 0 && elapsed >= kEntryTimeoutS))
      stop.reset();
  }
}

// Ends with the block: no process is left behind, whatever happens.
class Child {
 public:
  Child(pid_t pid, base::UniqueFd& stop, base::UniqueFd& mapped) : pid_(pid), stop_(stop), mapped_(mapped) {}
  ~Child() {
    stop_.reset();
    mapped_.reset();
    while (waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) {
    }
  }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

 private:
  pid_t pid_;
  base::UniqueFd& stop_;    // closed: the guest ends
  base::UniqueFd& mapped_;  // closed: one that has not started never will
};

}  // namespace

Sandbox::Sandbox(Policy policy, std::vector<int> descriptors, const Facilities& machine)
    : policy_(std::move(policy)), descriptors_(std::move(descriptors)), machine_(machine) {}

Outcome Sandbox::run(const std::function<void()>& guest) const {
  require_facilities(machine_, policy_.enforcement());
  const Clock::time_point requested = Clock::now();
  GuestSetup setup;
  setup.policy = policy_;
  setup.namespaces = machine_.namespaces;
  setup.landlock = machine_.landlock_abi > 0;
  setup.descriptors = descriptors_;
  if (machine_.seccomp && machine_.filters)
    setup.filter = compile_filter(policy_, (setup.namespaces & CLONE_NEWPID) != 0);
  GuestEnd end;
  StatusPage page;
  OutputDrain drain;
  CallWatch calls;
  setup.watch = calls.guest_fd();
  Channel mapped = make_channel();
  Channel stop = make_channel();
  Channel report = make_channel();

  const pid_t pid = fork();
  if (pid < 0) throw base::HostError::from_errno("start a guest", errno);
  if (pid == 0) {
    stop.write.reset();
    mapped.write.reset();
    be_between(std::move(setup), guest, page, drain.write_fd(),
               {.mapped = mapped.read.get(), .stop = stop.read.get(), .report = report.write.get()});
  }
  const Child child(pid, stop.write, mapped.write);
  drain.close_write();
  calls.close_guest_fd();
  report.write.reset();

  Report first;
  if (!receive(report.read.get(), first)) throw base::HostError("a guest's watcher died", base::Retry::kYes);
  if (first.error != 0) throw base::HostError::from_errno("make a guest's namespaces", first.error);
  const bool own_id = (machine_.namespaces & CLONE_NEWUSER) != 0 && write_id_maps(pid);
  send(mapped.write.get(), own_id);
  const Report last = supervise(report.read.get(), stop.write, drain, calls, page, policy_.limits(), end);
  if (last.error != 0) throw base::HostError::from_errno("wait for a guest", last.error);

  const std::int64_t entered_ns = page.setup().entered_ns;
  const auto since_request = [&](Clock::time_point time) {
    return std::chrono::duration<double>(time - requested).count();
  };
  end.wait_status = last.wait_status;
  end.usage.wall_s = since_request(Clock::now());
  end.usage.start_s = entered_ns == 0 ? 0
                                      : since_request(Clock::time_point(std::chrono::duration_cast<Clock::duration>(
                                            std::chrono::nanoseconds(entered_ns))));
  end.usage.cpu_s = seconds(last.usage.ru_utime) + seconds(last.usage.ru_stime);
  end.usage.peak_rss_bytes = static_cast<std::uint64_t>(last.usage.ru_maxrss) * 1024;
  end.output = drain.take_text();
  end.output_bytes = drain.bytes();
  if (end.output_bytes > policy_.limits().output_bytes) end.output_exceeded = true;
  return judge(std::move(end), page, policy_);
}

}  // namespace tritonrl::sandbox
