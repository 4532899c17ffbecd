#include "pysource/token_stream.h"

#include <algorithm>
#include <array>
#include <utility>

#include "pysource/string_literal.h"

namespace tritonrl::pysource {
namespace {

// The grammar keeps the depth of a block in a byte.
constexpr std::uint32_t kMaxIndent = 255;

enum class CharKind : std::uint8_t { kOther, kBlank, kLineEnd, kLetter, kDigit, kQuote };

constexpr auto kCharKinds = [] {
  std::array<CharKind, 256> kinds{};
  for (const char c : {' ', '\t', '\f', '\r'}) kinds[static_cast<unsigned char>(c)] = CharKind::kBlank;
  for (std::size_t c = 'a'; c <= 'z'; ++c) kinds[c] = CharKind::kLetter;
  for (std::size_t c = 'A'; c <= 'Z'; ++c) kinds[c] = CharKind::kLetter;
  for (std::size_t c = '0'; c <= '9'; ++c) kinds[c] = CharKind::kDigit;
  kinds['_'] = CharKind::kLetter;
  kinds['\''] = kinds['"'] = CharKind::kQuote;
  kinds['\n'] = CharKind::kLineEnd;
  return kinds;
}();

CharKind char_kind(char c) { return kCharKinds[static_cast<unsigned char>(c)]; }
bool is_ascii(char c) { return static_cast<unsigned char>(c) < 0x80; }
bool is_name_char(char c) { return char_kind(c) == CharKind::kLetter || char_kind(c) == CharKind::kDigit; }
bool is_decimal(char c) { return char_kind(c) == CharKind::kDigit; }
bool is_octal(char c) { return c >= '0' && c <= '7'; }
bool is_binary(char c) { return c == '0' || c == '1'; }
bool is_hexadecimal(char c) { return is_decimal(c) || ((c | 0x20) >= 'a' && (c | 0x20) <= 'f'); }
bool is_imaginary_mark(char c) { return c == 'j' || c == 'J'; }

struct Keyword {
  std::string_view spelling;
  TokenKind kind = TokenKind::kName;
};

constexpr std::array<Keyword, 35> kKeywords = {{
    {"False", TokenKind::kFalse},
    {"None", TokenKind::kNone},
    {"True", TokenKind::kTrue},
    {"and", TokenKind::kAnd},
    {"as", TokenKind::kAs},
    {"assert", TokenKind::kAssert},
    {"async", TokenKind::kAsync},
    {"await", TokenKind::kAwait},
    {"break", TokenKind::kBreak},
    {"class", TokenKind::kClass},
    {"continue", TokenKind::kContinue},
    {"def", TokenKind::kDef},
    {"del", TokenKind::kDel},
    {"elif", TokenKind::kElif},
    {"else", TokenKind::kElse},
    {"except", TokenKind::kExcept},
    {"finally", TokenKind::kFinally},
    {"for", TokenKind::kFor},
    {"from", TokenKind::kFrom},
    {"global", TokenKind::kGlobal},
    {"if", TokenKind::kIf},
    {"import", TokenKind::kImport},
    {"in", TokenKind::kIn},
    {"is", TokenKind::kIs},
    {"lambda", TokenKind::kLambda},
    {"nonlocal", TokenKind::kNonlocal},
    {"not", TokenKind::kNot},
    {"or", TokenKind::kOr},
    {"pass", TokenKind::kPass},
    {"raise", TokenKind::kRaise},
    {"return", TokenKind::kReturn},
    {"try", TokenKind::kTry},
    {"while", TokenKind::kWhile},
    {"with", TokenKind::kWith},
    {"yield", TokenKind::kYield},
}};

// Different for every keyword; the table below does not compile otherwise.
constexpr std::size_t keyword_slot(std::string_view word) {
  const auto letter = [&](std::size_t at) { return static_cast<std::size_t>(static_cast<unsigned char>(word[at])); };
  return (letter(0) * 3 + letter(1) + letter(word.size() - 1) * 5 + word.size()) % 128;
}

constexpr auto kKeywordTable = [] {
  std::array<Keyword, 128> table{};
  for (const Keyword& keyword : kKeywords) {
    Keyword& slot = table[keyword_slot(keyword.spelling)];
    if (!slot.spelling.empty()) throw "two keywords in one slot";
    slot = keyword;
  }
  return table;
}();

TokenKind kind_of_word(std::string_view word) {
  if (word.size() < 2 || word.size() > 8) return TokenKind::kName;
  const Keyword& candidate = kKeywordTable[keyword_slot(word)];
  return candidate.spelling == word ? candidate.kind : TokenKind::kName;
}

bool is_string_prefix(std::string_view word) {
  constexpr std::array<std::string_view, 8> kPrefixes = {"r", "u", "b", "f", "br", "rb", "fr", "rf"};
  if (word.size() > 2) return false;
  std::array<char, 2> lower{};
  std::ranges::transform(word, lower.begin(), [](char c) { return static_cast<char>(c | 0x20); });
  return std::ranges::find(kPrefixes, std::string_view(lower.data(), word.size())) != kPrefixes.end();
}

// Every scan_... function returns false to give up.
class Scanner {
 public:
  explicit Scanner(std::string_view source) : source_(source), end_(static_cast<std::uint32_t>(source.size())) {
    if (source.starts_with("\xEF\xBB\xBF")) at_ = 3;
    stream_.tokens.reserve(source.size() / 3 + 16);
  }

