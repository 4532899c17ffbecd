#include "pysource/source_limits.h"

#include <algorithm>
#include <vector>

#include "base/text.h"

namespace tritonrl::pysource {
namespace {

// CPython refuses more: MAXLEVEL and MAXINDENT of its tokenizer.
constexpr std::size_t kMaxBrackets = 200;
constexpr std::size_t kMaxIndents = 100;

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
    return std::nullopt;
  }

 private:
  SourceError too_deep(std::string message) const {
    return {SourceError::Kind::kTooDeep, static_cast<std::uint32_t>(at_), std::move(message)};
  }

  std::optional<SourceError> measure_indent() {
    std::size_t width = 0;
    while (at_ < source_.size() && (source_[at_] == ' ' || source_[at_] == '\t' || source_[at_] == '\f')) {
      width = source_[at_] == '\t' ? (width / 8 + 1) * 8 : width + 1;
      ++at_;
    }
    if (at_ >= source_.size() || source_[at_] == '\n' || source_[at_] == '\r' || source_[at_] == '#') return {};
    while (!indents_.empty() && indents_.back() > width) {
      indents_.pop_back();
      if (width > (indents_.empty() ? 0 : indents_.back())) {
        return SourceError{SourceError::Kind::kSyntax, static_cast<std::uint32_t>(at_),
                           "this indentation matches no outer level"};
      }
    }
    if (width > (indents_.empty() ? 0 : indents_.back())) {
      indents_.push_back(width);
      if (indents_.size() > kMaxIndents) return too_deep("blocks are nested more than 100 deep");
    }
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
  std::vector<std::size_t> indents_;
  bool line_start_ = true;
};

}  // namespace

std::optional<SourceError> find_limit_violation(std::string_view source) {
  if (source.size() > kMaxSourceBytes) {
    return SourceError{SourceError::Kind::kTooLarge, 0,
                       "the source has " + std::to_string(source.size()) + " bytes; 1 MiB is the limit"};
  }
  if (const auto nul = source.find('\0'); nul != std::string_view::npos) {
    return SourceError{SourceError::Kind::kEncoding, static_cast<std::uint32_t>(nul), "the source holds a NUL byte"};
  }
  if (const auto bad = base::first_invalid_utf8(source)) {
    return SourceError{SourceError::Kind::kEncoding, static_cast<std::uint32_t>(*bad), "the source is not valid UTF-8"};
  }
  return NestingScan(source).run();
}

}  // namespace tritonrl::pysource
