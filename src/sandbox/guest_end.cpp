#include "sandbox/guest_end.h"

#include <fmt/format.h>
#include <signal.h>
#include <sys/wait.h>

#include <fstream>
#include <utility>

#include "base/error.h"
#include "base/text.h"

namespace tritonrl::sandbox {
namespace {

// A SIGKILL that nobody here sent. The kernel's for CPU time, to a guest that blocks SIGXCPU, is told from the kernel's
// for lack of memory by its own count. Usage tells nothing: the limit goes by ticks of the clock, and usage by what
// ran.
bool cpu_limit_can_be_why(const GuestEnd& end, const Limits& limits) {
  return out_of_memory_kills() == end.out_of_memory_kills_before &&
         end.usage.wall_s * static_cast<double>(limits.threads + 1) >= limits.cpu_s;
}

void require_entered(const GuestEnd& end, const SetupRecord& setup) {
  if (setup.failed != 0) throw base::HostError("cannot confine a guest: " + get_text(setup.error), base::Retry::kYes);
  if (setup.entered_ns != 0) return;
  const int status = end.wait_status;
  throw base::HostError(
      fmt::format("a guest's process ended before it was confined ({} {})", WIFSIGNALED(status) ? "signal" : "status",
                  WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status)),
      base::Retry::kYes);
}

Ending ending_of_signal(int signal, const GuestEnd& end, const GuestRecord& guest, const Policy& policy) {
  switch (signal) {
    case SIGSYS:
      return ForbiddenCall{"of another architecture"};  // the one kind that the filter itself ends
    case SIGXFSZ:
      return LimitReached{Limit::kFileBytes};
    case SIGXCPU:
      return LimitReached{Limit::kCpu};
    case SIGKILL:
      if (cpu_limit_can_be_why(end, policy.limits())) return LimitReached{Limit::kCpu};
      // Not we, and not itself: process 1 of a namespace cannot.
      throw base::HostError("a guest was killed from outside; is the machine out of memory?", base::Retry::kYes);
    default:
      break;
  }
  if (guest.limit > 0 && guest.limit <= static_cast<int>(Limit::kFileBytes) + 1)
    return LimitReached{static_cast<Limit>(guest.limit - 1)};
  // abort() by the first process of a namespace.
  if (signal == SIGSEGV && guest.aborted != 0) return Signalled{SIGABRT};
  return Signalled{signal};
}

Ending ending_of(const GuestEnd& end, const StatusPage& page, const Policy& policy) {
  if (end.killed) return Killed{};
  if (end.forbidden_call) return ForbiddenCall{*end.forbidden_call};
  if (end.output_exceeded) return LimitReached{Limit::kOutput};
  if (end.memory_exceeded) return LimitReached{Limit::kMemory};
  const GuestRecord& guest = page.guest();
  if (end.wait_status == 0 && page.completed()) return Completed{};
  if (end.wall_reached) return LimitReached{Limit::kWall};
  if (WIFSIGNALED(end.wait_status)) return ending_of_signal(WTERMSIG(end.wait_status), end, guest, policy);
  if (guest.limit > 0 && guest.limit <= static_cast<int>(Limit::kFileBytes) + 1)
    return LimitReached{static_cast<Limit>(guest.limit - 1)};
  return Exited{WEXITSTATUS(end.wait_status)};
}

}  // namespace

std::uint64_t out_of_memory_kills() {
  std::ifstream file("/proc/vmstat");
  for (std::string word; file >> word;) {
    std::uint64_t count = 0;
    if (word == "oom_kill" && file >> count) return count;
  }
  return 0;
}

Outcome judge(GuestEnd end, const StatusPage& page, const Policy& policy) {
  if (!end.killed) require_entered(end, page.setup());
  Outcome outcome;
  outcome.ending = ending_of(end, page, policy);
  outcome.usage = end.usage;
  outcome.message = get_text(page.guest().message);
  outcome.output = std::move(end.output);
  outcome.output_bytes = end.output_bytes;
  const std::string missing = get_text(page.setup().missing);
  for (const std::string_view name : base::split(missing, '\n'))
    if (!name.empty()) outcome.missing.emplace_back(name);
  return outcome;
}

}  // namespace tritonrl::sandbox
