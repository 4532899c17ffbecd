#include "pysource/source_limits.h"

#include <algorithm>
#include <vector>

#include "base/text.h"

namespace tritonrl::pysource {
namespace {

// CPython refuses more: MAXLEVEL and MAXINDENT of its tokenizer.
constexpr std::size_t kMaxBrackets = 200;
constexpr std::size_t kMaxIndents = 100;
constexpr std::size_t kMaxColumns = 200;  // parsers keep an indentation in a byte
constexpr std::size_t kMaxRun = 50;

// PEP 263: a comment on one of the first two lines may name an encoding, and Python would read the file in it.
std::optional<SourceError> foreign_coding(std::string_view source) {
  std::size_t begin = 0;
  for (int line = 0; line < 2 && begin < source.size(); ++line) {
    const std::size_t end = std::min(source.find('\n', begin), source.size());
    const std::string_view text = source.substr(begin, end - begin);
    const auto comment = text.find_first_not_of(" \t\f");
    if (comment != std::string_view::npos && text[comment] != '#') return std::nullopt;
    const auto key = text.find("coding");
    if (key != std::string_view::npos && key + 6 < text.size() && (text[key + 6] == ':' || text[key + 6] == '=')) {
      const auto first = text.find_first_not_of(" \t", key + 7);
      std::string name;
      for (std::size_t at = first; at < text.size(); ++at) {
        const char c = text[at];
        const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
        if (!letter && c != '-' && c != '_' && c != '.') break;
        name += c == '_' ? '-' : static_cast<char>(c >= 'A' && c <= 'Z' ? c + 32 : c);
      }
      if (!name.empty() && name != "utf-8" && name != "utf8" && name != "ascii" && name != "us-ascii") {
        return SourceError{SourceError::Kind::kEncoding, static_cast<std::uint32_t>(begin + key),
                           "the source asks to be read as " + name + "; only UTF-8 is read"};
      }
    }
    begin = end + 1;
  }
  return std::nullopt;
}

// Walks the text as a tokenizer does: strings and comments are skipped, brackets and indents counted.
class NestingScan {
 public:
  explicit NestingScan(std::string_view source) : source_(source) {}

  std::optional<SourceError> run() {
    while (at_ < source_.size()) {
      if (line_start_ && brackets_ == 0) {
        if (auto error = measure_indent()) return error;
        if (at_ >= source_.size()) break;
      }
      line_start_ = false;
      const char c = source_[at_];
      if (auto error = count_run(c)) return error;
      if (c == '`') return syntax_error("backticks are Python 2");
      if (c != ' ' && c != '\t' && c != '\n' && c != '\r' && c != '#' && c != '\f') last_ = c;
      if (c == '\n') {
        line_start_ = true;
        ++at_;
      } else if (c == '#') {
        at_ = std::min(source_.find('\n', at_), source_.size());
      } else if (c == '"' || c == '\'') {
        skip_string();
      } else {
        if (c == '(' || c == '[' || c == '{') {
          if (++brackets_ > kMaxBrackets) return too_deep("brackets are nested more than 200 deep");
        } else if ((c == ')' || c == ']' || c == '}') && brackets_ > 0) {
          --brackets_;
        }
        at_ += c == '\\' ? 2 : 1;
        if (c == '\\' && source_.substr(at_ - 1, 2) == "\r\n") ++at_;
      }
    }
    if (last_ == ':' && brackets_ == 0) return syntax_error("an indented block is expected at the end of the file");
    return std::nullopt;
  }

 private:
  SourceError too_deep(std::string message) const {
    return {SourceError::Kind::kTooDeep, static_cast<std::uint32_t>(at_), std::move(message)};
  }

  // Long runs of dots or joined lines mean nothing in Python, and a parser takes time quadratic in them.
  std::optional<SourceError> count_run(char c) {
    const bool dot = c == '.' && at_ > 0 && source_[at_ - 1] == '.';
    const bool join = c == '\\' && last_ == '\\';
    if (c != ' ' && c != '\t' && c != '\r' && c != '\n') run_ = dot || join ? run_ + 1 : 0;
    if (run_ <= kMaxRun) return std::nullopt;
    return too_deep(dot ? "more than 50 dots follow one another"
                        : "more than 50 lines are joined by backslashes alone");
  }

