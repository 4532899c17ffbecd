#include "analysis/response.h"

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

bool is_name_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

// Does a line at the left margin define the entry: class, def, or an assignment?
bool defines(std::string_view block, std::string_view entry) {
  for (std::size_t at = 0; at < block.size();) {
    const auto newline = block.find('\n', at);
    std::string_view line = block.substr(at, newline == std::string_view::npos ? newline : newline - at);
    at = newline == std::string_view::npos ? block.size() : newline + 1;
    for (const std::string_view keyword : {"class ", "def ", "async def ", ""}) {
      if (!line.starts_with(keyword)) continue;
      std::string_view rest = line.substr(keyword.size());
      while (!keyword.empty() && rest.starts_with(' ')) rest.remove_prefix(1);
      if (!rest.starts_with(entry)) continue;
      rest.remove_prefix(entry.size());
      if (!rest.empty() && is_name_character(rest[0])) continue;
      while (rest.starts_with(' ')) rest.remove_prefix(1);
      if (!keyword.empty() || (rest.starts_with('=') && !rest.starts_with("=="))) return true;
    }
  }
  return false;
}

}  // namespace

Response split_response(std::string_view text, std::optional<std::string_view> entry) {
  Response response;
  if (const auto end = text.find(kEndOfPlan); end != std::string_view::npos) response.plan = {0, end + kEndOfPlan.size()};

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
