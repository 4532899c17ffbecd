#include "gpu/gate.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>

#include <cerrno>
#include <string>

#include "base/error.h"

namespace tritonrl::gpu {

Gate::Gate(int device)
    : file_(std::filesystem::temp_directory_path() / ("tritonrl-gpu" + std::to_string(device) + ".lock")) {}

Gate::Guard Gate::lock(int operation) const {
  base::UniqueFd file(open(file_.c_str(), O_RDONLY | O_CREAT | O_CLOEXEC, 0666));
  if (!file) throw base::HostError::from_errno("open " + file_.string(), errno);
  while (flock(file.get(), operation) != 0) {
    if (errno != EINTR) throw base::HostError::from_errno("lock " + file_.string(), errno);
  }
  return Guard(std::move(file));
}

Gate::Guard Gate::share() {
  std::unique_lock turn(turnstile_);
  nobody_waits_.wait(turn, [this] { return waiting_ == 0; });
  return lock(LOCK_SH);
}

Gate::Guard Gate::alone() {
  ++waiting_;
  const std::scoped_lock turn(turnstile_);
  if (--waiting_ == 0) nobody_waits_.notify_all();  // they still need the turnstile
  return lock(LOCK_EX);
}

}  // namespace tritonrl::gpu