  std::optional<TokenStream> run() {
    if (!start_line()) return std::nullopt;
    while (at_ < end_)
      if (!scan_token()) return std::nullopt;
    if (depth_ > 0 || !finish_last_line()) return std::nullopt;
    add(TokenKind::kEnd, end_, end_);
    return std::move(stream_);
  }

 private:
  struct Comment {
    std::uint32_t indent, begin, end;
  };

  char peek(std::uint32_t ahead = 0) const { return at_ + ahead < end_ ? source_[at_ + ahead] : '\0'; }

  void add(TokenKind kind, std::uint32_t begin, std::uint32_t end) {
    stream_.tokens.push_back({kind, begin, end});
    line_end_ = end;
  }
  bool take(TokenKind kind, std::uint32_t length) {
    add(kind, at_, at_ + length);
    at_ += length;
    return true;
  }

  // Lines

  std::uint32_t comment_end() const {
    return static_cast<std::uint32_t>(std::min<std::size_t>(source_.find('\n', at_), end_));
  }

  std::uint32_t measure_indent() {
    std::uint32_t indent = 0;
    for (; at_ < end_; ++at_) {
      const char c = source_[at_];
      if (c == ' ') {
        ++indent;
      } else if (c == '\t') {
        indent += 8;
      } else if (c == '\f') {
        indent = 0;
      } else {
        break;
      }
    }
    return indent;
  }

  // On to the next line that holds more than a comment, and into or out of blocks.
  bool start_line() {
    comments_.clear();
    std::uint32_t indent = 0;
    for (;; ++at_) {
      indent = measure_indent();
      if (peek() == '#') {
        const std::uint32_t end = comment_end();
        comments_.push_back({indent, at_, end});
        at_ = end;
      }
      if (at_ >= end_) indent = 0;
      if (at_ >= end_ || (source_[at_] != '\n' && source_[at_] != '\r')) break;
    }
    if (stream_.tokens.empty()) stream_.begin = comments_.empty() ? at_ : comments_[0].begin;
    if (peek() == '\\' || indent > kMaxIndent) return false;
    const bool usual = indent > indents_.back() ? open_block(indent) : close_blocks(indent);
    line_start_ = stream_.tokens.size();
    return usual;
  }

  bool open_block(std::uint32_t indent) {
    indents_.push_back(indent);
    add(TokenKind::kIndent, at_, at_);
    return true;
  }

  bool close_blocks(std::uint32_t indent) {
    auto comment = comments_.begin();
    for (; indents_.back() > indent; indents_.pop_back()) {
      std::uint32_t end = line_end_;
      for (; comment != comments_.end() && comment->indent >= indents_.back(); ++comment) end = comment->end;
      add(TokenKind::kDedent, end, end);
    }
    return indents_.back() == indent;
  }

