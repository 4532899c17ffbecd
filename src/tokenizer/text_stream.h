#pragma once

#include <string>
#include <string_view>

namespace tritonrl::tokenizer {

// Bytes of tokens, as they come, to text that is shown at once: always whole characters of valid UTF-8. Bytes that can
// be no character become U+FFFD, one for each maximal beginning of one, as Unicode recommends and Rust and Python do.
class TextStream {
 public:
  // What is complete now; the start of a character that may still come stays here.
  std::string push(std::string_view bytes);
  // The rest, at the end of all bytes: nothing, or one U+FFFD.
  std::string finish();

 private:
  std::string pending_;  // at most three bytes
};

}  // namespace tritonrl::tokenizer
