#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tokenizer/definition.h"

namespace tritonrl::tokenizer {

// Finds added tokens in text: the leftmost first, of those that start together the longest.
class AddedTokenFinder {
 public:
  struct Pattern {
    std::string content;
    AddedToken token;
  };

  // A part of a text: an added token, or what lies between two.
  struct Part {
    std::string_view text;
    std::optional<TokenId> token;
  };

  explicit AddedTokenFinder(std::vector<Pattern> patterns);

  bool empty() const { return patterns_.empty(); }
  // Replaces `parts` by those of `text`, valid UTF-8, in order.
  void split(std::string_view text, std::vector<Part>& parts) const;

 private:
  const Pattern* match_at(std::string_view text, std::size_t at) const;

  std::vector<Pattern> patterns_;                 // by first byte, then the longest first
  std::array<std::size_t, 257> by_first_byte_{};  // patterns_ [b, b + 1) start with byte b
};

}  // namespace tritonrl::tokenizer
