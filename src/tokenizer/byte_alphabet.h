#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

// How a byte-level tokenizer.json spells bytes: each as one printable character (GPT-2's table), so that " a" is "Ġa".
namespace tritonrl::tokenizer {

// The bytes that `spelling` stands for; nothing when it has a character that stands for none.
std::optional<std::string> bytes_of_spelling(std::string_view spelling);

std::string spelling_of_bytes(std::string_view bytes);

// The 256 bytes in the order of their characters: the order in which a vocabulary begins with them.
const std::array<unsigned char, 256>& bytes_in_order();

}  // namespace tritonrl::tokenizer
