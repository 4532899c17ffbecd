#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "tokenizer/tokenizer.h"

// Which of a response's sampled tokens are plan and which are code, without encoding anything again: what was sampled
// need not be what encoding its text would give.
namespace tritonrl::tokenizer {

enum class TokenClass : std::uint8_t { kPlan, kCode };

// Where each token's bytes lie in the text that the tokens spell.
class TokenSpans {
 public:
  TokenSpans(const Tokenizer& tokenizer, std::span<const TokenId> ids);

  const std::string& bytes() const { return bytes_; }
  std::size_t size() const { return starts_.size(); }
  std::size_t start(std::size_t token) const { return starts_[token]; }
  // The tokens [first, last) whose first byte lies in bytes [begin, end).
  std::pair<std::size_t, std::size_t> tokens_in(std::size_t begin, std::size_t end) const;

 private:
  std::string bytes_;
  std::vector<std::size_t> starts_;
};

// The plan is everything up to the first "</think>" and that itself, however many tokens spell it; the rest is code.
// Without one, all is plan where the response starts with "<think>", else all is code. A token has the class of its
// first byte.
std::vector<TokenClass> classify(const TokenSpans& spans);

}  // namespace tritonrl::tokenizer
