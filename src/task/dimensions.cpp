#include "task/dimensions.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "base/text.h"
#include "task/module_constants.h"
#include "task/reference.h"

namespace tritonrl::task {
namespace {

using base::InputError;
using pysource::kAbsentNode;
using pysource::Kind;
using pysource::NodeId;
using pysource::SyntaxTree;

std::string_view module_name(std::string_view dimension) { return dimension.substr(0, dimension.find('[')); }

// Where the dimensions of a task lie in its source.
class DimensionFinder {
 public:
  DimensionFinder(const Task& task, const SyntaxTree& tree) : task_(task), tree_(tree), constants_(tree) {
    for (const std::string_view name : kInputFunctions) {
      const NodeId function = find_function(tree, name);
      if (function != kAbsentNode) functions_.push_back({.begin = tree.begin(function), .end = tree.end(function)});
    }
  }

  const ModuleConstants& constants() const { return constants_; }

  // All expressions that hold the dimension; several only where it is no module constant.
  std::vector<Site> find(const Dimension& dimension) const {
    if (constants_.binds(module_name(dimension.name))) return {module_site(dimension)};
    std::vector<Site> sites = local_sites(dimension);
    return sites.empty() ? literal_sites(dimension) : sites;
  }

 private:
  [[noreturn]] void refuse(const std::string& problem, const std::string& advice) const {
    throw InputError(task_.where, fmt::format("task '{}': {}", base::printable(task_.id), problem), advice);
  }

  void require_value(const Dimension& dimension, const Site& site) const {
    if (site.value == dimension.value) return;
    refuse(fmt::format("dims gives {} as {}, its source as {}", dimension.name, dimension.value, site.value),
           "make them agree");
  }

  Site module_site(const Dimension& dimension) const {
    if (!constants_.is_constant(module_name(dimension.name))) {
      refuse(fmt::format("dimension {} is not a constant: more than plain assignments bind it", dimension.name),
             "bind it once, or leave it out of dims");
    }
    for (const Site& site : constants_.sites()) {
      if (site.name != dimension.name || site.overwritten) continue;
      require_value(dimension, site);
      return site;
    }
    refuse(fmt::format("dimension {} is not given by an integer constant", dimension.name),
           fmt::format("write {} = {} at module level, or leave it out of dims", module_name(dimension.name),
                       dimension.value));
  }

  // N = 4096 inside get_inputs, or def get_inputs(N=4096).
  std::vector<Site> local_sites(const Dimension& dimension) const {
    std::vector<Site> sites;
    for (const Span function : functions_) {
      constants_.each_node_in(function, [&](NodeId node) {
        NodeId value = kAbsentNode;
        if (tree_.kind(node) == Kind::kParam && tree_.text(node) == dimension.name) value = tree_.kid(node, 0);
        if (tree_.kind(node) == Kind::kAssign && tree_.kind(tree_.kid(node, 0)) == Kind::kName &&
            tree_.text(tree_.kid(node, 0)) == dimension.name) {
          value = tree_.kid(node, 1);
        }
        if (value == kAbsentNode) return;
        const auto folded = fold_integer(tree_, value, {});
        if (!folded) {
          refuse(fmt::format("dimension {} is computed in get_inputs or get_init_inputs", dimension.name),
                 fmt::format("write {} = {} at module level", dimension.name, dimension.value));
        }
        sites.push_back({.name = dimension.name,
                         .value = *folded,
                         .expression = {.begin = tree_.begin(value), .end = tree_.end(value)}});
        require_value(dimension, sites.back());
      });
    }
    return sites;
  }

  // Literals of the dimension's value, when they can mean nothing else.
  std::vector<Site> literal_sites(const Dimension& dimension) const {
    const std::string advice = fmt::format("write {} = {} at module level and use it", dimension.name, dimension.value);
    for (const Dimension& other : task_.dims) {
      if (other.name != dimension.name && other.value == dimension.value &&
          !constants_.binds(module_name(other.name))) {
        refuse(fmt::format("dimensions {} and {} are both {}, and only literals in its source", dimension.name,
                           other.name, dimension.value),
               advice);
      }
    }
    std::vector<Site> sites;
    for (const Span function : functions_) {
      const std::set<NodeId> other_uses = no_sizes(function);
      constants_.each_node_in(function, [&](NodeId node) {
        if (tree_.kind(node) != Kind::kInt || tree_.int_value(node) != dimension.value || other_uses.contains(node))
          return;
        sites.push_back({.name = dimension.name,
                         .value = dimension.value,
                         .expression = {.begin = tree_.begin(node), .end = tree_.end(node)}});
      });
    }
    if (sites.empty()) {
      refuse(fmt::format("dimension {} ({}) is in neither the module's constants nor get_inputs and get_init_inputs",
                         dimension.name, dimension.value),
             advice);
    }
    // Small numbers also count things and name axes.
    constexpr std::int64_t kSmall = 8;
    if (dimension.value < kSmall && sites.size() > 1) {
      refuse(fmt::format("dimension {} is one of {} literals {} in its source", dimension.name, sites.size(),
                         dimension.value),
             advice);
    }
    return sites;
  }

