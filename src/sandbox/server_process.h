#pragma once

#include <sys/types.h>

#include <deque>
#include <string>

#include "base/file.h"
#include "sandbox/fork_server.h"

namespace tritonrl::sandbox {

// The fork server's process, in namespaces of its own. It dies with the thread that started it, and its guests with it.
struct ServerProcess {
  pid_t pid = 0;
  base::UniqueFd control;  // a socket of packets: JSON, and descriptors beside it
  base::UniqueFd words;    // its standard error, non-blocking
  int namespaces = 0;      // flags of clone(2) that it is in
  bool own_id = false;     // guests get a user id of their own
};

ServerProcess start_server_process(const ForkServerConfig& config);

}  // namespace tritonrl::sandbox
