#include "base/text.h"

#include <algorithm>
#include <cstring>

namespace tritonrl::base {
namespace {

constexpr std::size_t kBlock = 256;
constexpr std::size_t kLongestName = 100;

bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool starts_code_point(char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }

// The length of the valid UTF-8 sequence at the start of `text`, or 0.
std::size_t sequence_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const auto follows = [&](std::size_t i, unsigned char low = 0x80, unsigned char high = 0xBF) {
    return i < text.size() && byte(i) >= low && byte(i) <= high;
  };
  const unsigned char lead = byte(0);
  if (lead < 0x80) {
    return 1;
  }
  if (lead < 0xC2 || lead > 0xF4) {
    return 0;
  }
  if (lead < 0xE0) {
    return follows(1) ? 2 : 0;
  }
  if (lead < 0xF0) {
    const unsigned char low = lead == 0xE0 ? 0xA0 : 0x80;
    const unsigned char high = lead == 0xED ? 0x9F : 0xBF;
    return follows(1, low, high) && follows(2) ? 3 : 0;
  }
  const unsigned char low = lead == 0xF0 ? 0x90 : 0x80;
  const unsigned char high = lead == 0xF4 ? 0x8F : 0xBF;
  return follows(1, low, high) && follows(2) && follows(3) ? 4 : 0;
}

std::string folded(std::string_view word) {
  std::string result(word);
  for (char& c : result) {
    c = c == '-' ? '_' : (c >= 'A' && c <= 'Z') ? static_cast<char>(c - 'A' + 'a') : c;
  }
  return result;
}

}  // namespace

std::size_t edit_distance(std::string_view a, std::string_view b) {
  // Three rows of the usual table: the one before last serves swaps.
  std::vector<std::size_t> before_last(b.size() + 1);
  std::vector<std::size_t> last(b.size() + 1);
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) {
    row[j] = j;
  }
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::swap(before_last, last);
    std::swap(last, row);
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t change = a[i - 1] == b[j - 1] ? 0 : 1;
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + change});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        row[j] = std::min(row[j], before_last[j - 2] + 1);
      }
    }
  }
  return row[b.size()];
}

std::optional<std::string> nearest_name(std::string_view word, const std::vector<std::string>& candidates) {
  if (word.empty() || word.size() > kLongestName) {
    return std::nullopt;
  }
  const std::string wanted = folded(word);
  const std::string* best = nullptr;
  std::size_t best_distance = std::max<std::size_t>(1, wanted.size() / 3) + 1;
  for (const std::string& candidate : candidates) {
    if (candidate.size() > kLongestName) {
      continue;
    }
    // Replacing every letter of a short word is no resemblance.
    const std::size_t distance = edit_distance(wanted, folded(candidate));
    if (distance < best_distance && distance < std::max(wanted.size(), candidate.size())) {
      best = &candidate;
      best_distance = distance;
    }
  }
  return best == nullptr ? std::nullopt : std::optional(*best);
}

std::optional<std::size_t> first_invalid_utf8(std::string_view text) {
  std::size_t i = 0;
  while (i < text.size()) {
    std::uint64_t word = 0;
    while (i + sizeof word <= text.size()) {
      std::memcpy(&word, text.data() + i, sizeof word);
      if ((word & 0x8080808080808080U) != 0) {
        break;
      }
      i += sizeof word;
    }
    if (i == text.size()) {
      break;
    }
    const std::size_t length = sequence_length(text.substr(i));
    if (length == 0) {
      return i;
    }
    i += length;
  }
  return std::nullopt;
}

std::string printable(std::string_view text, std::size_t max_bytes) {
  constexpr std::string_view kHex = "0123456789abcdef";
  std::string result;
  std::size_t i = 0;
  while (i < text.size()) {
    const auto byte = static_cast<unsigned char>(text[i]);
    const std::size_t length = sequence_length(text.substr(i));
    std::string piece;
    // C1 controls (U+0080..U+009F) reach some terminals as escape codes too.
    const bool c1_control = length == 2 && byte == 0xC2 && static_cast<unsigned char>(text[i + 1]) < 0xA0;
    if (length == 0 || byte < 0x20 || byte == 0x7F || c1_control) {
      piece = {'\\', 'x', kHex[byte >> 4U], kHex[byte & 15U]};
      ++i;
    } else {
      piece = text.substr(i, length);
      i += length;
    }
    if (result.size() + piece.size() > max_bytes) {
      return result + "...";
    }
    result += piece;
  }
  return result;
}

