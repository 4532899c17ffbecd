// Prints what a Python file holds, a line each, so that a test can compare it with what Python's own parser sees.
//   pysource_outline FILE...
// A file begins with `file NAME`; then `error OFFSET`, or
//   `s DEPTH LINE KIND` for a statement, in order; `n LINE NAME`, `a LINE NAME` for a name and an attribute;
//   `c LINE` for a call; `k NAME` for a keyword argument.
#include <cstdio>
#include <string>
#include <vector>

#include "base/file.h"
#include "base/text.h"
#include "pysource/syntax_tree.h"

namespace {

using namespace tritonrl;
using pysource::Kind;
using pysource::NodeId;

class Outline {
 public:
  explicit Outline(const pysource::SyntaxTree& tree) : tree_(tree), lines_(tree.source()) {}

  void run() { statements(tree_.root(), 0); }

 private:
  std::size_t line(NodeId node) const { return lines_.position(tree_.begin(node)).line; }

  void statements(NodeId block, int depth) {
    for (const NodeId statement : tree_.kids(block)) show_statement(statement, depth);
  }

  void show(int depth, NodeId node, const char* kind) { std::printf("s %d %zu %s\n", depth, line(node), kind); }

  // A block, or an If in an elif's place.
  void branch(NodeId node, int depth) {
    if (tree_.kind(node) == Kind::kBlock) {
      statements(node, depth);
    } else if (tree_.kind(node) == Kind::kIf) {
      show_statement(node, depth);
    }
  }

  void expressions_of(NodeId node, std::initializer_list<std::size_t> slots) {
    for (const std::size_t slot : slots) expression(tree_.kid(node, slot));
  }

  void show_statement(NodeId node, int depth) {
    switch (tree_.kind(node)) {
      case Kind::kFunctionDef:
        show(depth, node, "FunctionDef");
        expressions_of(node, {0, 1, 3});
        return branch(tree_.kid(node, 2), depth + 1);
      case Kind::kClassDef:
        show(depth, node, "ClassDef");
        expressions_of(node, {0, 1});
        return branch(tree_.kid(node, 2), depth + 1);
      case Kind::kFor:
        show(depth, node, "For");
        expressions_of(node, {0, 1});
        branch(tree_.kid(node, 2), depth + 1);
        return branch(tree_.kid(node, 3), depth + 1);
      case Kind::kWhile:
        show(depth, node, "While");
        expressions_of(node, {0});
        branch(tree_.kid(node, 1), depth + 1);
        return branch(tree_.kid(node, 2), depth + 1);
      case Kind::kIf:
        show(depth, node, "If");
        expressions_of(node, {0});
        branch(tree_.kid(node, 1), depth + 1);
        return branch(tree_.kid(node, 2), depth + 1);
      case Kind::kWith:
        show(depth, node, "With");
        expressions_of(node, {0});
        return branch(tree_.kid(node, 1), depth + 1);
      case Kind::kTry:
        show(depth, node, "Try");
        branch(tree_.kid(node, 0), depth + 1);
        for (const NodeId handler : tree_.kids(tree_.kid(node, 1))) {
          show(depth + 1, handler, "Handler");
          expressions_of(handler, {0});
          branch(tree_.kid(handler, 1), depth + 2);
        }
        branch(tree_.kid(node, 2), depth + 1);
        return branch(tree_.kid(node, 3), depth + 1);
      case Kind::kMatch:
        show(depth, node, "Match");
        expressions_of(node, {0});
        for (const NodeId each : tree_.kids(tree_.kid(node, 1))) {
          expressions_of(each, {1});
          branch(tree_.kid(each, 2), depth + 1);
        }
        return;
      case Kind::kGlobal:
        return show(depth, node, "Global");
      case Kind::kNonlocal:
        return show(depth, node, "Nonlocal");
      case Kind::kImport:
        return show(depth, node, "Import");
      case Kind::kImportFrom:
        return show(depth, node, "ImportFrom");
      case Kind::kPass:
        return show(depth, node, "Pass");
      case Kind::kReturn:
        return leaf(node, depth, "Return");
      case Kind::kAssign:
        return leaf(node, depth, "Assign");
      case Kind::kAugAssign:
        return leaf(node, depth, "AugAssign");
      case Kind::kRaise:
        return leaf(node, depth, "Raise");
      case Kind::kAssert:
        return leaf(node, depth, "Assert");
      case Kind::kDelete:
        return leaf(node, depth, "Delete");
      case Kind::kTypeAlias:
        return leaf(node, depth, "TypeAlias");
      default:
        show(depth, node, "Expr");
        expression(node);
    }
  }

  void leaf(NodeId node, int depth, const char* kind) {
    show(depth, node, kind);
    for (const NodeId kid : tree_.kids(node)) expression(kid);
  }

  void expression(NodeId node) {
    const std::string text(tree_.text(node));
    switch (tree_.kind(node)) {
      case Kind::kName:
      case Kind::kNamed:
        std::printf("n %zu %s\n", line(node), text.c_str());
        break;
      case Kind::kAttribute:
        std::printf("a %s\n", text.c_str());
        break;
      case Kind::kCall:
        std::printf("c %zu\n", line(node));
        break;
      case Kind::kKeyword:
        std::printf("k %s\n", text.c_str());
        break;
      default:
        break;
    }
    for (const NodeId kid : tree_.kids(node)) expression(kid);
  }

  const pysource::SyntaxTree& tree_;
  const base::LineIndex lines_;
};

}  // namespace

int main(int argc, char** argv) {
  for (int i = 1; i < argc; ++i) {
    std::printf("file %s\n", argv[i]);
    std::string text = base::read_file(argv[i]);
    if (text.starts_with("\xEF\xBB\xBF")) text.erase(0, 3);
    const auto parsed = pysource::SyntaxTree::parse(text);
    if (const auto* error = std::get_if<pysource::SourceError>(&parsed)) {
      std::printf("error %u %s\n", error->offset, base::printable(error->message).c_str());
    } else {
      Outline(std::get<pysource::SyntaxTree>(parsed)).run();
    }
  }
}
