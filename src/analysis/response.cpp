#include "analysis/response.h"

#include <algorithm>
#include <string>
#include <variant>

#include "pysource/syntax_tree.h"

namespace tritonrl::analysis {
namespace {

constexpr std::string_view kEndOfPlan = "</think>";

struct Fence {
  char mark = 0;
  std::size_t length = 0;
  bool bare = false;  // nothing follows on the line: it can close a block
};

std::optional<Fence> read_fence(std::string_view line) {
  std::size_t indent = 0;
  while (indent < line.size() && line[indent] == ' ') ++indent;
  if (indent > 3 || indent == line.size()) return std::nullopt;
  line.remove_prefix(indent);
  Fence fence;
  fence.mark = line[0];
  if (fence.mark != '`' && fence.mark != '~') return std::nullopt;
  while (fence.length < line.size() && line[fence.length] == fence.mark) ++fence.length;
  if (fence.length < 3) return std::nullopt;
  const std::string_view info = line.substr(fence.length);
  // ```inline``` is no fence.
  if (fence.mark == '`' && info.find('`') != std::string_view::npos) return std::nullopt;
  fence.bare = info.find_first_not_of(" \t\r") == std::string_view::npos;
  return fence;
}

// Does the block define the entry at module level: class, def, or an assignment? A block that does not parse is
// judged by its lines: it is the model's answer all the same, and its syntax error is the verdict.
bool defines(std::string_view block, std::string_view entry) {
  if (block.find(entry) == std::string_view::npos) return false;
  const auto parsed = pysource::SyntaxTree::parse(block);
  if (const auto* tree = std::get_if<pysource::SyntaxTree>(&parsed)) {
    using pysource::Kind;
    return std::ranges::any_of(tree->kids(tree->root()), [&](pysource::NodeId node) {
      const Kind kind = tree->kind(node);
      if (kind == Kind::kAssign) return tree->text(tree->kid(node, 0)) == entry;
      return (kind == Kind::kClassDef || kind == Kind::kFunctionDef) && tree->text(node) == entry;
    });
  }
  for (const std::string_view keyword : {"class ", "def "}) {
    const std::string definition = std::string(keyword) + std::string(entry);
    for (std::size_t at = 0; (at = block.find(definition, at)) != std::string_view::npos; ++at) {
      const std::size_t after = at + definition.size();
      const bool whole = after >= block.size() || std::string_view("(: ").find(block[after]) != std::string_view::npos;
      if (whole && (at == 0 || block[at - 1] == '\n')) return true;
    }
  }
  return false;
}

}  // namespace

Response split_response(std::string_view text, std::optional<std::string_view> entry) {
  Response response;
  if (const auto end = text.find(kEndOfPlan); end != std::string_view::npos) {
    response.plan = {0, end + kEndOfPlan.size()};
  } else if (text.find("<think>") != std::string_view::npos) {
    return response;  // cut off while thinking: nothing was answered
  }

  std::optional<Fence> open;
  std::size_t block_begin = 0;
  for (std::size_t at = response.plan.end; at < text.size();) {
    const auto newline = text.find('\n', at);
    const std::size_t line_end = newline == std::string_view::npos ? text.size() : newline;
    const std::size_t next = newline == std::string_view::npos ? text.size() : newline + 1;
    if (const auto fence = read_fence(text.substr(at, line_end - at))) {
      if (!open) {
        open = fence;
        block_begin = next;
      } else if (fence->mark == open->mark && fence->length >= open->length && fence->bare) {
        const ByteSpan block{block_begin, at};
        ++response.blocks;
        if (!entry || defines(block.of(text), *entry)) response.code = block;
        open.reset();
      }
    }
    at = next;
  }
  response.unclosed_fence = open.has_value();
  return response;
}

}  // namespace tritonrl::analysis
