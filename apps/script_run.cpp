#include "apps/script_run.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <optional>

#include <fmt/format.h>

#include "base/error.h"
#include "base/file.h"

namespace tritonrl::apps {
namespace {

constexpr int kPollMs = 50;

struct Pipe {
  base::UniqueFd read;
  base::UniqueFd write;
};

Pipe make_pipe() {
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) throw base::HostError::from_errno("make a pipe", errno);
  return {base::UniqueFd(ends[0]), base::UniqueFd(ends[1])};
}

volatile pid_t g_child = 0;

// A terminal sends its signals to both processes, a person or a program to this one alone.
void pass_on(int signal, siginfo_t* info, void* /*context*/) {
  if (g_child > 0 && info->si_code != SI_KERNEL) kill(g_child, signal);
}

// While a script runs, what asks this process to end is for the script: its findings are still to be printed.
class SignalsForTheScript {
 public:
  SignalsForTheScript() {
    for (std::size_t i = 0; i < kSignals.size(); ++i) {
      struct sigaction action{};
      action.sa_sigaction = pass_on;
      action.sa_flags = SA_SIGINFO | SA_RESTART;
      sigaction(kSignals[i], &action, &before_[i]);
    }
  }
  ~SignalsForTheScript() {
    restore();
    g_child = 0;
  }
  SignalsForTheScript(const SignalsForTheScript&) = delete;
  SignalsForTheScript& operator=(const SignalsForTheScript&) = delete;

  void restore() const {
    for (std::size_t i = 0; i < kSignals.size(); ++i) sigaction(kSignals[i], &before_[i], nullptr);
  }

 private:
  static constexpr std::array<int, 3> kSignals = {SIGINT, SIGTERM, SIGHUP};
  std::array<struct sigaction, kSignals.size()> before_{};
};

std::vector<std::string> environment_of(const ScriptRun& run) {
  std::vector<std::string> result;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view text(*entry);
    const std::string_view name = text.substr(0, text.find('='));
    bool replaced = false;
    for (const auto& [key, value] : run.environment) replaced = replaced || key == name;
    if (!replaced) result.emplace_back(text);
  }
  for (const auto& [key, value] : run.environment) result.push_back(fmt::format("{}={}", key, value));
  return result;
}

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> result;
  result.reserve(texts.size() + 1);
  for (std::string& text : texts) result.push_back(text.data());
  result.push_back(nullptr);
  return result;
}

// Between fork and exec: nothing that allocates. Writes errno to `failure` when exec fails.
[[noreturn]] void become(const std::vector<char*>& arguments, const std::vector<char*>& environment, int records,
                         int failure, bool stdout_to_stderr, pid_t parent) {
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (getppid() == parent) {
    if (stdout_to_stderr) dup2(STDERR_FILENO, STDOUT_FILENO);
    fcntl(records, F_SETFD, 0);
    execvpe(arguments[0], arguments.data(), environment.data());
    const int error = errno;
    [[maybe_unused]] const ssize_t written = write(failure, &error, sizeof error);
  }
  _exit(127);
}

class Lines {
 public:
  explicit Lines(const std::function<void(std::string_view)>& on_line) : on_line_(on_line) {}

  void add(std::string_view bytes) {
    while (!bytes.empty()) {
      const std::size_t end = bytes.find('\n');
      pending_ += bytes.substr(0, end);
      if (end == std::string_view::npos) return;
      on_line_(pending_);
      pending_.clear();
      bytes.remove_prefix(end + 1);
    }
  }

 private:
  const std::function<void(std::string_view)>& on_line_;
  std::string pending_;
};

// Reads what there is; false at the end of the pipe.
bool drain(int fd, Lines& lines) {
  std::array<char, 1 << 16> buffer{};
  while (true) {
    const ssize_t got = read(fd, buffer.data(), buffer.size());
    if (got > 0) {
      lines.add({buffer.data(), static_cast<std::size_t>(got)});
    } else if (got == 0) {
      return false;
    } else if (errno != EINTR) {
      return errno == EAGAIN;
    }
  }
}

std::optional<ProcessEnd> wait_for(pid_t child, int options) {
  int status = 0;
  pid_t done = 0;
  do {
    done = waitpid(child, &status, options);
  } while (done < 0 && errno == EINTR);
  if (done < 0) throw base::HostError::from_errno("wait for the script", errno);
  if (done == 0) return std::nullopt;
  return ProcessEnd{WIFEXITED(status) ? WEXITSTATUS(status) : 0, WIFSIGNALED(status) ? WTERMSIG(status) : 0};
}

// A process that the script left behind may hold the pipe open: the script's own end is what counts.
ProcessEnd follow(pid_t child, int fd, Lines& lines) {
  fcntl(fd, F_SETFL, O_NONBLOCK);
  while (true) {
    pollfd waiting{.fd = fd, .events = POLLIN, .revents = 0};
    poll(&waiting, 1, kPollMs);
    const bool open = drain(fd, lines);
    const auto end = wait_for(child, open ? WNOHANG : 0);
    if (!end) continue;
    if (open) drain(fd, lines);
    return *end;
  }
}

}  // namespace

ProcessEnd run_script(const ScriptRun& run, const std::function<void(std::string_view line)>& on_record) {
  Pipe records = make_pipe();
  Pipe failure = make_pipe();
  std::vector<std::string> command = run.command(records.write.get());
  std::vector<std::string> environment = environment_of(run);
  const std::vector<char*> arguments = pointers(command);
  const std::vector<char*> variables = pointers(environment);
  const SignalsForTheScript signals;
  const pid_t self = getpid();
  const pid_t child = fork();
  if (child < 0) throw base::HostError::from_errno("start a process", errno);
  if (child == 0) {
    signals.restore();
    become(arguments, variables, records.write.get(), failure.write.get(), run.stdout_to_stderr, self);
  }
  g_child = child;
  records.write.reset();
  failure.write.reset();
  int error = 0;
  if (read(failure.read.get(), &error, sizeof error) == static_cast<ssize_t>(sizeof error)) {
    wait_for(child, 0);
    throw base::HostError::from_errno("run " + command[0], error);
  }
  Lines lines(on_record);
  return follow(child, records.read.get(), lines);
}

}  // namespace tritonrl::apps
