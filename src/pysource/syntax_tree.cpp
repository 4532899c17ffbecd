#include "pysource/syntax_tree.h"

#include <charconv>
#include <utility>

#include "pysource/grammar_parser.h"
#include "pysource/python_rules.h"
#include "pysource/quick_parser.h"
#include "pysource/source_limits.h"

namespace tritonrl::pysource {
namespace {

// To Python a lone carriage return ends a line; the parsers only know \n.
std::string with_line_feeds(std::string_view source) {
  std::string text(source);
  for (std::size_t at = text.find('\r'); at != std::string::npos; at = text.find('\r', at + 1)) {
    if (at + 1 == text.size() || text[at + 1] != '\n') text[at] = '\n';
  }
  return text;
}

std::variant<SyntaxTree, SourceError> checked(SyntaxTree tree) {
  if (auto violation = find_rule_violation(tree)) return *std::move(violation);
  return tree;
}

std::variant<SyntaxTree, SourceError> parse_checked_by_grammar(std::string_view text) {
  auto parsed = grammar_parse(text);
  if (auto* tree = std::get_if<SyntaxTree>(&parsed)) return checked(std::move(*tree));
  return parsed;
}

}  // namespace

std::variant<SyntaxTree, SourceError> SyntaxTree::parse(std::string_view source) {
  const std::string text = with_line_feeds(source);
  if (auto violation = find_limit_violation(text)) return *std::move(violation);
  if (auto tree = quick_parse(text)) return checked(*std::move(tree));
  return parse_checked_by_grammar(text);
}

std::variant<SyntaxTree, SourceError> SyntaxTree::parse_by_grammar(std::string_view source) {
  const std::string text = with_line_feeds(source);
  if (auto violation = find_limit_violation(text)) return *std::move(violation);
  return parse_checked_by_grammar(text);
}

std::optional<std::int64_t> SyntaxTree::int_value(NodeId node) const {
  std::string digits;
  for (const char c : text(node))
    if (c != '_') digits += c;
  int base = 10;
  std::string_view rest = digits;
  if (rest.size() > 2 && rest[0] == '0') {
    const char letter = static_cast<char>(rest[1] | 0x20);
    base = letter == 'x' ? 16 : letter == 'o' ? 8 : letter == 'b' ? 2 : 10;
    if (base != 10) rest.remove_prefix(2);
  }
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), value, base);
  if (error != std::errc{} || end != rest.data() + rest.size()) return std::nullopt;
  return value;
}

}  // namespace tritonrl::pysource
