#include "ttir/ir/lexer.h"

#include <array>
#include <charconv>
#include <limits>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/text.h"
#include "ttir/unsupported.h"

namespace tritonrl::ttir {
namespace {

enum CharClass : std::uint8_t { kDigit = 1, kLetter = 2, kWordPart = 4, kNamePart = 8, kBlank = 16, kMarkChar = 32 };

constexpr std::array<std::uint8_t, 256> char_classes() {
  std::array<std::uint8_t, 256> classes{};
  for (int c = '0'; c <= '9'; ++c) classes[c] = kDigit | kWordPart | kNamePart;
  for (int c = 'a'; c <= 'z'; ++c) classes[c] = kLetter | kWordPart | kNamePart;
  for (int c = 'A'; c <= 'Z'; ++c) classes[c] = kLetter | kWordPart | kNamePart;
  classes['_'] = kLetter | kWordPart | kNamePart;
  classes['$'] = classes['.'] = kWordPart | kNamePart;
  classes['-'] = kNamePart | kMarkChar;
  for (const char c : {' ', '\t', '\n', '\r'}) classes[static_cast<unsigned char>(c)] = kBlank;
  for (const char c : {'(', ')', '{', '}', '[', ']', '<', '>', ',', ':', '=', '*', '+', '?', '|', '/'})
    classes[static_cast<unsigned char>(c)] = kMarkChar;
  return classes;
}
constexpr std::array<std::uint8_t, 256> kClasses = char_classes();

bool is(char c, std::uint8_t classes) { return (kClasses[static_cast<unsigned char>(c)] & classes) != 0; }

bool is_hex_digit(char c) { return is(c, kDigit) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }

int hex_value(char c) {
  if (is(c, kDigit)) return c - '0';
  return (c >= 'a' ? c - 'a' : c - 'A') + 10;
}

}  // namespace

Lexer::Lexer(std::string_view text) : text_(text) { next(); }

void Lexer::skip_blanks() {
  while (position_ < text_.size()) {
    if (is(text_[position_], kBlank)) {
      ++position_;
    } else if (text_.substr(position_).starts_with("//")) {
      const std::size_t end = text_.find('\n', position_);
      position_ = end == std::string_view::npos ? text_.size() : end;
    } else {
      return;
    }
  }
}

std::size_t Lexer::skip_name(std::size_t position) const {
  const std::uint8_t part = position < text_.size() && is(text_[position], kDigit) ? kDigit : kNamePart;
  while (position < text_.size() && is(text_[position], part)) ++position;
  return position;
}

void Lexer::next() {
  skip_blanks();
  token_ = Token();
  token_.offset = token_.end = position_;
  if (position_ >= text_.size()) return;
  const char first = text_[position_];
  if (is(first, kLetter)) {
    while (position_ < text_.size() && is(text_[position_], kWordPart)) ++position_;
    token_.kind = TokenKind::kWord;
    token_.text = text(token_.offset, position_);
  } else if (first == '%' || first == '#' || first == '^' || first == '!' || first == '@') {
    if (first == '@' && position_ + 1 < text_.size() && text_[position_ + 1] == '"') {
      ++position_;
      lex_string(TokenKind::kSymbol);
    } else {
      token_.kind = first == '%'   ? TokenKind::kValue
                    : first == '#' ? TokenKind::kHash
                    : first == '^' ? TokenKind::kLabel
                    : first == '!' ? TokenKind::kTypeName
                                   : TokenKind::kSymbol;
      position_ = skip_name(position_ + 1);
      token_.text = text(token_.offset + 1, position_);
      if (token_.text.empty()) fail(token_.offset, std::string("a name is missing after '") + first + "'");
    }
  } else if (first == '"') {
    lex_string(TokenKind::kString);
  } else if (is(first, kDigit) || (first == '-' && position_ + 1 < text_.size() && is(text_[position_ + 1], kDigit))) {
    lex_number();
  } else if (text_.substr(position_).starts_with("->")) {
    token_.kind = TokenKind::kMark;
    token_.mark = kArrow;
    position_ += 2;
    token_.text = text(token_.offset, position_);
  } else if (is(first, kMarkChar)) {
    token_.kind = TokenKind::kMark;
    token_.mark = first;
    ++position_;
    token_.text = text(token_.offset, position_);
  } else {
    fail(token_.offset, "no token of MLIR starts with '" + base::printable(text_.substr(position_, 1)) + "'");
  }
  token_.end = position_;
}

void Lexer::lex_number() {
  const auto skip_digits = [this] {
    while (position_ < text_.size() && is(text_[position_], kDigit)) ++position_;
  };
  token_.kind = TokenKind::kInteger;
  if (text_[position_] == '-') ++position_;
  if (text_[position_] == '0' && position_ + 2 < text_.size() && text_[position_ + 1] == 'x' &&
      is_hex_digit(text_[position_ + 2])) {
    position_ += 2;
    while (position_ < text_.size() && is_hex_digit(text_[position_])) ++position_;
  } else {
    skip_digits();
    if (position_ < text_.size() && text_[position_] == '.') {
      token_.kind = TokenKind::kFloat;
      ++position_;
      skip_digits();
      if (position_ < text_.size() && (text_[position_] == 'e' || text_[position_] == 'E')) {
        ++position_;
        if (position_ < text_.size() && (text_[position_] == '+' || text_[position_] == '-')) ++position_;
        if (position_ == text_.size() || !is(text_[position_], kDigit))
          fail(token_.offset, "this number has no digits in its exponent");
        skip_digits();
      }
    }
  }
  token_.text = text(token_.offset, position_);
}

void Lexer::lex_string(TokenKind kind) {
  const std::size_t begin = ++position_;
  while (true) {
    position_ = text_.find_first_of("\"\\\n", position_);
    if (position_ == std::string_view::npos || text_[position_] == '\n')
      fail(token_.offset, "this string has no closing quote");
    if (text_[position_] == '"') break;
    position_ += 2;
  }
  token_.kind = kind;
  token_.text = text(begin, position_);
  ++position_;
}

bool Lexer::accept(char mark) {
  if (!at(mark)) return false;
  next();
  return true;
}

bool Lexer::accept_word(std::string_view word) {
  if (!at_word(word)) return false;
  next();
  return true;
}

void Lexer::expect(char mark) {
  if (!at(mark)) expected(mark == kArrow ? "'->'" : std::string("'") + mark + "'");
  next();
}

void Lexer::expect_word(std::string_view word) {
  if (!at_word(word)) expected("'" + std::string(word) + "'");
  next();
}

Token Lexer::take(TokenKind kind, std::string_view what) {
  if (token_.kind != kind) expected(what);
  const Token taken = token_;
  next();
  return taken;
}

std::uint32_t Lexer::take_count(std::string_view what) {
  const Token token = take(TokenKind::kInteger, what);
  std::uint32_t value = 0;
  const char* end = token.text.data() + token.text.size();
  const auto [stop, error] = std::from_chars(token.text.data(), end, value);
  if (error != std::errc() || stop != end) fail(token.offset, "this number is out of range for " + std::string(what));
  return value;
}

Shape Lexer::take_sizes() {
  constexpr std::int64_t kTooLarge = std::int64_t{1} << 40;
  Shape sizes;
  while (true) {
    skip_blanks();
    if (position_ >= text_.size()) break;
    const char first = text_[position_];
    if (first == '?' || first == '*') {
      if (position_ + 1 == text_.size()) break;
      unsupported(token_, "a tensor whose size is not in its type");
    }
    if (first == '-') fail(position_, "a tensor's sizes are positive");
    if (!is(first, kDigit)) break;
    const std::size_t begin = position_;
    std::int64_t size = 0;
    for (; position_ < text_.size() && is(text_[position_], kDigit); ++position_)
      if (size < kTooLarge) size = size * 10 + (text_[position_] - '0');
    if (size == 0) fail(begin, "a tensor's sizes are positive");
    if (sizes.size() == kMaxRank) fail(begin, "a tensor has at most " + std::to_string(kMaxRank) + " dimensions");
    sizes.push_back(size);
    skip_blanks();
    if (position_ == text_.size() || text_[position_] != 'x') {
      next();
      expected("'x' and the tensor's next size or its element");
    }
    ++position_;
  }
  next();
  return sizes;
}

std::string_view Lexer::skip_brackets() {
  const std::size_t begin = token_.offset;
  std::vector<char> closers;
  while (true) {
    if (at('<')) closers.push_back('>');
    if (at('(')) closers.push_back(')');
    if (at('[')) closers.push_back(']');
    if (at('{')) closers.push_back('}');
    if (at('>') || at(')') || at(']') || at('}')) {
      if (!at(closers.back())) expected(std::string("'") + closers.back() + "'");
      closers.pop_back();
    }
    if (at(TokenKind::kEnd)) expected(std::string("'") + closers.back() + "'");
    const std::size_t end = token_.end;
    next();
    if (closers.empty()) return text(begin, end);
  }
}

std::string Lexer::unescaped(const Token& token) const {
  std::string value;
  value.reserve(token.text.size());
  for (std::size_t i = 0; i < token.text.size(); ++i) {
    if (token.text[i] != '\\') {
      value += token.text[i];
      continue;
    }
    const char escape = ++i < token.text.size() ? token.text[i] : '\0';
    if (escape == '"' || escape == '\\') {
      value += escape;
    } else if (escape == 'n') {
      value += '\n';
    } else if (escape == 't') {
      value += '\t';
    } else if (is_hex_digit(escape) && i + 1 < token.text.size() && is_hex_digit(token.text[i + 1])) {
      value += static_cast<char>(hex_value(escape) * 16 + hex_value(token.text[++i]));
    } else {
      fail(token.offset, "this string has an escape that MLIR does not know");
    }
  }
  return value;
}

std::string_view Lexer::value_name(std::size_t offset) const {
  std::size_t end = skip_name(offset + 1);
  if (end < text_.size() && text_[end] == '#') end = skip_name(end + 1);
  return text(offset, end);
}

void Lexer::fail(std::size_t offset, std::string problem) const {
  const base::Position position = base::LineIndex(text_).position(offset);
  throw base::InputError({"ttir", position.line, position.column}, std::move(problem));
}

void Lexer::expected(std::string_view what) const {
  std::string problem = "expected " + std::string(what);
  if (at(TokenKind::kEnd)) {
    problem += ", but the text ends";
  } else {
    problem += ", found '" + base::printable(text(token_.offset, token_.end), 60) + "'";
  }
  fail(token_.offset, std::move(problem));
}

void Lexer::unsupported(const Token& token, const std::string& what) const {
  if (token.end >= text_.size()) fail(token.end, "the text ends here");
  throw UnsupportedError(what);
}

}  // namespace tritonrl::ttir
