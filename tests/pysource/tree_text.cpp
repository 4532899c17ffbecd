#include "tests/pysource/tree_text.h"

#include <array>

namespace tritonrl::pysource {
namespace {

constexpr std::array kKinds = {
    "Absent",        "Module",    "Block",     "FunctionDef", "ClassDef",  "Return",   "Assign",  "AugAssign",
    "For",           "While",     "If",        "With",        "WithItem",  "Try",      "Handler", "Match",
    "Case",          "Raise",     "Assert",    "Delete",      "Global",    "Nonlocal", "Import",  "ImportFrom",
    "Alias",         "Pass",      "TypeAlias", "Name",        "Attribute", "Call",     "Keyword", "Starred",
    "DoubleStarred", "Subscript", "Slice",     "Binary",      "Bool",      "Unary",    "Compare", "Conditional",
    "Named",         "Lambda",    "Tuple",     "ListDisplay", "Set",       "Dict",     "Pair",    "Comprehension",
    "CompFor",       "CompIf",    "Await",     "Yield",       "Int",       "Float",    "String",  "Bytes",
    "FString",       "True",      "False",     "None",        "Ellipsis",  "List",     "Param",   "Opaque"};
static_assert(kKinds.size() == static_cast<std::size_t>(Kind::kOpaque) + 1);

constexpr std::array kOps = {"",  "+",  "-",  "*",      "/",   "//",     "%",     "**",       "@",           "&",  "|",
                             "^", "<<", ">>", "~",      "not", "and",    "or",    "<",        "<=",          "==", "!=",
                             ">", ">=", "in", "not in", "is",  "is not", "*args", "**kwargs", "keyword-only"};
static_assert(kOps.size() == static_cast<std::size_t>(Op::kKeywordOnly) + 1);

}  // namespace

const char* kind_name(Kind kind) { return kKinds[static_cast<std::size_t>(kind)]; }
const char* op_name(Op op) { return kOps[static_cast<std::size_t>(op)]; }

std::string tree_text(const SyntaxTree& tree, NodeId node) {
  std::string text(tree.text(node));
  switch (tree.kind(node)) {
    case Kind::kAbsent:
      return "-";
    case Kind::kName:
    case Kind::kInt:
    case Kind::kFloat:
      return text;
    case Kind::kString:
      return "'" + text + "'";
    case Kind::kBytes:
      return "b'" + text + "'";
    default:
      break;
  }
  std::string out = "(" + std::string(kind_name(tree.kind(node)));
  if (tree.op(node) != Op::kNothing) out += " " + std::string(op_name(tree.op(node)));
  if (!text.empty()) out += " \"" + text + "\"";
  for (const NodeId kid : tree.kids(node)) out += " " + tree_text(tree, kid);
  return out + ")";
}

std::string tree_text(std::string_view source) {
  const auto parsed = SyntaxTree::parse(source);
  if (const auto* error = std::get_if<SourceError>(&parsed)) return "error: " + error->message;
  const auto& tree = std::get<SyntaxTree>(parsed);
  const auto statements = tree.kids(tree.root());
  return tree_text(tree, statements.size() == 1 ? statements[0] : tree.root());
}

std::string error_text(std::string_view source) {
  const auto parsed = SyntaxTree::parse(source);
  const auto* error = std::get_if<SourceError>(&parsed);
  if (error == nullptr) return "parsed";
  constexpr std::array kErrors = {"syntax", "encoding", "too large", "too deep"};
  return std::string(kErrors[static_cast<std::size_t>(error->kind)]) + "@" + std::to_string(error->offset) + ": " +
         error->message;
}

}  // namespace tritonrl::pysource
