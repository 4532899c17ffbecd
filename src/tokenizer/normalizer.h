#pragma once

#include <string>
#include <string_view>

namespace tritonrl::tokenizer {

// Unicode's form NFC of valid UTF-8, exactly as HF's `tokenizers` has it: marks that Unicode got after version 9 are
// left alone, as there. Returns `text` itself where nothing changes, else a view of `storage`, which then holds the
// result. HostError when the program was built without libutf8proc and the text has characters that may need it.
std::string_view normalize_nfc(std::string_view text, std::string& storage);

// Whether this build can normalise every text.
bool can_normalize();

}  // namespace tritonrl::tokenizer
