#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "pysource/syntax_tree.h"

namespace tritonrl::task {

// The functions of a reference that make its inputs.
inline constexpr std::string_view kInputFunctions[] = {"get_inputs", "get_init_inputs"};

using Values = std::map<std::string, std::int64_t, std::less<>>;

// The value of an integer expression over literals and the names in `values`, where that can be told.
std::optional<std::int64_t> fold_integer(const pysource::SyntaxTree& tree, pysource::NodeId node, const Values& values);

struct Span {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
};

// An expression that gives a name its integer value, and may be replaced by another.
struct Site {
  std::string name;  // "N", or "shape[0]" for an item of shape = (16, 32)
  std::int64_t value = 0;
  Span expression;
  bool computed = false;                           // from other constants
  bool overwritten = false;                        // a later assignment binds the name again
  pysource::NodeId chain = pysource::kAbsentNode;  // the statement a = b = 512, whose names share the expression
};

// What a module binds at its top level, and the integer constants among it. Refers to the tree.
class ModuleConstants {
 public:
  explicit ModuleConstants(const pysource::SyntaxTree& tree);

  // In the order of the source.
  const std::vector<Site>& sites() const { return sites_; }
  bool binds(std::string_view name) const { return bindings_.contains(name); }
  // Bound by plain assignments at the top level only, so that the last of them holds.
  bool is_constant(std::string_view name) const;
  // Names that get_inputs and get_init_inputs depend on, through constants and helpers too.
  std::set<std::string_view> names_inputs_use() const;
  // Nodes that begin in `span`, in the order of the source.
  void each_node_in(Span span, const std::function<void(pysource::NodeId)>& visit) const;

 private:
  std::set<std::string_view> free_names(Span span) const;
  void count_bindings();
  void bind(std::string_view name, Span definition);
  void bind_targets(pysource::NodeId target, Span definition);
  void forget(pysource::NodeId target);
  void read_assignment(pysource::NodeId assignment);
  void add_site(std::string name, pysource::NodeId expression, pysource::NodeId chain);

  const pysource::SyntaxTree& tree_;
  std::vector<pysource::NodeId> by_begin_;
  std::map<std::string_view, int, std::less<>> bindings_;
  std::map<std::string_view, int, std::less<>> plain_bindings_;
  std::map<std::string_view, std::vector<std::size_t>, std::less<>> sites_of_;  // by the name that is bound
  std::map<std::string_view, std::vector<Span>, std::less<>> definitions_;      // what to read to see what a name uses
  Values values_;
  std::vector<Site> sites_;
};

}  // namespace tritonrl::task