  bool end_line() {
    add(TokenKind::kNewline, line_end_, line_end_);
    return start_line();
  }

  bool finish_last_line() { return line_start_ == stream_.tokens.size() || end_line(); }

  bool scan_line_end() {
    ++at_;
    if (depth_ == 0) return end_line();
    measure_indent();
    return fields_ == 0 && peek() != '\\';
  }

  bool scan_line_joint() {
    at_ += peek(1) == '\r' ? 2 : 1;
    if (fields_ > 0 || peek() != '\n') return false;
    ++at_;
    while (char_kind(peek()) == CharKind::kBlank) ++at_;
    return at_ < end_ && peek() != '\n' && peek() != '#' && peek() != '\\';
  }

  // Tokens

  bool scan_token() {
    const char c = source_[at_];
    switch (char_kind(c)) {
      case CharKind::kBlank:
        ++at_;
        return true;
      case CharKind::kLineEnd:
        return scan_line_end();
      case CharKind::kLetter:
        return scan_word();
      case CharKind::kDigit:
        return scan_number();
      case CharKind::kQuote:
        return scan_string(at_);
      case CharKind::kOther:
        return c == '#' ? scan_comment() : c == '\\' ? scan_line_joint() : scan_mark();
    }
    return false;
  }

  bool scan_comment() {
    if (fields_ > 0) return false;
    at_ = comment_end();
    line_end_ = at_;
    return true;
  }

  bool scan_word() {
    const std::uint32_t begin = at_;
    while (at_ < end_ && is_name_char(source_[at_])) ++at_;
    const std::string_view word = source_.substr(begin, at_ - begin);
    const char next = peek();
    if (!is_ascii(next)) return false;
    if (char_kind(next) == CharKind::kQuote && is_string_prefix(word)) return scan_string(begin);
    add(kind_of_word(word), begin, at_);
    return true;
  }

  // Digits with single underscores between them.
  template <typename IsDigit>
  bool skip_digits(IsDigit is_digit) {
    if (!is_digit(peek())) return false;
    while (is_digit(peek()) || (peek() == '_' && is_digit(peek(1)))) ++at_;
    return true;
  }

  bool scan_number() {
    const std::uint32_t begin = at_;
    const char mark = static_cast<char>(peek(1) | 0x20);
    TokenKind kind = TokenKind::kInt;
    if (peek() == '0' && (mark == 'x' || mark == 'o' || mark == 'b')) {
      at_ += peek(2) == '_' ? 3 : 2;
      const bool digits = mark == 'x'   ? skip_digits(is_hexadecimal)
                          : mark == 'o' ? skip_digits(is_octal)
                                        : skip_digits(is_binary);
      if (!digits) return false;
    } else {
      skip_digits(is_decimal);
      const std::string_view whole = source_.substr(begin, at_ - begin);
      if (whole.size() > 1 && whole[0] == '0' && whole.find_first_not_of('0') != std::string_view::npos) return false;
      if (peek() == '.') {
        kind = TokenKind::kFloat;
        ++at_;
        skip_digits(is_decimal);
      }
      if (peek() == 'e' || peek() == 'E') {
        kind = TokenKind::kFloat;
        at_ += peek(1) == '+' || peek(1) == '-' ? 2 : 1;
        if (!skip_digits(is_decimal)) return false;
      }
      if (is_imaginary_mark(peek())) ++at_;
    }
    if (is_name_char(peek()) || (peek() == '.' && kind == TokenKind::kInt) || !is_ascii(peek())) return false;
    add(kind, begin, at_);
    return true;
  }

  bool take_operator(TokenKind plain, TokenKind assigning, std::uint32_t length = 1) {
    return peek(length) == '=' ? take(assigning, length + 1) : take(plain, length);
  }

  bool open(TokenKind kind) {
    deepen(1);
    return take(kind, 1);
  }
  void deepen(std::uint32_t levels) {
    depth_ += levels;
    stream_.depth = std::max(stream_.depth, depth_);
  }

  bool close(TokenKind kind) {
    if (depth_ == 0) return false;
    --depth_;
    return take(kind, 1);
  }

