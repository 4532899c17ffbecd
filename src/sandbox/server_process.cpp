#include "sandbox/server_process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdint>
#include <utility>

#include "base/error.h"
#include "sandbox/mounts.h"
#include "sandbox/namespaces.h"

namespace tritonrl::sandbox {
namespace {

constexpr int kControlFd = 3;

struct Pair {
  base::UniqueFd ours;
  base::UniqueFd theirs;
};

Pair make_socket_pair() {
  std::array<int, 2> ends{};
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends.data()) != 0)
    throw base::HostError::from_errno("make a socket pair", errno);
  return {base::UniqueFd(ends[0]), base::UniqueFd(ends[1])};
}

Pair make_pipe_from_child() {
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) throw base::HostError::from_errno("make a pipe", errno);
  return {base::UniqueFd(ends[0]), base::UniqueFd(ends[1])};
}

// Nothing of the program's own environment: what is in it may be secret.
std::vector<std::string> environment_of(const ForkServerConfig& config, const std::string& folder) {
  std::string import_from = config.harness.string();
  for (const auto& path : config.import_from) import_from = fmt::format("{}:{}", import_from, path.string());
  Environment result = guest_environment(Policy::deny_all(), folder);
  result.merge(Environment{{"PYTHONPATH", import_from}, {"PYTHONUNBUFFERED", "1"}});
  for (const auto& [name, value] : config.environment) result[name] = value;
  std::vector<std::string> entries;
  for (const auto& [name, value] : result) entries.push_back(fmt::format("{}={}", name, value));
  return entries;
}

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> result;
  result.reserve(texts.size() + 1);
  for (std::string& text : texts) result.push_back(text.data());
  result.push_back(nullptr);
  return result;
}

struct Exec {
  std::vector<char*> arguments;
  std::vector<char*> environment;
  int control;
  int words;
  int go;       // a byte comes when the ids are mapped
  int go_ours;  // its other end, which this copy of the program must not keep open
};

// Between clone and exec in a program with threads: system calls only, nothing that allocates.
[[noreturn]] void become_server(const Exec& exec) {
  // A program that is killed from here on takes this process with it; one that was killed before leaves an empty pipe.
  prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
  setsid();  // Ctrl-C is for the program, which may have reason to finish what is under way
  close(exec.go_ours);
  char byte = 0;
  if (read(exec.go, &byte, 1) == 1 && chdir("/") == 0) {
    const int null = open("/dev/null", O_RDWR | O_CLOEXEC);
    // Above the numbers that are about to be taken.
    const int control = fcntl(exec.control, F_DUPFD_CLOEXEC, 16);
    const int words = fcntl(exec.words, F_DUPFD_CLOEXEC, 16);
    if (null < 0 || control < 0 || words < 0) _exit(127);
    dup2(null, STDIN_FILENO);
    dup2(words, STDOUT_FILENO);
    dup2(words, STDERR_FILENO);
    dup2(control, kControlFd);
    syscall(SYS_close_range, kControlFd + 1, ~0U, 0);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, nullptr);
    execve(exec.arguments[0], exec.arguments.data(), exec.environment.data());
    constexpr char kMessage[] = "cannot run the Python interpreter\n";
    [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, kMessage, sizeof kMessage - 1);
  }
  _exit(127);
}

// As fork(), into new namespaces.
pid_t clone_process(int namespaces) {
  return static_cast<pid_t>(
      syscall(SYS_clone, static_cast<unsigned long>(namespaces | SIGCHLD), nullptr, nullptr, nullptr, nullptr));
}

}  // namespace

ServerProcess start_server_process(const ForkServerConfig& config) {
  require_facilities(config.machine, config.enforcement);
  Pair control = make_socket_pair();
  Pair words = make_pipe_from_child();
  Pair go = make_pipe_from_child();
  std::vector<std::string> argument_texts = {config.python.string(), "-B", "-m", "tritonrl_harness.fork_server"};
  ServerProcess server;
  server.namespaces = config.machine.namespaces;
  if (!server.private_roots()) server.folder = std::make_unique<base::TemporaryFolder>("tritonrl-server");
  std::vector<std::string> environment_texts =
      environment_of(config, server.folder ? server.folder->path().string() : kGuestTmp);
  const Exec exec = {.arguments = pointers(argument_texts),
                     .environment = pointers(environment_texts),
                     .control = control.theirs.get(),
                     .words = words.theirs.get(),
                     .go = go.ours.get(),
                     .go_ours = go.theirs.get()};
  server.pid = clone_process(server.namespaces);
  if (server.pid < 0) throw base::HostError::from_errno("start the fork server", errno);
  if (server.pid == 0) become_server(exec);
  try {
    if ((server.namespaces & CLONE_NEWUSER) != 0) server.own_id = write_id_maps(server.pid);
    if (write(go.theirs.get(), "", 1) != 1) throw base::HostError::from_errno("start the fork server", errno);
  } catch (...) {
    ::kill(server.pid, SIGKILL);
    waitpid(server.pid, nullptr, 0);
    throw;
  }
  server.control = std::move(control.ours);
  server.words = std::move(words.ours);
  fcntl(server.words.get(), F_SETFL, O_NONBLOCK);
  return server;
}

}  // namespace tritonrl::sandbox
