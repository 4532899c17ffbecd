#include "tokenizer/split_pattern.h"

namespace tritonrl::tokenizer {

std::unique_ptr<SplitPattern> make_regex_pattern(const std::string& regex, const base::Place& where) {
  throw base::HostError(where.text() + ": this program was built without PCRE2, and knows only Qwen's pattern, not '" +
                        regex + "'");
}

bool can_match_regex() { return false; }

}  // namespace tritonrl::tokenizer