std::string_view strip(std::string_view text) {
  constexpr std::string_view kBlank = " \t\r\n\f\v";
  const std::size_t first = text.find_first_not_of(kBlank);
  if (first == std::string_view::npos) {
    return {};
  }
  return text.substr(first, text.find_last_not_of(kBlank) - first + 1);
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  while (true) {
    const std::size_t end = text.find(separator);
    parts.push_back(text.substr(0, end));
    if (end == std::string_view::npos) {
      return parts;
    }
    text.remove_prefix(end + 1);
  }
}

bool natural_less(std::string_view a, std::string_view b) {
  const std::string_view whole_a = a;
  const std::string_view whole_b = b;
  const auto take_number = [](std::string_view& text) {
    std::size_t length = 0;
    while (length < text.size() && is_digit(text[length])) {
      ++length;
    }
    std::string_view number = text.substr(0, length);
    text.remove_prefix(length);
    number.remove_prefix(std::min(number.find_first_not_of('0'), number.size()));
    return number;
  };
  while (!a.empty() && !b.empty()) {
    if (is_digit(a[0]) && is_digit(b[0])) {
      const std::string_view number_a = take_number(a);
      const std::string_view number_b = take_number(b);
      if (number_a.size() != number_b.size()) {
        return number_a.size() < number_b.size();
      }
      if (number_a != number_b) {
        return number_a < number_b;
      }
      continue;
    }
    if (a[0] != b[0]) {
      return static_cast<unsigned char>(a[0]) < static_cast<unsigned char>(b[0]);
    }
    a.remove_prefix(1);
    b.remove_prefix(1);
  }
  if (a.empty() != b.empty()) {
    return a.empty();
  }
  return whole_a < whole_b;  // "01" and "1": some order, always the same
}

LineIndex::LineIndex(std::string_view text) : text_(text) {
  starts_.push_back(0);
  std::size_t line_feed = text.find('\n');
  std::size_t carriage_return = text.find('\r');
  while (line_feed != carriage_return) {  // until there is neither
    const std::size_t end = std::min(line_feed, carriage_return);
    if (end == line_feed) {
      line_feed = text.find('\n', end + 1);
    } else {
      carriage_return = text.find('\r', end + 1);
      if (line_feed == end + 1) continue;
    }
    starts_.push_back(end + 1);
  }
  std::size_t seen = 0;
  for (std::size_t i = 0; i < text.size(); i += kBlock) {
    code_points_.push_back(seen);
    const std::string_view block = text.substr(i, kBlock);
    seen += static_cast<std::size_t>(std::count_if(block.begin(), block.end(), starts_code_point));
  }
  code_points_.push_back(seen);
}

std::size_t LineIndex::code_points_before(std::size_t byte_offset) const {
  if (byte_offset == text_.size()) {
    return code_points_.back();
  }
  const std::size_t block = byte_offset / kBlock;
  const std::string_view rest = text_.substr(block * kBlock, byte_offset % kBlock);
  return code_points_[block] + static_cast<std::size_t>(std::count_if(rest.begin(), rest.end(), starts_code_point));
}

Position LineIndex::position(std::size_t byte_offset) const {
  byte_offset = std::min(byte_offset, text_.size());
  const auto after = std::upper_bound(starts_.begin(), starts_.end(), byte_offset);
  const auto line = static_cast<std::size_t>(after - starts_.begin());
  const std::size_t column = code_points_before(byte_offset) - code_points_before(starts_[line - 1]) + 1;
  return {.line = line, .column = column};
}

std::string_view LineIndex::line_text(std::size_t line) const {
  if (line == 0 || line > starts_.size()) {
    return {};
  }
  const std::size_t start = starts_[line - 1];
  const std::size_t end = line < starts_.size() ? starts_[line] - 1 : text_.size();
  std::string_view text = text_.substr(start, end - start);
  if (text.ends_with('\r')) {
    text.remove_suffix(1);
  }
  return text;
}

}  // namespace tritonrl::base
