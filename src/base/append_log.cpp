#include "base/append_log.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <string>

#include "base/error.h"

namespace tritonrl::base {
namespace {

UniqueFd open_alone(const std::filesystem::path& path) {
  UniqueFd fd(::open(path.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0644));
  if (!fd) {
    throw InputError({.file = path.string()}, "cannot be written: " + std::string(std::strerror(errno)),
                     "choose another place with --out");
  }
  if (::flock(fd.get(), LOCK_EX | LOCK_NB) != 0) {
    throw InputError({.file = path.string()}, "another process is at work on it", "wait for it, or end it");
  }
  return fd;
}

// The file ends after its last whole line.
void drop_torn_line(int fd, const std::filesystem::path& path) {
  off_t end = ::lseek(fd, 0, SEEK_END);
  constexpr off_t kBlock = 1 << 16;
  std::string block;
  while (end > 0) {
    const off_t begin = end > kBlock ? end - kBlock : 0;
    block.resize(static_cast<std::size_t>(end - begin));
    if (::pread(fd, block.data(), block.size(), begin) != end - begin) {
      throw HostError::from_errno("read " + path.string(), errno);
    }
    const std::size_t last = block.rfind('\n');
    end = last == std::string::npos ? begin : begin + static_cast<off_t>(last) + 1;
    if (last != std::string::npos) break;
  }
  if (::ftruncate(fd, end) != 0) throw HostError::from_errno("shorten " + path.string(), errno);
}

}  // namespace

AppendLog::AppendLog(std::filesystem::path path, const std::function<void(const Json& row)>& tell)
    : path_(std::move(path)), fd_(open_alone(path_)) {
  drop_torn_line(fd_.get(), path_);
  JsonLines rows(path_, std::size_t{64} << 20);
  while (const auto row = rows.next()) tell(row->value);
}

void AppendLog::add(const Json& row) {
  const std::string line = json_line(row) + '\n';
  const std::scoped_lock lock(mutex_);
  write_all(fd_.get(), line, path_);
}

void AppendLog::remove() {
  std::error_code ignored;
  std::filesystem::remove(path_, ignored);
}

}  // namespace tritonrl::base
