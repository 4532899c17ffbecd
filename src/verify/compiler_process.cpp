#include "verify/compiler_process.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <optional>
#include <vector>

#include <fmt/format.h>

#include "base/error.h"

namespace tritonrl::verify {
namespace {

using Silence = CompilerProcess::Silence;

constexpr int kControl = 3;
constexpr std::chrono::seconds kStart{120};
constexpr std::uint64_t kMostAnswer = std::uint64_t{256} << 20;

class FileActions {
 public:
  explicit FileActions(int control) {
    posix_spawn_file_actions_init(&actions_);
    posix_spawn_file_actions_addopen(&actions_, STDIN_FILENO, "/dev/null", O_RDWR, 0);
    posix_spawn_file_actions_adddup2(&actions_, STDIN_FILENO, STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions_, STDIN_FILENO, STDERR_FILENO);
    posix_spawn_file_actions_adddup2(&actions_, control, kControl);
    posix_spawn_file_actions_addchdir_np(&actions_, "/");  // "-m" would import from the user's folder
  }
  ~FileActions() { posix_spawn_file_actions_destroy(&actions_); }
  FileActions(const FileActions&) = delete;
  FileActions& operator=(const FileActions&) = delete;
  FileActions(FileActions&&) = delete;
  FileActions& operator=(FileActions&&) = delete;

  const posix_spawn_file_actions_t* get() const { return &actions_; }

 private:
  posix_spawn_file_actions_t actions_{};
};

// The process leads a group, so that what it starts can be ended with it.
class OwnGroup {
 public:
  OwnGroup() {
    posix_spawnattr_init(&attributes_);
    posix_spawnattr_setflags(&attributes_, POSIX_SPAWN_SETPGROUP);
    posix_spawnattr_setpgroup(&attributes_, 0);
  }
  ~OwnGroup() { posix_spawnattr_destroy(&attributes_); }
  OwnGroup(const OwnGroup&) = delete;
  OwnGroup& operator=(const OwnGroup&) = delete;
  OwnGroup(OwnGroup&&) = delete;
  OwnGroup& operator=(OwnGroup&&) = delete;

  const posix_spawnattr_t* get() const { return &attributes_; }

 private:
  posix_spawnattr_t attributes_{};
};

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> result(texts.size() + 1);  // ends with a null
  std::ranges::transform(texts, result.begin(), [](std::string& text) { return text.data(); });
  return result;
}

bool send_all(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t sent = send(fd, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(sent));
  }
  return true;
}

std::optional<Silence> read_all(int fd, char* into, std::size_t bytes, std::chrono::steady_clock::time_point deadline) {
  while (bytes > 0) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now()).count();
    if (left <= 0) return Silence::kTimedOut;
    pollfd waiting{.fd = fd, .events = POLLIN, .revents = 0};
    if (poll(&waiting, 1, static_cast<int>(left)) <= 0) continue;
    const ssize_t got = recv(fd, into, bytes, 0);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return Silence::kEnded;
    into += got;
    bytes -= static_cast<std::size_t>(got);
  }
  return std::nullopt;
}

}  // namespace

CompilerProcess::CompilerProcess(const CompilerConfig& config) : folder_("tritonrl-compiler") {
  std::array<int, 2> ends{};
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) {
    throw base::HostError::from_errno("make a socket for the compiler", errno);
  }
  socket_ = base::UniqueFd(ends[0]);
  // Above the number that it gets there: a descriptor that is copied onto itself would close at the exec.
  base::UniqueFd theirs(fcntl(ends[1], F_DUPFD_CLOEXEC, kControl + 1));
  close(ends[1]);
  std::vector<std::string> arguments = {config.python.string(),
                                        "-B",
                                        "-m",
                                        "tritonrl_harness.compile_server",
                                        std::to_string(config.architecture),
                                        std::to_string(config.shared_bytes),
                                        folder_.path().string()};
  std::vector<std::string> environment = {"PATH=/usr/bin:/bin", "LC_ALL=C.UTF-8", "HOME=/nonexistent",
                                          "TMPDIR=" + folder_.path().string(), "PYTHONPATH=" + config.harness.string()};
  const FileActions actions(theirs.get());
  const OwnGroup group;
  const int failed = posix_spawn(&pid_, arguments[0].c_str(), actions.get(), group.get(), pointers(arguments).data(),
                                 pointers(environment).data());
  theirs.reset();  // so that its end is seen
  if (failed != 0) {
    pid_ = 0;
    stop();
    throw base::HostError::from_errno("start the compiler with " + config.python.string(), failed);
  }
  if (!std::holds_alternative<std::string>(receive(Clock::now() + kStart))) {
    stop();
    throw base::HostError(
        fmt::format("the compiler does not start; `{} -m tritonrl_harness.compile_server {} {} /tmp/none` in {}"
                    " says why",
                    config.python.string(), config.architecture, config.shared_bytes, config.harness.string()));
  }
}

CompilerProcess::~CompilerProcess() { stop(); }

void CompilerProcess::stop() {
  socket_.reset();
  if (pid_ > 0) {
    kill(-pid_, SIGKILL);  // the assembler that it may have started too
    waitpid(pid_, nullptr, 0);
  }
}

std::variant<std::string, Silence> CompilerProcess::ask(const std::string& request, double patience_s) {
  const auto deadline =
      Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(patience_s));
  const std::uint64_t bytes = request.size();
  std::string frame(reinterpret_cast<const char*>(&bytes), sizeof bytes);
  frame += request;
  if (!send_all(socket_.get(), frame)) return Silence::kEnded;
  return receive(deadline);
}

std::variant<std::string, Silence> CompilerProcess::receive(Clock::time_point deadline) {
  std::uint64_t bytes = 0;
  if (const auto silence = read_all(socket_.get(), reinterpret_cast<char*>(&bytes), sizeof bytes, deadline)) {
    return *silence;
  }
  if (bytes > kMostAnswer) throw base::HostError("the compiler answers what makes no sense");
  std::string answer(bytes, '\0');
  if (const auto silence = read_all(socket_.get(), answer.data(), answer.size(), deadline)) return *silence;
  return answer;
}

}  // namespace tritonrl::verify