  bool scan_mark() {
    const char next = peek(1);
    switch (source_[at_]) {
      case '(':
        return open(TokenKind::kLeftParen);
      case '[':
        return open(TokenKind::kLeftBracket);
      case '{':
        return open(TokenKind::kLeftBrace);
      case ')':
        return close(TokenKind::kRightParen);
      case ']':
        return close(TokenKind::kRightBracket);
      case '}':
        return close(TokenKind::kRightBrace);
      case ',':
        return take(TokenKind::kComma, 1);
      case ';':
        return take(TokenKind::kSemicolon, 1);
      case ':':
        return take_operator(TokenKind::kColon, TokenKind::kColonEqual);
      case '.':
        if (is_decimal(next)) return scan_number();
        if (next == '.' && peek(2) == '.') return take(TokenKind::kEllipsis, 3);
        return take(TokenKind::kDot, 1);
      case '=':
        return take_operator(TokenKind::kAssign, TokenKind::kEqual);
      case '!':
        return next == '=' && take(TokenKind::kNotEqual, 2);
      case '+':
        return take_operator(TokenKind::kPlus, TokenKind::kPlusAssign);
      case '-':
        if (next == '>') return take(TokenKind::kArrow, 2);
        return take_operator(TokenKind::kMinus, TokenKind::kMinusAssign);
      case '*':
        if (next == '*') return take_operator(TokenKind::kDoubleStar, TokenKind::kDoubleStarAssign, 2);
        return take_operator(TokenKind::kStar, TokenKind::kStarAssign);
      case '/':
        if (next == '/') return take_operator(TokenKind::kDoubleSlash, TokenKind::kDoubleSlashAssign, 2);
        return take_operator(TokenKind::kSlash, TokenKind::kSlashAssign);
      case '%':
        return take_operator(TokenKind::kPercent, TokenKind::kPercentAssign);
      case '@':
        return take_operator(TokenKind::kAt, TokenKind::kAtAssign);
      case '&':
        return take_operator(TokenKind::kAmpersand, TokenKind::kAmpersandAssign);
      case '|':
        return take_operator(TokenKind::kBar, TokenKind::kBarAssign);
      case '^':
        return take_operator(TokenKind::kCaret, TokenKind::kCaretAssign);
      case '~':
        return take(TokenKind::kTilde, 1);
      case '<':
        if (next == '<') return take_operator(TokenKind::kShiftLeft, TokenKind::kShiftLeftAssign, 2);
        return take_operator(TokenKind::kLess, TokenKind::kLessEqual);
      case '>':
        if (next == '>') return take_operator(TokenKind::kShiftRight, TokenKind::kShiftRightAssign, 2);
        return take_operator(TokenKind::kGreater, TokenKind::kGreaterEqual);
      default:
        return false;
    }
  }

  // Strings

  struct Quotes {
    char mark;
    std::uint32_t count;  // one or three
  };

  bool at_closing(Quotes quotes) const {
    return peek() == quotes.mark && (quotes.count == 1 || (peek(1) == quotes.mark && peek(2) == quotes.mark));
  }

  bool scan_string(std::uint32_t begin) {
    const StringPrefix prefix = read_string_prefix(source_.substr(begin, at_ + 1 - begin));
    const Quotes quotes{peek(), peek(1) == peek() && peek(2) == peek() ? 3U : 1U};
    at_ += quotes.count;
    const std::uint32_t body = at_;
    if (!skip_string_body(prefix, quotes)) return false;
    const std::uint32_t body_end = at_;
    at_ += quotes.count;
    if (!prefix.formatted) {
      add(TokenKind::kString, begin, at_);
      return true;
    }
    add(TokenKind::kFormattedBegin, begin, body);
    const std::uint32_t after = std::exchange(at_, body);
    const std::uint32_t end = std::exchange(end_, body_end);
    if (!scan_formatted_body()) return false;
    end_ = end;
    at_ = after;
    add(TokenKind::kFormattedEnd, body_end, after);
    return true;
  }

