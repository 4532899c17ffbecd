#pragma once

#include <sched.h>
#include <sys/types.h>

#include <deque>
#include <memory>
#include <string>

#include "base/file.h"
#include "base/temporary_folder.h"
#include "sandbox/fork_server.h"

namespace tritonrl::sandbox {

// The fork server's process, in namespaces of its own. It dies with the thread that started it, and its guests with it.
struct ServerProcess {
  pid_t pid = 0;
  base::UniqueFd control;                         // a socket of packets: JSON, and descriptors beside it
  base::UniqueFd words;                           // its standard error, non-blocking
  int namespaces = 0;                             // flags of clone(2) that it is in
  bool own_id = false;                            // guests get a user id of their own
  std::unique_ptr<base::TemporaryFolder> folder;  // for its files, where it cannot mount one

  // Guests get a root of their own.
  bool private_roots() const {
    constexpr int kNeeded = CLONE_NEWUSER | CLONE_NEWNS;
    return (namespaces & kNeeded) == kNeeded;
  }
};

ServerProcess start_server_process(const ForkServerConfig& config);

}  // namespace tritonrl::sandbox
