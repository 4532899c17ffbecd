#include "task/reference.h"

#include <fmt/format.h>

#include <string>
#include <utility>
#include <vector>

#include "base/text.h"

namespace tritonrl::task {
namespace {

using base::InputError;
using base::Place;
using pysource::kAbsentNode;
using pysource::Kind;
using pysource::NodeId;
using pysource::Op;
using pysource::SyntaxTree;

// The last definition of `name` by class or def in `block`, also inside its if, try and with statements.
NodeId find_definition(const SyntaxTree& tree, NodeId block, Kind kind, std::string_view name) {
  NodeId found = kAbsentNode;
  // A list of work instead of recursion: an elif chain nests as deep as it is long.
  std::vector<NodeId> blocks = {block};
  while (!blocks.empty()) {
    const NodeId next = blocks.back();
    blocks.pop_back();
    for (const NodeId statement : tree.kids(next)) {
      switch (tree.kind(statement)) {
        case Kind::kFunctionDef:
        case Kind::kClassDef:
          if (tree.kind(statement) == kind && tree.text(statement) == name &&
              (found == kAbsentNode || tree.begin(statement) > tree.begin(found))) {
            found = statement;
          }
          break;
        case Kind::kBlock:
        case Kind::kIf:
        case Kind::kTry:
        case Kind::kWith:
        case Kind::kList:
        case Kind::kHandler:
          blocks.push_back(statement);
          break;
        default:
          break;
      }
    }
  }
  return found;
}

bool is_assigned(const SyntaxTree& tree, std::string_view name) {
  for (const NodeId statement : tree.kids(tree.root())) {
    if (tree.kind(statement) != Kind::kAssign) continue;
    const NodeId target = tree.kid(statement, 0);
    if (tree.kind(target) == Kind::kName && tree.text(target) == name) return true;
  }
  return false;
}

// nn.Module and object bring no forward of their own; any other base from elsewhere may.
bool brings_nothing(const SyntaxTree& tree, NodeId base) {
  return tree.kind(base) == Kind::kKeyword || tree.text(base) == "Module" || tree.text(base) == "object";
}

bool may_have_forward(const SyntaxTree& tree, NodeId model, int depth = 0) {
  if (find_definition(tree, tree.kid(model, 2), Kind::kFunctionDef, "forward") != kAbsentNode) return true;
  for (const NodeId statement : tree.kids(tree.kid(model, 2))) {
    if (tree.kind(statement) == Kind::kAssign && tree.text(tree.kid(statement, 0)) == "forward") return true;
  }
  for (const NodeId base : tree.kids(tree.kid(model, 1))) {
    const NodeId own = tree.kind(base) == Kind::kName
                           ? find_definition(tree, tree.root(), Kind::kClassDef, tree.text(base))
                           : kAbsentNode;
    if (own == kAbsentNode ? !brings_nothing(tree, base) : depth < 20 && may_have_forward(tree, own, depth + 1)) {
      return true;
    }
  }
  return false;
}

bool needs_arguments(const SyntaxTree& tree, NodeId function) {
  for (const NodeId parameter : tree.kids(tree.kid(function, 1))) {
    const bool gathers = tree.op(parameter) == Op::kStar || tree.op(parameter) == Op::kDoubleStar;
    if (!gathers && tree.kid(parameter, 0) == kAbsentNode) return true;
  }
  return false;
}

std::vector<std::string> find_defects(const SyntaxTree& tree) {
  std::vector<std::string> defects;
  const NodeId model = find_definition(tree, tree.root(), Kind::kClassDef, "Model");
  if (model == kAbsentNode) {
    defects.emplace_back("class Model is missing");
  } else if (!may_have_forward(tree, model)) {
    defects.emplace_back("class Model has no forward");
  }
  for (const std::string name : {"get_inputs", "get_init_inputs"}) {
    const NodeId function = find_function(tree, name);
    if (function == kAbsentNode) {
      if (!is_assigned(tree, name)) defects.push_back("function " + name + " is missing");
    } else if (needs_arguments(tree, function)) {
      defects.push_back("function " + name + " needs arguments, and is called without");
    }
  }
  return defects;
}

[[noreturn]] void refuse(std::string_view source, const pysource::SourceError& error, const Place& where) {
  if (error.kind == pysource::SourceError::Kind::kTooLarge) {
    throw InputError(where, "the reference is too large: " + error.message, "give a smaller one");
  }
  const SourcePlace at = place_in_source(source, error.offset, where);
  throw InputError(at.where, at.text_before + "the reference is not Python: " + error.message, "repair it");
}

}  // namespace

SourcePlace place_in_source(std::string_view source, std::size_t offset, const Place& where) {
  const base::Position position = base::LineIndex(source).position(offset);
  if (where.line > 0) {
    return {.where = where,
            .text_before = fmt::format("line {}, column {} of its source: ", position.line, position.column)};
  }
  return {.where = {.file = where.file, .line = position.line, .column = position.column}, .text_before = ""};
}

NodeId find_function(const SyntaxTree& tree, std::string_view name) {
  return find_definition(tree, tree.root(), Kind::kFunctionDef, name);
}

SyntaxTree parse_reference(std::string_view source, const Place& where) {
  auto parsed = SyntaxTree::parse(source);
  if (const auto* error = std::get_if<pysource::SourceError>(&parsed)) refuse(source, *error, where);
  SyntaxTree tree = std::get<SyntaxTree>(std::move(parsed));
  const auto defects = find_defects(tree);
  if (!defects.empty()) {
    const bool candidate = find_definition(tree, tree.root(), Kind::kClassDef, "ModelNew") != kAbsentNode;
    throw InputError(where, fmt::format("not a task: {}", fmt::join(defects, "; ")),
                     candidate ? "it defines ModelNew: this is a candidate; give its reference as the task"
                               : "a task defines class Model with forward, get_inputs() and get_init_inputs()");
  }
  return tree;
}

}  // namespace tritonrl::task
