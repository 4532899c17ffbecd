#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tritonrl::base {

// The candidate that `word` was most likely meant to be, or nothing when none is close.
// Distance is Damerau-Levenshtein (a swap is one step); case and '-' against '_' are free.
std::optional<std::string> nearest_name(std::string_view word, const std::vector<std::string>& candidates);

// Edits from `a` to `b`: insert, delete, replace, or swap two neighbours.
std::size_t edit_distance(std::string_view a, std::string_view b);

// The offset of the first byte that is not valid UTF-8 (overlong forms and surrogates are not).
std::optional<std::size_t> first_invalid_utf8(std::string_view text);
inline bool is_valid_utf8(std::string_view text) { return !first_invalid_utf8(text); }

// For messages: control characters and invalid bytes as \xNN, cut at `max_bytes` with "...".
std::string printable(std::string_view text, std::size_t max_bytes = 120);

std::string_view strip(std::string_view text);  // without blanks and line ends around it
std::vector<std::string_view> split(std::string_view text, char separator);

// "a2" before "a10": digits compare as numbers, the rest as bytes.
bool natural_less(std::string_view a, std::string_view b);

// Lines end with \n; \r\n counts as one end. Columns count UTF-8 code points. Both from 1.
struct Position {
  std::size_t line = 1;
  std::size_t column = 1;
  friend bool operator==(const Position&, const Position&) = default;
};

// Turns byte offsets of a text into positions. Constant time in the length of a line, so a
// megabyte on one line is fine. A lone carriage return ends a line, as in Python. Does not own the text.
class LineIndex {
 public:
  explicit LineIndex(std::string_view text);

  // An offset past the end is the end.
  Position position(std::size_t byte_offset) const;
  std::size_t line_count() const { return starts_.size(); }
  // The line's text without its end; empty when there is no such line.
  std::string_view line_text(std::size_t line) const;

 private:
  std::size_t code_points_before(std::size_t byte_offset) const;

  std::string_view text_;
  std::vector<std::size_t> starts_;       // byte offset of each line
  std::vector<std::size_t> code_points_;  // before each block of kBlock bytes
};

}  // namespace tritonrl::base
