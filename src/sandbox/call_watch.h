#pragma once

#include <optional>
#include <string>

#include "base/file.h"

namespace tritonrl::sandbox {

// Tells which forbidden system call a guest makes. The kernel holds the guest in the call until it is killed, so a
// guest can neither hide the call nor go on.
class CallWatch {
 public:
  CallWatch();

  int guest_fd() const { return guest_.get(); }  // for GuestSetup::watch
  void close_guest_fd() { guest_.reset(); }

  int poll_fd() const { return listener_ ? listener_.get() : ours_.get(); }  // -1 when nothing can come
  // The call that the guest waits in, if any. Never blocks.
  std::optional<std::string> look();

 private:
  base::UniqueFd ours_;
  base::UniqueFd guest_;
  base::UniqueFd listener_;  // comes over `ours_` when the filter is installed
};

}  // namespace tritonrl::sandbox
