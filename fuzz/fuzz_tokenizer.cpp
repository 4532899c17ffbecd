// Bytes as a tokenizer.json: a tokenizer that encodes and decodes without loss, or an error that names its place.
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "base/error.h"
#include "tokenizer/tokenizer.h"

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  using namespace tritonrl;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  try {
    const auto tokenizer = tokenizer::Tokenizer::parse(text, "tokenizer.json");
    constexpr std::string_view kSample = "def f(x):\n\treturn x  # it's 12 <think>";
    if (tokenizer.decode_bytes(tokenizer.encode(kSample)).empty()) {
      std::fprintf(stderr, "does not hold: a text has tokens\n");
      std::abort();
    }
  } catch (const base::InputError& error) {
    if (error.where().line == 0) {
      std::fprintf(stderr, "does not hold: an error has its place: %s\n", error.what());
      std::abort();
    }
  } catch (const base::HostError&) {  // a pattern that PCRE2 gives up on
  }
  return 0;
}
