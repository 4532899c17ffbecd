#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/text.h"

namespace tritonrl::analysis {

enum class Severity : std::uint8_t { kSuspect, kReject };

// What a rule found, and where. A suspect does not reject: it tells the run-time layers what to probe.
struct Finding {
  std::string_view rule;  // an id of the catalogue in rule.h
  Severity severity = Severity::kReject;
  base::Position where;
  std::uint32_t length = 1;  // bytes of the source to underline, on that line
  std::string message;
};

}  // namespace tritonrl::analysis
