#define PCRE2_CODE_UNIT_WIDTH 8
#include <fmt/format.h>
#include <pcre2.h>

#include <array>
#include <new>

#include "tokenizer/code_point.h"
#include "tokenizer/split_pattern.h"

namespace tritonrl::tokenizer {
namespace {

// PCRE2 counts U+180E as a space, which Unicode does not any more: `\s` and `\S` are spelled out.
std::string with_unicode_spaces(std::string_view regex) {
  constexpr std::string_view kSpaces = R"(\t-\r \x{85}\p{Z})";
  std::string out;
  bool in_class = false;
  for (std::size_t i = 0; i < regex.size(); ++i) {
    if (regex[i] == '\\' && i + 1 < regex.size()) {
      const char escaped = regex[++i];
      if (escaped == 's') {
        out += in_class ? std::string(kSpaces) : fmt::format("[{}]", kSpaces);
      } else if (escaped == 'S' && !in_class) {
        out += fmt::format("[^{}]", kSpaces);
      } else {
        out.append({'\\', escaped});
      }
      continue;
    }
    if (regex[i] == '[') in_class = true;
    if (regex[i] == ']') in_class = false;
    out.push_back(regex[i]);
  }
  return out;
}

struct FreeCode {
  void operator()(pcre2_code* code) const { pcre2_code_free(code); }
};
struct FreeMatch {
  void operator()(pcre2_match_data* match) const { pcre2_match_data_free(match); }
};

std::string error_text(int error) {
  std::array<unsigned char, 256> buffer{};
  pcre2_get_error_message(error, buffer.data(), buffer.size());
  return reinterpret_cast<const char*>(buffer.data());
}

class RegexPattern : public SplitPattern {
 public:
  RegexPattern(const std::string& regex, const base::Place& where) {
    const std::string spelled = with_unicode_spaces(regex);
    int error = 0;
    std::size_t offset = 0;
    code_.reset(pcre2_compile(reinterpret_cast<PCRE2_SPTR>(spelled.data()), spelled.size(),
                              PCRE2_UTF | PCRE2_UCP | PCRE2_NEVER_BACKSLASH_C, &error, &offset, nullptr));
    if (!code_) {
      throw base::InputError(where,
                             fmt::format("the pattern '{}' is none that PCRE2 takes: {}", regex, error_text(error)));
    }
    // Without a JIT, where memory may not be executable, the same matches come slowly.
    pcre2_jit_compile(code_.get(), PCRE2_JIT_COMPLETE);
  }

  // What lies between matches is a piece too.
  void split(std::string_view text, std::vector<std::size_t>& ends) const override {
    ends.clear();
    const std::unique_ptr<pcre2_match_data, FreeMatch> match(pcre2_match_data_create(1, nullptr));
    if (!match) throw std::bad_alloc();
    std::size_t piece = 0;
    for (std::size_t at = 0; at < text.size();) {
      const int found = pcre2_match(code_.get(), reinterpret_cast<PCRE2_SPTR>(text.data()), text.size(), at,
                                    PCRE2_NO_UTF_CHECK, match.get(), nullptr);
      if (found == PCRE2_ERROR_NOMATCH) break;
      if (found < 0) throw base::HostError("a text's pattern could not be matched: " + error_text(found));
      const std::size_t* span = pcre2_get_ovector_pointer(match.get());
      if (span[0] > piece) ends.push_back(span[0]);
      if (span[1] > span[0]) ends.push_back(span[1]);
      piece = span[1];
      at = span[1] > span[0] || span[1] >= text.size() ? span[1] : span[1] + code_point_at(text, span[1]).bytes;
    }
    if (piece < text.size()) ends.push_back(text.size());
  }

 private:
  std::unique_ptr<pcre2_code, FreeCode> code_;
};

}  // namespace

std::unique_ptr<SplitPattern> make_regex_pattern(const std::string& regex, const base::Place& where) {
  return std::make_unique<RegexPattern>(regex, where);
}

bool can_match_regex() { return true; }

}  // namespace tritonrl::tokenizer
