#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace tritonrl::analysis {

// Bytes [begin, end) of a response.
struct ByteSpan {
  std::size_t begin = 0;
  std::size_t end = 0;
  bool empty() const { return begin == end; }
  std::string_view of(std::string_view text) const { return text.substr(begin, end - begin); }
  friend bool operator==(const ByteSpan&, const ByteSpan&) = default;
};

// A model's response: the plan up to and with the first </think> (empty without one), and the code, which is the last
// complete fenced block after it that defines the entry. A <think> that is never closed leaves no code. Works on bytes:
// CRLF, NUL and broken UTF-8 are no obstacle.
struct Response {
  ByteSpan plan;
  std::optional<ByteSpan> code;
  std::size_t blocks = 0;       // complete fenced blocks after the plan
  bool unclosed_fence = false;  // a block was begun and not ended
};

// Without an entry the last complete block is the code. Linear in the text.
Response split_response(std::string_view text, std::optional<std::string_view> entry);

}  // namespace tritonrl::analysis
