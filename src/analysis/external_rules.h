#pragma once

#include <cstdint>
#include <string_view>

namespace tritonrl::analysis {

// What a candidate may not do with things of other modules.
struct ExternalRule {
  enum class When : std::uint8_t {
    kNever,  // an exception from a wider rule
    kUsed,   // named at all
    kCalled,
  };
  std::string_view path;  // this, and everything below it
  std::string_view rule;
  When when = When::kUsed;
  bool libraries_may = false;  // honest library code does this: only a suspicion without an entry
};

// The narrowest rule for a dotted path; null if there is none.
const ExternalRule* find_external_rule(std::string_view path);

// Modules leak through one another (logging.os, torch.ctypes): the path as if imported plainly.
std::string_view without_detour(std::string_view path);

// Functions whose answers differ from one judge to the next: memory in use, seeds, threads.
bool tells_of_process(std::string_view path);
// Attributes that say what torch was built for.
bool tells_of_build(std::string_view path);

// The rule for assigning to a dotted path.
std::string_view rule_for_assignment(std::string_view path);

// The rule for an attribute that only reflection has a use for (frames, closures...); empty if there is none.
std::string_view rule_for_attribute(std::string_view name);

}  // namespace tritonrl::analysis
