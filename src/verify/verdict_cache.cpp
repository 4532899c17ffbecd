#include "verify/verdict_cache.h"

#include <fcntl.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>

#include "base/error.h"
#include "base/file.h"

namespace tritonrl::verify {
namespace {

constexpr off_t kMostBytes = off_t{16} << 20;

std::string whole_file(const std::filesystem::path& path) {
  const base::UniqueFd fd(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  const off_t size = fd ? lseek(fd.get(), 0, SEEK_END) : 0;
  if (size <= 0 || size > kMostBytes) return {};
  std::string text(static_cast<std::size_t>(size), '\0');
  if (pread(fd.get(), text.data(), text.size(), 0) != size) return {};
  return text;
}

}  // namespace

VerdictCache::VerdictCache(std::filesystem::path folder) : folder_(std::move(folder)) {
  std::error_code error;
  std::filesystem::create_directories(folder_, error);
  if (error || access(folder_.c_str(), W_OK) != 0) {
    throw base::InputError({.file = folder_.string()}, "the cache folder cannot be written",
                           "choose another with --cache DIR, or --cache none");
  }
}

std::filesystem::path VerdictCache::file(const std::string& key) const {
  return folder_ / key.substr(0, 2) / key.substr(2);
}

std::optional<base::Json> VerdictCache::find(const std::string& key) const {
  base::Json verdict = base::Json::parse(whole_file(file(key)), nullptr, false);
  if (!verdict.is_object() || verdict.value("key", "") != key) return std::nullopt;
  return std::move(verdict["verdict"]);
}

void VerdictCache::store(const std::string& key, const base::Json& verdict) const {
  static std::atomic<std::uint64_t> serial{0};
  const auto path = file(key);
  std::error_code error;
  std::filesystem::create_directories(path.parent_path(), error);
  if (error) throw base::HostError::from_errno("make the folder of the cached verdict " + path.string(), error.value());
  // A verdict may be computed again, so it need not reach the disk at once: a rename that nobody can see half done.
  const std::string draft = path.string() + "." + std::to_string(getpid()) + "." + std::to_string(serial++);
  const std::string text = base::json_line({{"key", key}, {"verdict", verdict}}) + "\n";
  const base::UniqueFd fd(open(draft.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644));
  if (!fd) throw base::HostError::from_errno("write the cached verdict " + draft, errno);
  errno = ENOSPC;  // which a short write does not say
  if (write(fd.get(), text.data(), text.size()) != static_cast<ssize_t>(text.size()) ||
      rename(draft.c_str(), path.c_str()) != 0) {
    const int why = errno;
    unlink(draft.c_str());
    throw base::HostError::from_errno("write the cached verdict " + path.string(), why);
  }
}

}  // namespace tritonrl::verify