  SourceError syntax_error(std::string message) const {
    return {SourceError::Kind::kSyntax, static_cast<std::uint32_t>(at_), std::move(message)};
  }

  // As CPython does: tabs to multiples of eight, and once more with tabs as one column. Where the two disagree about
  // which line is deeper, the source means different things to different readers.
  std::optional<SourceError> measure_indent() {
    Indent now;
    while (at_ < source_.size() && (source_[at_] == ' ' || source_[at_] == '\t' || source_[at_] == '\f')) {
      if (source_[at_] == '\f') {
        now = {};
      } else {
        now.width = source_[at_] == '\t' ? (now.width / 8 + 1) * 8 : now.width + 1;
        ++now.characters;
      }
      ++at_;
    }
    if (at_ >= source_.size() || source_[at_] == '\n' || source_[at_] == '\r' || source_[at_] == '#') return {};
    if (now.width > kMaxColumns) return too_deep("a line is indented more than 200 columns");
    if (source_[at_] == '\\') return syntax_error("a backslash ends this indentation");
    const auto current = [&] { return indents_.empty() ? Indent{} : indents_.back(); };
    if (last_ == ':' && now.width <= current().width) return syntax_error("an indented block is expected here");
    if (now.width > current().width) {
      if (now.characters <= current().characters) return syntax_error("tabs and spaces are mixed in this indentation");
      if (last_ != ':') return syntax_error("this line is indented for no reason");
      indents_.push_back(now);
      if (indents_.size() > kMaxIndents) return too_deep("blocks are nested more than 100 deep");
      return {};
    }
    while (!indents_.empty() && current().width > now.width) indents_.pop_back();
    if (now.width != current().width) return syntax_error("this indentation matches no outer level");
    if (now.characters != current().characters) return syntax_error("tabs and spaces are mixed in this indentation");
    return {};
  }

  void skip_string() {
    const char quote = source_[at_];
    const bool triple = source_.substr(at_, 3) == std::string_view(quote == '"' ? "\"\"\"" : "'''");
    at_ += triple ? 3 : 1;
    while (at_ < source_.size()) {
      if (source_[at_] == '\\') {
        at_ += 2;
      } else if (triple && source_.substr(at_, 3) == std::string_view(quote == '"' ? "\"\"\"" : "'''")) {
        at_ += 3;
        return;
      } else if (!triple && (source_[at_] == quote || source_[at_] == '\n')) {
        at_ += source_[at_] == quote ? 1 : 0;
        return;
      } else {
        ++at_;
      }
    }
    at_ = std::min(at_, source_.size());
  }

  std::string_view source_;
  std::size_t at_ = 0;
  std::size_t brackets_ = 0;
  struct Indent {
    std::size_t width = 0;
    std::size_t characters = 0;
  };
  std::vector<Indent> indents_;
  char last_ = 0;  // the last character of the line before that is no blank and no comment
  std::size_t run_ = 0;
  bool line_start_ = true;
};

}  // namespace

std::optional<SourceError> find_limit_violation(std::string_view source) {
  if (source.size() > kMaxSourceBytes) {
    return SourceError{SourceError::Kind::kTooLarge, 0, "the source is larger than 1 MiB"};
  }
  if (const auto nul = source.find('\0'); nul != std::string_view::npos) {
    return SourceError{SourceError::Kind::kEncoding, static_cast<std::uint32_t>(nul), "the source holds a NUL byte"};
  }
  if (const auto bad = base::first_invalid_utf8(source)) {
    return SourceError{SourceError::Kind::kEncoding, static_cast<std::uint32_t>(*bad), "the source is not valid UTF-8"};
  }
  if (auto cookie = foreign_coding(source)) return cookie;
  return NestingScan(source).run();
}

}  // namespace tritonrl::pysource
