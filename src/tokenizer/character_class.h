#pragma once

#include <cstdint>

// What the patterns of tokenizers ask about a character. The table is our own, data/character_classes.txt: a library's
// would change with its version, and with it the ids of a text.
namespace tritonrl::tokenizer {

inline constexpr std::uint8_t kLetter = 1;  // \p{L}
inline constexpr std::uint8_t kNumber = 2;  // \p{N}
inline constexpr std::uint8_t kSpace = 4;   // \s
inline constexpr std::uint8_t kWord = 8;    // \w

// One byte of the flags above for each code point up to U+10FFFF.
const std::uint8_t* character_classes();

}  // namespace tritonrl::tokenizer
