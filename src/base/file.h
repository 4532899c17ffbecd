#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <utility>

namespace tritonrl::base {

// Owns a file descriptor.
class UniqueFd {
 public:
  UniqueFd() = default;
  explicit UniqueFd(int fd) : fd_(fd) {}
  ~UniqueFd() { reset(); }
  UniqueFd(UniqueFd&& other) noexcept : fd_(other.release()) {}
  UniqueFd& operator=(UniqueFd&& other) noexcept {
    reset(other.release());
    return *this;
  }

  int get() const { return fd_; }
  explicit operator bool() const { return fd_ >= 0; }
  int release() { return std::exchange(fd_, -1); }
  void reset(int fd = -1);

 private:
  int fd_ = -1;
};

inline constexpr std::size_t kDefaultMaxFileBytes = std::size_t{64} << 20;

// Opens for reading. InputError when `path` is missing, a folder or not readable.
UniqueFd open_for_reading(const std::filesystem::path& path);

// Fills `buffer` as far as the file goes; returns the bytes read, fewer only at its end.
std::size_t read_some(int fd, char* buffer, std::size_t size, const std::filesystem::path& path);

// Writes all of `content` to the open file that errors call `path`: a full or broken disk is a HostError.
void write_all(int fd, std::string_view content, const std::filesystem::path& path);

// The whole content. More than `max_bytes` is an InputError, found before a large file is read;
// pipes and devices are read no further than the limit.
std::string read_file(const std::filesystem::path& path, std::size_t max_bytes = kDefaultMaxFileBytes);

// After return `path` durably holds `content`; a crash or an error before that leaves what was
// there. Follows a symbolic link, keeps an existing file's mode. A path that cannot be written is
// an InputError, a full or broken disk a HostError. Pipes and devices are written in place.
void write_file_atomically(const std::filesystem::path& path, std::string_view content);

// The same for content that is too large for memory: `content` hands its pieces to the sink, in order.
using PieceSink = std::function<void(std::string_view)>;
using PieceWriter = std::function<void(const PieceSink&)>;
void write_file_atomically(const std::filesystem::path& path, const PieceWriter& content);

}  // namespace tritonrl::base
