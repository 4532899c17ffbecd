#include "pysource/line_ends.h"

#include <cstdint>

#include "pysource/grammar_symbols.h"

namespace tritonrl::pysource {
namespace {

// Whether a line ends in what stands between two tokens, other than by a backslash.
bool ends_line(std::string_view gap) {
  for (std::size_t at = gap.find('\n'); at != std::string_view::npos; at = gap.find('\n', at + 1)) {
    const std::string_view before = gap.substr(0, at);
    if (!before.ends_with("\\") && !before.ends_with("\\\r")) return true;
  }
  return false;
}

// The leaves of a subtree in order, comments and strings as one each.
class Leaves {
 public:
  explicit Leaves(TSNode root) : cursor_(ts_tree_cursor_new(root)) {}
  ~Leaves() { ts_tree_cursor_delete(&cursor_); }
  Leaves(const Leaves&) = delete;
  Leaves& operator=(const Leaves&) = delete;

  // Calls visit(leaf) until it says true; whether it did.
  template <typename Visit>
  bool any(Visit visit) {
    for (;;) {
      const TSNode node = ts_tree_cursor_current_node(&cursor_);
      if (grammar().rule_of(node) != Rule::kString && ts_tree_cursor_goto_first_child(&cursor_)) continue;
      if (visit(node)) return true;
      while (!ts_tree_cursor_goto_next_sibling(&cursor_))
        if (!ts_tree_cursor_goto_parent(&cursor_)) return false;
    }
  }

 private:
  TSTreeCursor cursor_;
};

}  // namespace

bool runs_over_line_end(TSNode statement, std::string_view source) {
  std::uint32_t last_end = ts_node_start_byte(statement);
  if (source.substr(last_end, ts_node_end_byte(statement) - last_end).find('\n') == std::string_view::npos)
    return false;
  int brackets = 0;
  return Leaves(statement).any([&](TSNode leaf) {
    const std::uint32_t begin = ts_node_start_byte(leaf);
    const std::uint32_t end = ts_node_end_byte(leaf);
    if (brackets == 0 && ends_line(source.substr(last_end, begin - last_end))) return true;
    const std::string_view spelling = source.substr(begin, end - begin);
    if (spelling == "(" || spelling == "[" || spelling == "{") ++brackets;
    if (spelling == ")" || spelling == "]" || spelling == "}") --brackets;
    last_end = end;
    return false;
  });
}

}  // namespace tritonrl::pysource
