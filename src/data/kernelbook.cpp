#include "data/kernelbook.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <vector>

#include "base/error.h"
#include "base/text.h"
#include "pysource/syntax_tree.h"
#include "task/reference.h"

namespace tritonrl::data {
namespace {

using base::Json;
using pysource::kAbsentNode;
using pysource::Kind;
using pysource::NodeId;
using pysource::Op;
using pysource::SyntaxTree;

struct Edit {
  std::size_t begin = 0;
  std::size_t end = 0;
  std::string text;
};

std::string with_edits(std::string source, std::vector<Edit> edits) {
  std::ranges::sort(edits, std::greater<>(), &Edit::begin);
  for (const Edit& edit : edits) source.replace(edit.begin, edit.end - edit.begin, edit.text);
  return source;
}

std::string text_of(const Json& row, std::initializer_list<const char*> keys) {
  for (const char* key : keys) {
    const auto found = row.find(key);
    if (found == row.end() || found->is_null()) continue;
    return found->is_string() ? found->get<std::string>() : found->dump();
  }
  return {};
}

// The rewriting of one module.
class Rewriting {
 public:
  explicit Rewriting(const SyntaxTree& tree) : tree_(tree) {}

  std::variant<std::string, Problem> run(std::string_view entry) {
    entry_ = find_class(entry);
    if (entry_ == kAbsentNode) {
      return Problem{.reason = "no-entry-point", .message = fmt::format("it defines no class {}", entry)};
    }
    if (auto problem = rewrite_init_inputs()) return *std::move(problem);
    if (entry != "Model") {
      rename("Model", "ModelPart");
      rename(entry, "Model");
    }
    return with_edits(std::string(tree_.source()), std::move(edits_));
  }

 private:
  NodeId find_class(std::string_view name) const {
    NodeId found = kAbsentNode;
    for (const NodeId statement : tree_.kids(tree_.root())) {
      if (tree_.kind(statement) == Kind::kClassDef && tree_.text(statement) == name) found = statement;
    }
    return found;
  }

  // Everywhere that the name stands for the class, and not for an attribute or a keyword.
  void rename(std::string_view from, std::string_view to) {
    for (NodeId node = 1; node < tree_.size(); ++node) {
      const Kind kind = tree_.kind(node);
      if ((kind != Kind::kName && kind != Kind::kClassDef) || tree_.text(node) != from) continue;
      if (inside_edit(tree_.begin(node)) && kind == Kind::kName) continue;
      std::size_t begin = tree_.begin(node);
      if (kind == Kind::kClassDef) {
        const auto decorators = tree_.kids(tree_.kid(node, 0));
        if (!decorators.empty()) begin = tree_.end(decorators.back());
        begin = tree_.source().find("class", begin);
        begin = tree_.source().find(from, begin + 5);
      }
      edits_.push_back({.begin = begin, .end = begin + from.size(), .text = std::string(to)});
    }
  }

  bool inside_edit(std::size_t at) const {
    return std::ranges::any_of(edits_, [&](const Edit& edit) { return edit.begin <= at && at < edit.end; });
  }

  NodeId returned_by(NodeId function) const {
    for (const NodeId statement : tree_.kids(tree_.kid(function, 2))) {
      if (tree_.kind(statement) == Kind::kReturn) return tree_.kid(statement, 0);
    }
    return kAbsentNode;
  }

  static Problem unreadable() {
    return {.reason = "init-inputs-unreadable",
            .message = "get_init_inputs returns no [[positional], {keyword}] that the constructor's parameters fit"};
  }

