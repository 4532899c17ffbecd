#pragma once

#include <cstddef>
#include <string_view>

namespace tritonrl::tokenizer {

struct CodePoint {
  char32_t value = 0;
  std::size_t bytes = 0;  // of its UTF-8 form
};

// The code point that starts at byte `at` of valid UTF-8; `at` lies inside the text, at a character's first byte.
inline CodePoint code_point_at(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t i) { return static_cast<char32_t>(static_cast<unsigned char>(text[at + i])); };
  const char32_t first = byte(0);
  if (first < 0x80) return {first, 1};
  if (first < 0xE0) return {((first & 0x1F) << 6) | (byte(1) & 0x3F), 2};
  if (first < 0xF0) return {((first & 0x0F) << 12) | ((byte(1) & 0x3F) << 6) | (byte(2) & 0x3F), 3};
  return {((first & 0x07) << 18) | ((byte(1) & 0x3F) << 12) | ((byte(2) & 0x3F) << 6) | (byte(3) & 0x3F), 4};
}

// The code point that ends right before byte `end`; `end` is not 0.
inline CodePoint code_point_before(std::string_view text, std::size_t end) {
  std::size_t start = end - 1;
  while ((static_cast<unsigned char>(text[start]) & 0xC0) == 0x80) --start;
  return code_point_at(text, start);
}

}  // namespace tritonrl::tokenizer
