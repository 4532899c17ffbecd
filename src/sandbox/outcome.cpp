#include "sandbox/outcome.h"

#include <fmt/format.h>
#include <string.h>

#include <array>
#include <utility>

namespace tritonrl::sandbox {
namespace {

constexpr std::array<std::pair<Limit, std::string_view>, 7> kNames = {{{Limit::kWall, "wall"},
                                                                       {Limit::kCpu, "cpu"},
                                                                       {Limit::kMemory, "memory"},
                                                                       {Limit::kProcesses, "processes"},
                                                                       {Limit::kDisk, "disk"},
                                                                       {Limit::kOutput, "output"},
                                                                       {Limit::kFileBytes, "file_bytes"}}};

struct Describe {
  std::string operator()(const Completed&) const { return "completed"; }
  std::string operator()(const Exited& end) const {
    return fmt::format("exited with status {} before it was done", end.status);
  }
  std::string operator()(const Signalled& end) const {
    const char* abbreviation = sigabbrev_np(end.signal);
    return fmt::format("was ended by signal {} ({})", end.signal, abbreviation == nullptr ? "?" : abbreviation);
  }
  std::string operator()(const LimitReached& end) const { return fmt::format("reached its {} limit", name(end.limit)); }
  std::string operator()(const ForbiddenCall& end) const { return "made a forbidden call: " + end.name; }
  std::string operator()(const Killed&) const { return "was stopped"; }
};

}  // namespace

std::string_view name(Limit limit) {
  for (const auto& [value, word] : kNames)
    if (value == limit) return word;
  return "?";
}

std::optional<Limit> limit_named(std::string_view name) {
  for (const auto& [value, word] : kNames)
    if (word == name) return value;
  return std::nullopt;
}

std::string Outcome::text() const { return std::visit(Describe{}, ending); }

}  // namespace tritonrl::sandbox
