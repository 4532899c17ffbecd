#include <algorithm>

#include "base/error.h"
#include "tokenizer/normalizer.h"

namespace tritonrl::tokenizer {

// U+0300 is the first character that normalisation touches; its first byte is 0xCC.
std::string_view normalize_nfc(std::string_view text, std::string& /*storage*/) {
  const auto is_late = [](char byte) { return static_cast<unsigned char>(byte) >= 0xCC; };
  if (std::ranges::none_of(text, is_late)) return text;
  throw base::HostError(
      "this program was built without libutf8proc, so it cannot bring such a text into Unicode's form NFC");
}

bool can_normalize() { return false; }

}  // namespace tritonrl::tokenizer
