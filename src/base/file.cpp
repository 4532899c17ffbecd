#include "base/file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <optional>
#include <system_error>

#include "base/error.h"

namespace tritonrl::base {
namespace {

namespace fs = std::filesystem;

std::string reason(int error) { return std::generic_category().message(error); }

[[noreturn]] void refuse_to_open(const fs::path& path, int error) {
  const Place where{.file = path.string()};
  switch (error) {
    case ENOENT:
      throw InputError(where, "no such file", "check the path");
    case ENOTDIR:
      throw InputError(where, "part of the path is not a folder", "check the path");
    case EACCES:
    case EPERM:
      throw InputError(where, "cannot be read: permission denied", "check its permissions");
    case ELOOP:
      throw InputError(where, "its symbolic links lead in a circle", "repair the link");
    case ENAMETOOLONG:
      throw InputError({.file = path.string().substr(0, 80) + "..."}, "the path is too long");
    case ENXIO:
    case ENODEV:
      throw InputError(where, "not a file that can be read", "give a regular file");
    default:
      throw HostError::from_errno("open " + path.string(), error);
  }
}

[[noreturn]] void refuse_to_write(const fs::path& path, int error) {
  const Place where{.file = path.string()};
  switch (error) {
    case ENOENT:
    case ENOTDIR:
      throw InputError(where, "cannot be written: its folder does not exist", "make the folder");
    case EISDIR:
      throw InputError(where, "cannot be written: it is a folder", "give a file name");
    case EACCES:
    case EPERM:
    case EROFS:
      throw InputError(where, "cannot be written: " + reason(error), "choose another place");
    case ELOOP:
    case ENAMETOOLONG:
    case EINVAL:
      throw InputError({.file = path.string().substr(0, 200)}, "cannot be written: " + reason(error),
                       "choose another name");
    default:
      throw HostError::from_errno("write " + path.string(), error);
  }
}

int open_retrying(const fs::path& path, int flags, mode_t mode = 0) {
  int fd = -1;
  do {
    fd = ::open(path.c_str(), flags | O_CLOEXEC, mode);
  } while (fd < 0 && errno == EINTR);
  return fd;
}

}  // namespace

void write_all(int fd, std::string_view content, const fs::path& path) {
  while (!content.empty()) {
    const ssize_t written = ::write(fd, content.data(), content.size());
    if (written < 0) {
      if (errno == EINTR) {
        continue;
      }
      refuse_to_write(path, errno);
    }
    content.remove_prefix(static_cast<std::size_t>(written));
  }
}

namespace {

// Where `path` leads when it is a symbolic link, also to nothing; rename() would replace the link itself.
fs::path end_of_links(const fs::path& path) {
  fs::path target = path;
  for (int hops = 0; hops < 40; ++hops) {
    std::error_code failure;
    const fs::path next = fs::read_symlink(target, failure);
    if (failure) return target;  // no link
    target = next.is_absolute() ? next : target.parent_path() / next;
  }
  refuse_to_write(path, ELOOP);
}

// A new file beside the target that vanishes unless renamed over it.
class Draft {
 public:
  explicit Draft(const fs::path& target) : target_(target) {
    static std::atomic<unsigned> counter{0};
    do {
      path_ = target.parent_path() / ("." + target.filename().string().substr(0, 100) + "." +
                                      std::to_string(::getpid()) + "." + std::to_string(counter++) + ".tmp");
      fd_.reset(open_retrying(path_, O_WRONLY | O_CREAT | O_EXCL, 0666));
    } while (!fd_ && errno == EEXIST);
    if (!fd_) {
      path_.clear();
      refuse_to_write(target, errno);
    }
  }
  ~Draft() {
    if (!path_.empty()) {
      ::unlink(path_.c_str());
    }
  }
  Draft(const Draft&) = delete;
  Draft& operator=(const Draft&) = delete;

  void fill(const PieceWriter& content, std::optional<mode_t> mode) {
    if (mode && ::fchmod(fd_.get(), *mode) != 0) {
      refuse_to_write(target_, errno);
    }
    content([this](std::string_view piece) { write_all(fd_.get(), piece, target_); });
    if (::fsync(fd_.get()) != 0) {
      refuse_to_write(target_, errno);
    }
    // Some file systems report a lost write only here.
    if (::close(fd_.release()) != 0) {
      refuse_to_write(target_, errno);
    }
  }