  // Integers of a function that are an axis, an index or negated.
  std::set<NodeId> no_sizes(Span function) const {
    std::set<NodeId> nodes;
    constants_.each_node_in(function, [&](NodeId node) {
      switch (tree_.kind(node)) {
        case Kind::kKeyword:
          if (tree_.text(node).find("dim") != std::string_view::npos || tree_.text(node) == "axis")
            nodes.insert(tree_.kid(node, 0));
          break;
        case Kind::kSubscript:
          nodes.insert(tree_.kid(node, 1));
          break;
        case Kind::kSlice:
        case Kind::kUnary:
          for (const NodeId kid : tree_.kids(node)) nodes.insert(kid);
          break;
        default:
          break;
      }
    });
    return nodes;
  }

  const Task& task_;
  const SyntaxTree& tree_;
  ModuleConstants constants_;
  std::vector<Span> functions_;
};

struct Edit {
  Span span;
  std::string text;
};

std::string with_edits(std::string_view source, std::vector<Edit> edits) {
  std::sort(edits.begin(), edits.end(), [](const Edit& a, const Edit& b) { return a.span.begin < b.span.begin; });
  std::string result;
  std::size_t copied = 0;
  for (const Edit& edit : edits) {
    base::check(edit.span.begin >= copied, "edits of a source must not overlap");
    result += source.substr(copied, edit.span.begin - copied);
    result += edit.text;
    copied = edit.span.end;
  }
  result += source.substr(copied);
  return result;
}

// a = b = 512 with values of its own for each name: a, b = 33, 512.
Edit split_chain(const SyntaxTree& tree, const ModuleConstants& constants, NodeId chain, const Values& values) {
  std::vector<std::string> names;
  std::vector<std::int64_t> numbers;
  Span expression;
  for (const Site& site : constants.sites()) {
    if (site.chain != chain) continue;
    const auto changed = values.find(site.name);
    names.push_back(site.name);
    numbers.push_back(changed == values.end() || site.overwritten ? site.value : changed->second);
    expression = site.expression;
  }
  if (std::all_of(numbers.begin(), numbers.end(), [&](std::int64_t number) { return number == numbers[0]; })) {
    return {.span = expression, .text = std::to_string(numbers[0])};
  }
  return {.span = {.begin = tree.begin(chain), .end = tree.end(chain)},
          .text = fmt::format("{} = {}", fmt::join(names, ", "), fmt::join(numbers, ", "))};
}

// The variant's values that differ from the task's.
Values changes_of(const Task& task, const Variant& variant) {
  std::vector<std::string> names;
  names.reserve(task.dims.size());
  for (const Dimension& dimension : task.dims) names.push_back(dimension.name);
  Values changes;
  for (const Dimension& wanted : variant) {
    const auto known = std::find(names.begin(), names.end(), wanted.name);
    if (known == names.end()) {
      const auto nearest = base::nearest_name(wanted.name, names);
      throw InputError(task.where,
                       fmt::format("task '{}': a variant names {}, which is no dimension of it",
                                   base::printable(task.id), base::printable(wanted.name)),
                       nearest         ? "did you mean " + *nearest + "?"
                       : names.empty() ? "the task has a fixed shape"
                                       : fmt::format("its dimensions are {}", fmt::join(names, ", ")));
    }
    if (task.dims[static_cast<std::size_t>(known - names.begin())].value != wanted.value)
      changes[wanted.name] = wanted.value;
  }
  return changes;
}

}  // namespace

std::vector<Dimension> find_dimensions(const SyntaxTree& reference) {
  const ModuleConstants constants(reference);
  const auto used = constants.names_inputs_use();
  std::vector<Dimension> dimensions;
  for (const Site& site : constants.sites()) {
    const std::string_view name = module_name(site.name);
    if (!site.computed && !site.overwritten && constants.is_constant(name) && used.contains(name)) {
      dimensions.push_back({.name = site.name, .value = site.value});
    }
  }
  return dimensions;
}

void check_dimensions(const Task& task, const SyntaxTree& reference) {
  const DimensionFinder finder(task, reference);
  for (const Dimension& dimension : task.dims) finder.find(dimension);
  for (const Variant& variant : task.variants) changes_of(task, variant);
}

std::string rewritten_source(const Task& task, const Variant& variant) {
  const Values changes = changes_of(task, variant);
  if (changes.empty()) return task.source;
  const SyntaxTree tree = parse_reference(task.source, task.where);
  const DimensionFinder finder(task, tree);
  std::vector<Edit> edits;
  std::set<NodeId> split;
  for (const Dimension& dimension : task.dims) {
    const auto change = changes.find(dimension.name);
    if (change == changes.end()) continue;
    for (const Site& site : finder.find(dimension)) {
      if (site.chain != kAbsentNode) {
        if (split.insert(site.chain).second)
          edits.push_back(split_chain(tree, finder.constants(), site.chain, changes));
      } else {
        const std::string number = std::to_string(change->second);
        edits.push_back({.span = site.expression, .text = change->second < 0 ? "(" + number + ")" : number});
      }
    }
  }
  return with_edits(task.source, std::move(edits));
}

}  // namespace tritonrl::task
