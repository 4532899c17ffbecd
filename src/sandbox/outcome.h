#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace tritonrl::sandbox {

enum class Limit { kWall, kCpu, kMemory, kProcesses, kDisk, kOutput, kFileBytes };

std::string_view name(Limit limit);
std::optional<Limit> limit_named(std::string_view name);

struct Completed {  // the entry returned, and handed its completion token back
  friend bool operator==(const Completed&, const Completed&) = default;
};
struct Exited {  // without the token: exit(0) in mid-work is this too
  int status = 0;
  friend bool operator==(const Exited&, const Exited&) = default;
};
struct Signalled {
  int signal = 0;
  friend bool operator==(const Signalled&, const Signalled&) = default;
};
struct LimitReached {
  Limit limit = Limit::kWall;
  friend bool operator==(const LimitReached&, const LimitReached&) = default;
};
struct ForbiddenCall {
  std::string name;  // of the system call, and what was wrong with it: "mmap (executable memory)"
  friend bool operator==(const ForbiddenCall&, const ForbiddenCall&) = default;
};
struct Killed {  // by its owner, through Guest::kill
  friend bool operator==(const Killed&, const Killed&) = default;
};

using Ending = std::variant<Completed, Exited, Signalled, LimitReached, ForbiddenCall, Killed>;

struct Usage {
  double start_s = 0;  // from the request until the guest's own code ran
  double wall_s = 0;   // of the process, its preparation included
  double cpu_s = 0;
  std::uint64_t peak_rss_bytes = 0;
};

// How a guest ended. A failure of ours is none of these: that is a base::HostError.
struct Outcome {
  Ending ending;
  Usage usage;
  std::string message;               // what the guest's last exception said, for people; the guest may forge it
  std::string output;                // the first bytes of standard output and error
  std::uint64_t output_bytes = 0;    // all that was written
  std::vector<std::string> missing;  // facilities that the kernel lacked; empty under Enforcement::kRequire

  bool completed() const { return std::holds_alternative<Completed>(ending); }
  std::string text() const;  // "reached its memory limit", "made a forbidden call: socket", ...
};

}  // namespace tritonrl::sandbox
