#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <mutex>
#include <optional>

#include "base/file.h"
#include "base/temporary_folder.h"
#include "sandbox/call_watch.h"
#include "sandbox/guest_end.h"
#include "sandbox/output_drain.h"
#include "sandbox/policy.h"
#include "sandbox/status_page.h"

namespace tritonrl::sandbox {

using Clock = std::chrono::steady_clock;

// A guest of a fork server, shared by its owner and the server's thread. `mutex` guards what is below it.
struct GuestState {
  GuestState(std::uint64_t number, Policy given) : id(number), policy(std::move(given)) {}

  // Sends SIGKILL; false when the guest has no process yet, or none any more.
  bool send_kill() const;
  void kill_by_owner();
  void fail(std::exception_ptr reason);

  const std::uint64_t id;
  const Policy policy;
  const Clock::time_point requested = Clock::now();
  std::optional<base::TemporaryFolder> folder;  // for its files, where it gets no root of its own
  StatusPage page;
  OutputDrain drain;  // of the server's thread
  CallWatch watch;    // likewise

  std::mutex mutex;
  std::condition_variable changed;
  base::UniqueFd pidfd;
  pid_t pid = 0;
  GuestEnd end;
  std::optional<Outcome> outcome;
  std::exception_ptr failure;

  bool is_over() const { return outcome.has_value() || failure != nullptr; }
};

}  // namespace tritonrl::sandbox
