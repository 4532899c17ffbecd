#include "pysource/python_rules.h"

#include <algorithm>
#include <string>
#include <unordered_set>
#include <vector>

namespace tritonrl::pysource {
namespace {

bool is_keyword(std::string_view name) {
  static const std::unordered_set<std::string_view> keywords = {
      "False",   "None",     "True",  "and",    "as",   "assert", "async",  "await",    "break",
      "class",   "continue", "def",   "del",    "elif", "else",   "except", "for",      "from",
      "finally", "global",   "if",    "import", "in",   "is",     "lambda", "nonlocal", "not",
      "or",      "pass",     "raise", "return", "try",  "while",  "with",   "yield"};
  return name.size() <= 8 && name.size() >= 2 && keywords.contains(name);
}

class RuleScan {
 public:
  explicit RuleScan(const SyntaxTree& tree) : tree_(tree) {}

  std::optional<SourceError> run() {
    for (NodeId node = 1; node < tree_.size(); ++node) {
      if (const char* problem = problem_with(node)) {
        return SourceError{SourceError::Kind::kSyntax, tree_.begin(node), problem};
      }
    }
    return std::nullopt;
  }

 private:
  const char* problem_with(NodeId node) {
    switch (tree_.kind(node)) {
      case Kind::kName:
      case Kind::kAttribute:
      case Kind::kNamed:
      case Kind::kClassDef:
      case Kind::kKeyword:
      case Kind::kAlias:
        return is_keyword(tree_.text(node)) ? "a keyword is used as a name" : nullptr;
      case Kind::kFunctionDef:
        if (is_keyword(tree_.text(node))) return "a keyword is used as a name";
        return problem_with_parameters(tree_.kid(node, 1));
      case Kind::kLambda:
        return problem_with_parameters(tree_.kid(node, 0));
      case Kind::kCall:
        return problem_with_arguments(tree_.kid(node, 1));
      case Kind::kInt:
        return problem_with_integer(tree_.text(node));
      case Kind::kString:
      case Kind::kBytes:
        return problem_with_prefix(tree_.source_of(node));
      case Kind::kCompare:
        return tree_.op(node) == Op::kNothing ? "this comparison is Python 2" : nullptr;
      case Kind::kRaise:
        return is_bare_tuple(tree_.kid(node, 0)) ? "raise with a comma is Python 2" : nullptr;
      case Kind::kAssign:
        if (tree_.kind(tree_.kid(node, 0)) == Kind::kStarred || tree_.kind(tree_.kid(node, 1)) == Kind::kStarred) {
          return "a starred expression stands alone";
        }
        return nullptr;
      case Kind::kDelete:
        return std::ranges::any_of(tree_.kids(node), [&](NodeId target) { return tree_.kind(target) == Kind::kCall; })
                   ? "the result of a call cannot be deleted"
                   : nullptr;
      default:
        return nullptr;
    }
  }

  bool is_bare_tuple(NodeId node) const {
    return tree_.kind(node) == Kind::kTuple && !tree_.source_of(node).starts_with('(');
  }

  const char* problem_with_parameters(NodeId list) {
    bool defaults = false;
    bool ended = false;
    names_.clear();
    for (const NodeId parameter : tree_.kids(list)) {
      const std::string_view name = tree_.text(parameter);
      if (ended) return "parameters follow **kwargs";
      if (is_keyword(name)) return "a keyword is used as a name";
      const Op op = tree_.op(parameter);
      ended = op == Op::kDoubleStar;
      if (op == Op::kNothing) {
        const bool has_default = tree_.kid(parameter, 0) != kAbsentNode;
        if (defaults && !has_default) return "a parameter without a default follows one with a default";
        defaults |= has_default;
      }
      names_.push_back(name);
    }
    std::ranges::sort(names_);
    if (std::ranges::adjacent_find(names_) != names_.end()) return "two parameters have the same name";
    const std::string_view text = tree_.source_of(list);
    const auto last = text.find_last_not_of(" \t\n\r),:");
    return last != std::string_view::npos && text[last] == '*' ? "a bare * ends the parameters" : nullptr;
  }

  const char* problem_with_arguments(NodeId list) const {
    bool mapping = false;
    for (const NodeId argument : tree_.kids(list)) {
      if (mapping && tree_.kind(argument) == Kind::kStarred) return "*args follows **kwargs";
      mapping |= tree_.kind(argument) == Kind::kDoubleStarred;
    }
    return nullptr;
  }

  static const char* problem_with_integer(std::string_view text) {
    if (text.ends_with('L') || text.ends_with('l')) return "long integers are Python 2";
    const bool octal = text.size() > 1 && text[0] == '0' && text.find_first_not_of("0_") != std::string_view::npos &&
                       text[1] >= '0' && text[1] <= '9' && !text.ends_with('j') && !text.ends_with('J');
    return octal ? "octal numbers are spelled 0o..." : nullptr;
  }

  // The text between the fields of an f-string is a String too, and has no quotes.
  static const char* problem_with_prefix(std::string_view literal) {
    const bool two_letters = literal.size() > 2 && (literal[0] | 0x20) == 'u' && (literal[1] | 0x20) >= 'a' &&
                             (literal[1] | 0x20) <= 'z' && (literal[2] == '"' || literal[2] == '\'');
    return two_letters ? "this string prefix is Python 2" : nullptr;
  }

  const SyntaxTree& tree_;
  std::vector<std::string_view> names_;
};

}  // namespace

std::optional<SourceError> find_rule_violation(const SyntaxTree& tree) { return RuleScan(tree).run(); }

}  // namespace tritonrl::pysource
