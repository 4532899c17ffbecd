#include "tokenizer/character_class.h"
#include "tokenizer/code_point.h"
#include "tokenizer/split_pattern.h"

// kQwenPattern's alternatives by hand. A character is a letter, a number, a space or, with none of these flags, a
// symbol, so every character belongs to a piece.
namespace tritonrl::tokenizer {
namespace {

constexpr std::uint8_t kKinds = kLetter | kNumber | kSpace;
constexpr std::uint8_t kSymbol = 0;

bool is_line_end(char c) { return c == '\r' || c == '\n'; }

class Scanner {
 public:
  Scanner(std::string_view text, const std::uint8_t* classes) : text_(text), classes_(classes) {}

  // The end of the piece that starts at `at`, which is not the text's end.
  std::size_t piece_end(std::size_t at) const {
    if (text_[at] == '\'') {
      if (const std::size_t end = contraction_end(at); end != at) return end;
    }
    const CodePoint first = code_point_at(text_, at);
    const std::size_t second = at + first.bytes;
    const std::uint8_t kind = kind_of(first.value);
    if (kind == kLetter) return skip(second, kLetter);
    if (kind == kNumber) return second;
    if (!is_line_end(text_[at]) && is_kind(second, kLetter)) return skip(second, kLetter);
    if (kind == kSymbol) return line_ends_after(skip(second, kSymbol));
    if (text_[at] == ' ' && is_kind(second, kSymbol)) return line_ends_after(skip(second, kSymbol));
    return blank_end(at);
  }

 private:
  std::uint8_t kind_of(char32_t c) const { return classes_[c] & kKinds; }

  bool is_kind(std::size_t at, std::uint8_t kind) const {
    return at < text_.size() && kind_of(code_point_at(text_, at).value) == kind;
  }

  std::size_t skip(std::size_t at, std::uint8_t kind) const {
    while (at < text_.size()) {
      const CodePoint c = code_point_at(text_, at);
      if (kind_of(c.value) != kind) break;
      at += c.bytes;
    }
    return at;
  }

  std::size_t line_ends_after(std::size_t at) const {
    while (at < text_.size() && is_line_end(text_[at])) ++at;
    return at;
  }

  // 's 't 're 've 'm 'll 'd in either case, `at` when there is none. The long s folds to s.
  std::size_t contraction_end(std::size_t at) const {
    const auto lower = [&](std::size_t i) { return i < text_.size() ? static_cast<char>(text_[i] | 0x20) : '\0'; };
    switch (lower(at + 1)) {
      case 's':
      case 't':
      case 'm':
      case 'd':
        return at + 2;
      case 'r':
      case 'v':
        return lower(at + 2) == 'e' ? at + 3 : at;
      case 'l':
        return lower(at + 2) == 'l' ? at + 3 : at;
      default:
        return text_.substr(at + 1).starts_with("\u017F") ? at + 3 : at;
    }
  }

  // `\s*[\r\n]+`, else `\s+(?!\S)`, else `\s+`: up to the last line end of the run of spaces, or to the run's last
  // space when something follows it.
  std::size_t blank_end(std::size_t at) const {
    std::size_t end = at;
    std::size_t last_start = at;
    std::size_t line_end = at;
    while (end < text_.size()) {
      const CodePoint c = code_point_at(text_, end);
      if (kind_of(c.value) != kSpace) break;
      last_start = end;
      end += c.bytes;
      if (is_line_end(text_[last_start])) line_end = end;
    }
    if (line_end != at) return line_end;
    return end == text_.size() || last_start == at ? end : last_start;
  }

  std::string_view text_;
  const std::uint8_t* classes_;
};

class QwenPattern : public SplitPattern {
 public:
  void split(std::string_view text, std::vector<std::size_t>& ends) const override {
    const Scanner scanner(text, classes_);
    ends.clear();
    for (std::size_t at = 0; at < text.size();) {
      at = scanner.piece_end(at);
      ends.push_back(at);
    }
  }

 private:
  const std::uint8_t* classes_ = character_classes();
};

}  // namespace

std::unique_ptr<SplitPattern> make_qwen_pattern() { return std::make_unique<QwenPattern>(); }

}  // namespace tritonrl::tokenizer
