#include "data/parquet.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <string>

#include "base/error.h"
#include "base/file.h"
#include "base/text.h"

namespace tritonrl::data {
namespace {

// What a child says on standard error, all of it.
std::string read_all(int fd) {
  std::string text;
  std::array<char, 4096> buffer{};
  for (;;) {
    const ssize_t count = ::read(fd, buffer.data(), buffer.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return text;
    text.append(buffer.data(), static_cast<std::size_t>(count));
  }
}

}  // namespace

void parquet_to_jsonl(const std::filesystem::path& python, const std::filesystem::path& harness,
                      const std::filesystem::path& parquet, const std::filesystem::path& jsonl) {
  base::open_for_reading(parquet);
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) throw base::HostError::from_errno("make a pipe", errno);
  base::UniqueFd ours(ends[0]);
  base::UniqueFd theirs(ends[1]);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, theirs.get(), STDERR_FILENO);
  std::string program = python.string();
  std::string script = (harness / "parquet_rows.py").string();
  std::string from = parquet.string();
  std::string to = jsonl.string();
  std::array<char*, 5> arguments = {program.data(), script.data(), from.data(), to.data(), nullptr};
  pid_t child = 0;
  const int failed = ::posix_spawnp(&child, program.c_str(), &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (failed != 0) throw base::HostError::from_errno("start " + program, failed);
  theirs.reset();
  const std::string said = read_all(ours.get());
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return;
  if (WIFEXITED(status) && WEXITSTATUS(status) == 2) {
    throw base::InputError({.file = from}, base::printable(base::strip(said), 400),
                           "fetch the file again, or convert it to JSONL");
  }
  throw base::HostError("the reader of Parquet files ended: " + base::printable(base::strip(said), 400));
}

}  // namespace tritonrl::data