  // [[a], {"k": b}] becomes [a, b], with defaults for parameters between; what is a plain list stays.
  std::optional<Problem> rewrite_init_inputs() {
    const NodeId function = task::find_function(tree_, "get_init_inputs");
    if (function == kAbsentNode) return std::nullopt;  // the check of the task's text names what is missing
    const NodeId value = returned_by(function);
    if (value == kAbsentNode) return unreadable();
    const auto parts = tree_.kids(value);
    const bool pair = tree_.kind(value) == Kind::kListDisplay && parts.size() == 2 &&
                      tree_.kind(parts[0]) == Kind::kListDisplay && tree_.kind(parts[1]) == Kind::kDict;
    if (!pair) return std::nullopt;
    std::vector<std::string> arguments;
    for (const NodeId each : tree_.kids(parts[0])) arguments.emplace_back(tree_.source_of(each));
    if (!add_keywords(parts[1], arguments)) return unreadable();
    edits_.push_back({.begin = tree_.begin(value),
                      .end = tree_.end(value),
                      .text = fmt::format("[{}]", fmt::join(arguments, ", "))});
    return std::nullopt;
  }

  bool add_keywords(NodeId dict, std::vector<std::string>& arguments) const {
    std::map<std::string_view, std::string> given;
    for (const NodeId pair : tree_.kids(dict)) {
      if (tree_.kind(pair) != Kind::kPair || tree_.kind(tree_.kid(pair, 0)) != Kind::kString) return false;
      given.emplace(tree_.text(tree_.kid(pair, 0)), tree_.source_of(tree_.kid(pair, 1)));
    }
    if (given.empty()) return true;
    const auto parameters = constructor_parameters(entry_, 0);
    for (std::size_t n = arguments.size(); n < parameters.size() && !given.empty(); ++n) {
      const NodeId parameter = parameters[n];
      if (tree_.op(parameter) != Op::kNothing) return false;
      if (const auto found = given.find(tree_.text(parameter)); found != given.end()) {
        arguments.push_back(found->second);
        given.erase(found);
      } else if (tree_.kid(parameter, 0) != kAbsentNode) {
        arguments.emplace_back(tree_.source_of(tree_.kid(parameter, 0)));
      } else {
        return false;
      }
    }
    return given.empty();
  }

  // Without self; of the nearest class that has a constructor.
  std::vector<NodeId> constructor_parameters(NodeId type, int depth) const {
    for (const NodeId statement : tree_.kids(tree_.kid(type, 2))) {
      if (tree_.kind(statement) != Kind::kFunctionDef || tree_.text(statement) != "__init__") continue;
      const auto parameters = tree_.kids(tree_.kid(statement, 1));
      return {parameters.begin() + (parameters.empty() ? 0 : 1), parameters.end()};
    }
    for (const NodeId base : tree_.kids(tree_.kid(type, 1))) {
      const NodeId own = tree_.kind(base) == Kind::kName ? find_class(tree_.text(base)) : kAbsentNode;
      if (own != kAbsentNode && depth < 20) return constructor_parameters(own, depth + 1);
    }
    return {};
  }

  const SyntaxTree& tree_;
  NodeId entry_ = kAbsentNode;
  std::vector<Edit> edits_;
};

}  // namespace

std::variant<task::Task, Problem> task_of_kernelbook(const Json& row, const base::Place& where) {
  const std::string entry = text_of(row, {"entry_point", "module_name"});
  const std::string source = text_of(row, {"python_code"});
  if (entry.empty()) return Problem{.reason = "no-entry-point", .message = "the row names no entry_point"};
  const auto parsed = SyntaxTree::parse(source);
  if (const auto* error = std::get_if<pysource::SourceError>(&parsed)) {
    return Problem{.reason = "not-python", .message = error->message};
  }
  auto rewritten = Rewriting(std::get<SyntaxTree>(parsed)).run(entry);
  if (auto* problem = std::get_if<Problem>(&rewritten)) return std::move(*problem);
  task::Task task;
  const std::string number = text_of(row, {"uuid"});
  task.id = number.empty() ? fmt::format("kernelbook/{}", entry) : fmt::format("kernelbook/{}", number);
  task.source = std::get<std::string>(std::move(rewritten));
  task.origin = fmt::format("KernelBook {} {}", text_of(row, {"repo_name"}), entry);
  task.where = where;
  return task;
}

}  // namespace tritonrl::data
