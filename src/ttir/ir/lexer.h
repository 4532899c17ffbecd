#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "ttir/ir/type.h"

namespace tritonrl::ttir {

enum class TokenKind : std::uint8_t {
  kEnd,
  kWord,      // tt.load
  kValue,     // %x
  kHash,      // #loc
  kSymbol,    // @f
  kLabel,     // ^bb0
  kTypeName,  // !tt.ptr
  kInteger,   // 12, -12, 0x1F
  kFloat,
  kString,
  kMark,  // one character of punctuation, or kArrow
};

inline constexpr char kArrow = 'A';  // the mark of ->

struct Token {
  TokenKind kind = TokenKind::kEnd;
  char mark = 0;
  std::string_view text;   // without sigil or quotes
  std::size_t offset = 0;  // of its first byte, sigil and quotes included
  std::size_t end = 0;
};

// Cuts MLIR's text into tokens, one ahead. What no token starts with, and what is expected and missing, is a
// base::InputError at its line and column. Does not own the text.
class Lexer {
 public:
  explicit Lexer(std::string_view text);

  const Token& token() const { return token_; }
  void next();

  bool at(TokenKind kind) const { return token_.kind == kind; }
  bool at(char mark) const { return token_.mark == mark; }
  bool at_word(std::string_view word) const { return token_.kind == TokenKind::kWord && token_.text == word; }
  bool accept(char mark);
  bool accept_word(std::string_view word);
  void expect(char mark);
  void expect_word(std::string_view word);
  Token take(TokenKind kind, std::string_view what);
  std::uint32_t take_count(std::string_view what);  // a decimal number of 32 bits

  // The token is the '<' of "<16x32xf32>": the sizes; then the token is what follows the last 'x'.
  Shape take_sizes();
  // The token opens a bracket: passes over everything up to its match, whatever it means, and returns that text.
  std::string_view skip_brackets();

  // A string token's value: "\22" is a quote.
  std::string unescaped(const Token& token) const;
  // The text between two places, for values that are kept as they are spelled.
  std::string_view text(std::size_t begin, std::size_t end) const { return text_.substr(begin, end - begin); }
  // The value's name that is spelled at `offset`, for messages.
  std::string_view value_name(std::size_t offset) const;

  [[noreturn]] void fail(std::size_t offset, std::string problem) const;
  [[noreturn]] void expected(std::string_view what) const;  // at the token
  // `token` names something that the executor lacks; when the text ends there, the name may be cut: an InputError.
  [[noreturn]] void unsupported(const Token& token, const std::string& what) const;

 private:
  void skip_blanks();
  std::size_t skip_name(std::size_t position) const;
  void lex_number();
  void lex_string(TokenKind kind);

  std::string_view text_;
  std::size_t position_ = 0;  // after the token
  Token token_;
};

}  // namespace tritonrl::ttir
