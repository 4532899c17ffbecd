#pragma once

#include <compare>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "analysis/finding.h"
#include "analysis/value.h"
#include "pysource/syntax_tree.h"

namespace tritonrl::analysis {

// What a @triton.jit function does with memory, seen from its parameters.
struct KernelSummary {
  struct Use {
    std::string_view rule;
    Severity severity;
    pysource::NodeId node;
    std::string message;
  };
  Named<bool> stored;  // by parameter: something is stored through it
  bool stores = false;
  bool stores_through_unknown = false;     // any argument may be written
  bool depends_on_loads = false;           // of some store: its value, its address, or whether it happens
  bool only_copies = true;                 // every store writes a loaded value unchanged
  std::vector<std::string_view> counters;  // parameters through which it only counts, and goes by the count
  std::vector<Use> uses;                   // findings inside the body
  std::vector<pysource::NodeId> called;    // definitions of other jit functions that it calls
};

// Launch arguments whose value is known: they decide `if` on a constexpr parameter.
struct KnownArgument {
  std::string_view parameter;
  std::optional<std::int64_t> integer;
  std::string_view path;  // of something external, such as tl.float16
  friend auto operator<=>(const KnownArgument&, const KnownArgument&) = default;
};
using KnownArguments = std::vector<KnownArgument>;

// Resolves a global name that a kernel uses; null if nothing defines it.
using ResolveName = std::function<Value*(std::string_view name)>;

KernelSummary summarize_kernel(const pysource::SyntaxTree& tree, pysource::NodeId definition,
                               const ResolveName& resolve, const KnownArguments& known);

}  // namespace tritonrl::analysis
