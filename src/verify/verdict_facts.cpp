#include "verify/verdict_facts.h"

#include <algorithm>

#include "base/error.h"

namespace tritonrl::verify {
namespace {

using base::Json;

bool is_true(const Json& verdict, const char* key) {
  const auto found = verdict.find(key);
  return found != verdict.end() && found->is_boolean() && found->get<bool>();
}

// `valid` is null where a layer that it needs did not run.
bool valid_so_far(const Json& verdict) {
  const auto valid = verdict.find("valid");
  if (valid != verdict.end() && valid->is_boolean()) return valid->get<bool>();
  const auto layers = verdict.find("layers");
  return layers != verdict.end() && layers->is_array() && std::ranges::any_of(*layers, [](const Json& layer) {
           return layer.value("name", "") == "functionality" && layer.value("passed", false);
         });
}

}  // namespace

VerdictFacts read_facts(const Json& verdict, const base::Place& where) {
  if (!verdict.is_object() || !verdict.contains("accepted")) {
    throw base::InputError(where, "is no verdict", "a machine's failure says nothing of a candidate: judge it again");
  }
  VerdictFacts facts{.valid = valid_so_far(verdict),
                     .compiled = is_true(verdict, "compiled"),
                     .accepted = is_true(verdict, "accepted"),
                     .right_results = is_true(verdict, "compiled") && is_true(verdict, "correct"),
                     .general = is_true(verdict, "general")};
  if (const auto reason = verdict.find("reason"); reason != verdict.end() && reason->is_string()) {
    facts.reason = reason->get<std::string>();
  }
  const auto speedup = verdict.find("speedup");
  if ((facts.accepted || facts.right_results) && speedup != verdict.end() && speedup->is_object()) {
    facts.speedup = speedup->value("value", 0.0);
    facts.speedup_low = speedup->value("low", facts.speedup);
    facts.speedup_high = speedup->value("high", facts.speedup);
  }
  return facts;
}

}  // namespace tritonrl::verify
