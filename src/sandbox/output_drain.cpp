#include "sandbox/output_drain.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>

#include "base/error.h"

namespace tritonrl::sandbox {
namespace {

constexpr std::size_t kKeptBytes = 16384;
constexpr int kMostReads = 64;  // then others get their turn

}  // namespace

OutputDrain::OutputDrain() {
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) throw base::HostError::from_errno("make a pipe", errno);
  read_.reset(ends[0]);
  write_.reset(ends[1]);
  fcntl(read_.get(), F_SETFL, O_NONBLOCK);
}

bool OutputDrain::drain() {
  std::array<char, 1 << 16> buffer;  // NOLINT(cppcoreguidelines-pro-type-member-init): read() fills it
  bool any = false;
  for (int reads = 0; reads < kMostReads && read_; ++reads) {
    const ssize_t got = read(read_.get(), buffer.data(), buffer.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0 && errno == EAGAIN) break;
    if (got <= 0) {
      read_.reset();  // a closed pipe would wake every poll
      break;
    }
    any = true;
    bytes_ += static_cast<std::uint64_t>(got);
    text_.append(buffer.data(), std::min(static_cast<std::size_t>(got), kKeptBytes - text_.size()));
  }
  return any;
}

}  // namespace tritonrl::sandbox