  void become_target() {
    if (::rename(path_.c_str(), target_.c_str()) != 0) {
      refuse_to_write(target_, errno);
    }
    path_.clear();
  }

 private:
  fs::path target_;
  fs::path path_;
  UniqueFd fd_;
};

// Makes the rename itself survive a power cut.
void sync_folder(const fs::path& folder) {
  const UniqueFd fd(open_retrying(folder.empty() ? "." : folder, O_RDONLY | O_DIRECTORY));
  if (!fd) {
    return;  // a folder that may be written but not read; nothing more can be done
  }
  if (::fsync(fd.get()) != 0 && errno != EINVAL) {
    throw HostError::from_errno("sync " + folder.string(), errno);
  }
}

}  // namespace

void UniqueFd::reset(int fd) {
  if (fd_ >= 0 && fd_ != fd) {
    ::close(fd_);
  }
  fd_ = fd;
}

UniqueFd open_for_reading(const fs::path& path) {
  UniqueFd fd(open_retrying(path, O_RDONLY));
  if (!fd) {
    refuse_to_open(path, errno);
  }
  struct stat status{};
  if (::fstat(fd.get(), &status) != 0) {
    throw HostError::from_errno("examine " + path.string(), errno);
  }
  if (S_ISDIR(status.st_mode)) {
    throw InputError({.file = path.string()}, "is a folder where a file was expected", "give a file in it");
  }
  return fd;
}

std::size_t read_some(int fd, char* buffer, std::size_t size, const fs::path& path) {
  std::size_t filled = 0;
  while (filled < size) {
    const ssize_t count = ::read(fd, buffer + filled, size - filled);
    if (count < 0) {
      if (errno == EINTR) {
        continue;
      }
      throw HostError::from_errno("read " + path.string(), errno);
    }
    if (count == 0) {
      break;
    }
    filled += static_cast<std::size_t>(count);
  }
  return filled;
}

std::string read_file(const fs::path& path, std::size_t max_bytes) {
  const UniqueFd fd = open_for_reading(path);
  struct stat status{};
  if (::fstat(fd.get(), &status) != 0) {
    throw HostError::from_errno("examine " + path.string(), errno);
  }
  const auto refuse_size = [&](const std::string& found) {
    throw InputError({.file = path.string()},
                     found + ", more than the limit of " + std::to_string(max_bytes) + " bytes", "give a smaller file");
  };
  const auto said_size = S_ISREG(status.st_mode) ? static_cast<std::size_t>(std::max<off_t>(0, status.st_size)) : 0;
  if (said_size > max_bytes) {
    refuse_size("holds " + std::to_string(said_size) + " bytes");
  }
  // The size is only a hint: /proc files say 0, and a file may grow while it is read.
  std::string content;
  std::size_t filled = 0;
  std::size_t chunk = said_size + 1;
  while (filled <= max_bytes) {
    content.resize(std::min(filled + std::max<std::size_t>(chunk, 4096), max_bytes + 1));
    const std::size_t wanted = content.size() - filled;
    const std::size_t count = read_some(fd.get(), content.data() + filled, wanted, path);
    filled += count;
    if (count < wanted) {
      content.resize(filled);
      return content;
    }
    chunk = filled;
  }
  refuse_size("holds more than it should");
  bug("unreachable");
}

void write_file_atomically(const fs::path& path, std::string_view content) {
  write_file_atomically(path, [content](const PieceSink& sink) { sink(content); });
}

void write_file_atomically(const fs::path& path, const PieceWriter& content) {
  struct stat status{};
  const bool exists = ::stat(path.c_str(), &status) == 0;
  if (path.empty() || path.filename().empty()) {
    refuse_to_write(path, exists ? EISDIR : ENOENT);
  }
  if (exists && S_ISDIR(status.st_mode)) {
    refuse_to_write(path, EISDIR);
  }
  if (exists && !S_ISREG(status.st_mode)) {
    const UniqueFd fd(open_retrying(path, O_WRONLY));
    if (!fd) {
      refuse_to_write(path, errno);
    }
    content([&](std::string_view piece) { write_all(fd.get(), piece, path); });
    return;
  }
  const fs::path target = end_of_links(path);
  Draft draft(target);
  draft.fill(content, exists ? std::optional<mode_t>(status.st_mode & 07777) : std::nullopt);
  draft.become_target();
  sync_folder(target.parent_path());
}

}  // namespace tritonrl::base
