#include "pysource/grammar_parser.h"

#include <tree_sitter/api.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <utility>

#include "base/text.h"
#include "pysource/grammar_lowering.h"
#include "pysource/grammar_symbols.h"
#include "pysource/tree_builder.h"

namespace tritonrl::pysource {
namespace {

struct TreeDeleter {
  void operator()(TSTree* tree) const { ts_tree_delete(tree); }
};
struct ParserDeleter {
  void operator()(TSParser* parser) const { ts_parser_delete(parser); }
};

TSParser* thread_parser() {
  thread_local const std::unique_ptr<TSParser, ParserDeleter> parser = [] {
    std::unique_ptr<TSParser, ParserDeleter> made(ts_parser_new());
    ts_parser_set_language(made.get(), grammar().language);
    return made;
  }();
  return parser.get();
}

SourceError first_syntax_error(TSNode root, std::string_view source) {
  TSTreeCursor cursor = ts_tree_cursor_new(root);
  TSNode node = root;
  // Down to the innermost leftmost node that has an error.
  for (bool deeper = true; deeper;) {
    deeper = false;
    if (!ts_node_is_error(node) && ts_tree_cursor_goto_first_child(&cursor)) {
      do {
        const TSNode child = ts_tree_cursor_current_node(&cursor);
        if (ts_node_has_error(child) || ts_node_is_missing(child)) {
          node = child;
          deeper = true;
          break;
        }
      } while (ts_tree_cursor_goto_next_sibling(&cursor));
    }
  }
  ts_tree_cursor_delete(&cursor);
  const std::uint32_t at = ts_node_start_byte(node);
  if (ts_node_is_missing(node)) {
    return {SourceError::Kind::kSyntax, at, std::string("expected '") + ts_node_type(node) + "' here"};
  }
  std::string_view rest = source.substr(at, 24);
  rest = rest.substr(0, rest.find('\n'));
  while (!base::is_valid_utf8(rest)) rest.remove_suffix(1);  // cut between characters
  return {SourceError::Kind::kSyntax, at, "this is not Python 3: unexpected '" + std::string(rest) + "'"};
}

using UniqueTree = std::unique_ptr<TSTree, TreeDeleter>;

UniqueTree parse_text(TSParser* parser, std::string_view text) {
  return UniqueTree(ts_parser_parse_string(parser, nullptr, text.data(), static_cast<std::uint32_t>(text.size())));
}

// tree-sitter repairs what is wrong and reads on, in time quadratic and worse in what follows. Only the first error is
// of use: the parser's log tells when it starts to repair, and its cancellation flag stops it there. It also starts in
// vain, where text that is right is ambiguous for a while; those places are passed over.
struct ErrorWatch {
  std::string_view source;
  std::size_t passed = 0;  // starts to repair before this offset are in vain
  std::size_t cancel = 0;
  std::size_t offset = 0;  // of the parser
  std::size_t row = 0;
  std::size_t row_offset = 0;

  static void read_log(void* payload, TSLogType type, const char* line) {
    if (type == TSLogTypeParse) static_cast<ErrorWatch*>(payload)->read_line(line);
  }

  void read_line(std::string_view line) {
    if (line.starts_with("resume version") && offset >= passed) cancel = 1;
    const auto at = line.find(", row:");
    if (!line.starts_with("process version") || at == std::string_view::npos) return;
    unsigned new_row = 0;
    unsigned column = 0;
    if (std::sscanf(line.data() + at, ", row:%u, col:%u", &new_row, &column) == 2) move_to(new_row, column);
  }

  void move_to(std::size_t new_row, std::size_t column) {
    if (new_row < row) row = row_offset = 0;
    for (; row < new_row && row_offset < source.size(); ++row) {
      row_offset = std::min(source.find('\n', row_offset), source.size() - 1) + 1;
    }
    offset = std::min(row_offset + column, source.size());
  }
};

// Nothing if there may be an error, at watch.offset.
UniqueTree parse_watched(ErrorWatch& watch) {
  TSParser* parser = thread_parser();
  ts_parser_set_cancellation_flag(parser, &watch.cancel);
  ts_parser_set_logger(parser, {.payload = &watch, .log = ErrorWatch::read_log});
  UniqueTree tree = parse_text(parser, watch.source);
  ts_parser_set_cancellation_flag(parser, nullptr);
  ts_parser_set_logger(parser, {.payload = nullptr, .log = nullptr});
  ts_parser_reset(parser);
  return watch.cancel != 0 ? nullptr : std::move(tree);
}

// The error around the offset, if there is one: only a little of what follows is parsed with it.
std::optional<SourceError> find_error_near(std::string_view source, std::size_t offset) {
  constexpr std::size_t kContextBytes = 200;
  const std::size_t line_end = source.find('\n', std::min(offset + kContextBytes, source.size()));
  const std::string_view start = source.substr(0, std::min(line_end, offset + 2 * kContextBytes));
  const UniqueTree tree = parse_text(thread_parser(), start);
  const TSNode root = ts_tree_root_node(tree.get());
  if (!ts_node_has_error(root)) return std::nullopt;
  auto error = first_syntax_error(root, start);
  // What the cut itself broke is no error.
  if (start.size() < source.size() && error.offset > offset + kContextBytes / 2) return std::nullopt;
  return error;
}

std::variant<UniqueTree, SourceError> parse_up_to_error(std::string_view source) {
  constexpr int kMaxAlarms = 64;
  ErrorWatch watch{.source = source};
  for (int alarm = 0; alarm < kMaxAlarms; ++alarm) {
    if (UniqueTree tree = parse_watched(watch)) return tree;
    if (auto error = find_error_near(source, watch.offset)) return *std::move(error);
    watch = {.source = source, .passed = watch.offset + 1};
  }
  return SourceError{SourceError::Kind::kTooDeep, static_cast<std::uint32_t>(watch.passed),
                     "this is too ambiguous to parse"};
}

}  // namespace

std::variant<SyntaxTree, SourceError> grammar_parse(std::string_view source) {
  auto parsed = parse_up_to_error(source);
  if (auto* error = std::get_if<SourceError>(&parsed)) return std::move(*error);
  const TSNode root = ts_tree_root_node(std::get<UniqueTree>(parsed).get());
  if (ts_node_has_error(root)) return first_syntax_error(root, source);
  TreeBuilder builder(source);
  auto lowered = lower_grammar_tree(builder, root);
  if (auto* error = std::get_if<SourceError>(&lowered)) return std::move(*error);
  return std::move(builder).finish(std::get<NodeId>(lowered));
}

}  // namespace tritonrl::pysource
