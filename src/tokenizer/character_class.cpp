#include "tokenizer/character_class.h"

#include <algorithm>
#include <charconv>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/text.h"
#include "tokenizer/data/character_classes.txt.h"

namespace tritonrl::tokenizer {
namespace {

constexpr std::size_t kCodePoints = 0x110000;

std::uint8_t flags_of(std::string_view name) {
  if (name == "letter") return kLetter | kWord;
  if (name == "number") return kNumber;
  if (name == "space") return kSpace;
  base::check(name == "word", "character_classes.txt names an unknown class");
  return kWord;
}

std::size_t hexadecimal(std::string_view digits) {
  std::size_t value = 0;
  const auto result = std::from_chars(digits.data(), digits.data() + digits.size(), value, 16);
  base::check(result.ec == std::errc() && value < kCodePoints, "character_classes.txt holds no such code point");
  return value;
}

std::vector<std::uint8_t> read_table() {
  std::vector<std::uint8_t> table(kCodePoints, 0);
  for (const std::string_view line : base::split(kCharacterClasses, '\n')) {
    if (line.empty() || line.front() == '#') continue;
    const auto words = base::split(line, ' ');
    const std::uint8_t flags = flags_of(words.front());
    for (std::size_t i = 1; i < words.size(); ++i) {
      const std::size_t dash = words[i].find('-');
      const std::size_t first = hexadecimal(words[i].substr(0, dash));
      const std::size_t last = dash == std::string_view::npos ? first : hexadecimal(words[i].substr(dash + 1));
      for (std::size_t c = first; c <= last; ++c) table[c] |= flags;
    }
  }
  return table;
}

}  // namespace

const std::uint8_t* character_classes() {
  static const std::vector<std::uint8_t> table = read_table();
  return table.data();
}

}  // namespace tritonrl::tokenizer
