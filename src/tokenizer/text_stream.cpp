#include "tokenizer/text_stream.h"

#include <cstddef>

namespace tritonrl::tokenizer {
namespace {

constexpr std::string_view kReplacement = "\uFFFD";

enum class End { kWhole, kBroken, kOpen };

struct Character {
  std::size_t bytes;  // of the character, or of as much as could begin one
  End end;
};

// What stands at the start of `bytes`, which are not empty.
Character first_character(std::string_view bytes) {
  const auto at = [&](std::size_t i) { return static_cast<unsigned char>(bytes[i]); };
  const unsigned char lead = at(0);
  if (lead < 0x80) return {1, End::kWhole};
  if (lead < 0xC2 || lead > 0xF4) return {1, End::kBroken};
  const std::size_t size = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
  for (std::size_t i = 1; i < size; ++i) {
    if (i == bytes.size()) return {i, End::kOpen};
    unsigned char low = 0x80;
    unsigned char high = 0xBF;
    // Overlong forms, surrogates and what lies past U+10FFFF end at the second byte.
    if (i == 1 && lead == 0xE0) low = 0xA0;
    if (i == 1 && lead == 0xED) high = 0x9F;
    if (i == 1 && lead == 0xF0) low = 0x90;
    if (i == 1 && lead == 0xF4) high = 0x8F;
    if (at(i) < low || at(i) > high) return {i, End::kBroken};
  }
  return {size, End::kWhole};
}

}  // namespace

std::string TextStream::push(std::string_view bytes) {
  pending_ += bytes;
  std::string text;
  text.reserve(pending_.size());
  std::string_view rest = pending_;
  while (!rest.empty()) {
    const Character character = first_character(rest);
    if (character.end == End::kOpen) break;
    text += character.end == End::kWhole ? rest.substr(0, character.bytes) : kReplacement;
    rest.remove_prefix(character.bytes);
  }
  pending_.erase(0, pending_.size() - rest.size());
  return text;
}

std::string TextStream::finish() {
  std::string text(pending_.empty() ? std::string_view() : kReplacement);
  pending_.clear();
  return text;
}

}  // namespace tritonrl::tokenizer
