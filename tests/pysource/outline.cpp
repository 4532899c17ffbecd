// Prints the trees of Python files, a node a line, so that a test can compare them with those of Python's own parser.
//   pysource_outline [--grammar] FILE...
// A file begins with `file NAME`; then `error OFFSET MESSAGE`, or for each node, parents first,
//   `DEPTH LINE KIND OP TEXT`, where OP and TEXT hold no blank: an empty one is -, other bytes than letters are %XX.
#include <cstdio>
#include <exception>
#include <string>
#include <string_view>

#include "base/file.h"
#include "base/text.h"
#include "pysource/syntax_tree.h"
#include "tests/pysource/tree_text.h"

namespace {

using namespace tritonrl;
using pysource::NodeId;
using pysource::SyntaxTree;

std::string as_word(std::string_view text) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  std::string word;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
    word += letter ? std::string{c} : std::string{'%', kDigits[byte / 16], kDigits[byte % 16]};
  }
  return word.empty() ? "-" : word;
}

class Outline {
 public:
  explicit Outline(const SyntaxTree& tree) : tree_(tree), lines_(tree.source()) {}

  void print(NodeId node, int depth = 0) const {
    std::printf("%d %zu %s %s %s\n", depth, lines_.position(tree_.begin(node)).line, kind_name(tree_.kind(node)),
                as_word(op_name(tree_.op(node))).c_str(), as_word(tree_.text(node)).c_str());
    for (const NodeId kid : tree_.kids(node)) print(kid, depth + 1);
  }

 private:
  const SyntaxTree& tree_;
  const base::LineIndex lines_;
};

void print_file(const char* name, bool by_grammar) {
  std::printf("file %s\n", name);
  std::string text = base::read_file(name);
  if (text.starts_with("\xEF\xBB\xBF")) text.erase(0, 3);
  const auto parsed = by_grammar ? SyntaxTree::parse_by_grammar(text) : SyntaxTree::parse(text);
  if (const auto* error = std::get_if<pysource::SourceError>(&parsed)) {
    std::printf("error %u %s\n", error->offset, base::printable(error->message).c_str());
  } else {
    const auto& tree = std::get<SyntaxTree>(parsed);
    Outline(tree).print(tree.root());
  }
}

}  // namespace

int main(int argc, char** argv) {
  const bool by_grammar = argc > 1 && argv[1] == std::string_view("--grammar");
  try {
    for (int i = by_grammar ? 2 : 1; i < argc; ++i) print_file(argv[i], by_grammar);
  } catch (const std::exception& failure) {
    std::fprintf(stderr, "pysource_outline: %s\n", failure.what());
    return 1;
  }
}