  // To the closing quotes as they are found without a look at fields.
  bool skip_string_body(const StringPrefix& prefix, Quotes quotes) {
    while (!at_closing(quotes)) {
      if (at_ >= end_ || (quotes.count == 1 && source_[at_] == '\n')) return false;
      const bool escape = source_[at_] == '\\';
      if (escape && !is_usual_escape(prefix)) return false;
      at_ += !escape ? 1 : peek(1) == '\r' ? 3 : 2;
    }
    return true;
  }

  // Not where the grammar's lexer and Python's may disagree about what belongs to the escape.
  bool is_usual_escape(const StringPrefix& prefix) const {
    const char next = peek(1);
    constexpr std::string_view kMarks = "\\'\"{}\r\n";
    if (prefix.raw) return !prefix.formatted || kMarks.find(next) == std::string_view::npos;
    if (prefix.bytes) return next != 'N' && next != 'u' && next != 'U';
    if (prefix.formatted) return next != 'N' && next != '{' && next != '}';
    return next != 'N' || peek(2) != '{' || is_character_name(at_ + 3);
  }

  // DASH} of "\N{DASH}".
  bool is_character_name(std::uint32_t at) const {
    std::uint32_t end = at;
    while (end < end_ && (is_name_char(source_[end]) || source_[end] == ' ' || source_[end] == '-')) ++end;
    return end > at && end < end_ && source_[end] == '}';
  }

  bool scan_formatted_body() {
    std::uint32_t text = at_;
    const auto end_text = [&] {
      if (at_ > text) add(TokenKind::kFormattedText, text, at_);
    };
    while (at_ < end_) {
      const char c = source_[at_];
      const bool doubled = (c == '{' || c == '}') && peek(1) == c;
      if (doubled || c == '\\') {
        at_ += 2;
      } else if (c == '{') {
        end_text();
        if (!scan_field()) return false;
        text = at_;
      } else if (c == '}') {
        return false;
      } else {
        ++at_;
      }
    }
    end_text();
    return true;
  }

  bool scan_field() {
    take(TokenKind::kFieldBegin, 1);
    const std::uint32_t outside = depth_;
    deepen(3);
    const std::uint32_t inside = depth_;
    ++fields_;
    while (at_ < end_ && depth_ >= inside) {
      const char c = source_[at_];
      const bool ends = c == '}' || c == ':' || (c == '!' && peek(1) != '=');
      if (ends && depth_ == inside) break;
      if (!scan_token()) return false;
    }
    if (depth_ != inside) return false;
    if (peek() == '!') {
      if (peek(1) < 'a' || peek(1) > 'z') return false;
      take(TokenKind::kFieldConversion, 2);
      while (char_kind(peek()) == CharKind::kBlank) ++at_;
    }
    if (peek() == ':' && !scan_format()) return false;
    depth_ = outside;
    --fields_;
    return peek() == '}' && take(TokenKind::kFieldEnd, 1);
  }

  // :>{width}
  bool scan_format() {
    if (formats_ > 0) return false;
    ++formats_;
    take(TokenKind::kFieldColon, 1);
    while (at_ < end_ && peek() != '}') {
      if (peek() == '{') {
        if (peek(1) == '{' || !scan_field()) return false;
        continue;
      }
      const std::uint32_t text = at_;
      for (; at_ < end_ && peek() != '{' && peek() != '}'; ++at_)
        if (peek() == '\n' || peek() == '\\') return false;
      add(TokenKind::kFormattedText, text, at_);
    }
    --formats_;
    return true;
  }

  std::string_view source_;
  std::uint32_t at_ = 0;
  std::uint32_t end_;  // of the source, or of the string whose fields are read
  TokenStream stream_;
  std::size_t line_start_ = 0;  // the first token of this line
  std::uint32_t line_end_ = 0;  // of the last token or trailing comment
  std::vector<std::uint32_t> indents_{0};
  std::vector<Comment> comments_;  // on lines of their own, since the last token
  std::uint32_t depth_ = 0;
  std::uint32_t fields_ = 0;
  std::uint32_t formats_ = 0;
};

}  // namespace

std::optional<TokenStream> read_tokens(std::string_view source) { return Scanner(source).run(); }

}  // namespace tritonrl::pysource
