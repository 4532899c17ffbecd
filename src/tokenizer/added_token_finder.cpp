#include "tokenizer/added_token_finder.h"

#include <algorithm>
#include <utility>

#include "tokenizer/character_class.h"
#include "tokenizer/code_point.h"

namespace tritonrl::tokenizer {
namespace {

unsigned char first_byte(std::string_view text) { return static_cast<unsigned char>(text.front()); }

bool is_a(CodePoint c, std::uint8_t flag) { return (character_classes()[c.value] & flag) != 0; }

bool stands_alone(std::string_view text, std::size_t begin, std::size_t end) {
  if (begin > 0 && is_a(code_point_before(text, begin), kWord)) return false;
  return end == text.size() || !is_a(code_point_at(text, end), kWord);
}

std::size_t without_spaces_before(std::string_view text, std::size_t end) {
  while (end > 0) {
    const CodePoint c = code_point_before(text, end);
    if (!is_a(c, kSpace)) break;
    end -= c.bytes;
  }
  return end;
}

std::size_t after_spaces(std::string_view text, std::size_t at) {
  while (at < text.size()) {
    const CodePoint c = code_point_at(text, at);
    if (!is_a(c, kSpace)) break;
    at += c.bytes;
  }
  return at;
}

}  // namespace

AddedTokenFinder::AddedTokenFinder(std::vector<Pattern> patterns) : patterns_(std::move(patterns)) {
  std::erase_if(patterns_, [](const Pattern& pattern) { return pattern.content.empty(); });
  std::ranges::stable_sort(patterns_, [](const Pattern& a, const Pattern& b) {
    if (first_byte(a.content) != first_byte(b.content)) return first_byte(a.content) < first_byte(b.content);
    return a.content.size() > b.content.size();
  });
  for (const auto& pattern : patterns_) ++by_first_byte_[first_byte(pattern.content) + 1U];
  for (std::size_t byte = 0; byte < 256; ++byte) by_first_byte_[byte + 1] += by_first_byte_[byte];
}

const AddedTokenFinder::Pattern* AddedTokenFinder::match_at(std::string_view text, std::size_t at) const {
  const auto byte = static_cast<unsigned char>(text[at]);
  for (std::size_t i = by_first_byte_[byte]; i < by_first_byte_[byte + 1U]; ++i) {
    if (text.substr(at).starts_with(patterns_[i].content)) return &patterns_[i];
  }
  return nullptr;
}

void AddedTokenFinder::split(std::string_view text, std::vector<Part>& parts) const {
  parts.clear();
  std::size_t done = 0;
  for (std::size_t at = 0; at < text.size() && !empty();) {
    const Pattern* pattern = match_at(text, at);
    if (pattern == nullptr) {
      ++at;
      continue;
    }
    std::size_t begin = at;
    std::size_t end = at + pattern->content.size();
    at = end;
    if (pattern->token.single_word && !stands_alone(text, begin, end)) continue;
    if (pattern->token.lstrip) begin = std::max(without_spaces_before(text, begin), done);
    if (begin > end) continue;  // the token before took its spaces, which were all it was
    if (pattern->token.rstrip) end = after_spaces(text, end);
    if (begin > done) parts.push_back({text.substr(done, begin - done), std::nullopt});
    parts.push_back({text.substr(begin, end - begin), pattern->token.id});
    done = end;
  }
  if (done < text.size()) parts.push_back({text.substr(done), std::nullopt});
}

}  // namespace tritonrl::tokenizer
