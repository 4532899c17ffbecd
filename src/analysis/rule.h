#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace tritonrl::analysis {

enum class Layer : std::uint8_t { kSyntax, kFunctionality };

// A rule of the static layers. docs/rules.md has a section for each, with a bad and a good example.
struct Rule {
  std::string_view id;
  Layer layer;
  bool needs_entry;           // skipped when there is no entry to follow
  std::string_view sentence;  // what the rule says, for people
};

std::span<const Rule> all_rules();

// The rule of that id; naming one that does not exist is a bug.
const Rule& rule(std::string_view id);

// Part of a verdict's provenance. Changes whenever a rule, a data table, the grammar, or the code that applies them
// does: the first digits of the digest that src/analysis/CMakeLists.txt asks for.
std::string_view rules_version();

}  // namespace tritonrl::analysis
