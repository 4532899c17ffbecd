#include "tokenizer/byte_alphabet.h"

#include <algorithm>
#include <cstdint>

#include "tokenizer/code_point.h"

namespace tritonrl::tokenizer {
namespace {

constexpr char32_t kFirstStandIn = 0x100;

// Printable characters of Latin-1 stand for themselves.
bool stands_for_itself(unsigned byte) {
  return (byte >= '!' && byte <= '~') || (byte >= 0xA1 && byte <= 0xAC) || byte >= 0xAE;
}

struct Alphabet {
  std::array<char32_t, 256> characters{};   // by byte; all below U+0200
  std::array<std::int16_t, 0x200> bytes{};  // by character; -1: none
  std::array<unsigned char, 256> order{};

  Alphabet() {
    bytes.fill(-1);
    char32_t next = kFirstStandIn;
    for (unsigned byte = 0; byte < 256; ++byte) {
      characters[byte] = stands_for_itself(byte) ? static_cast<char32_t>(byte) : next++;
      bytes[characters[byte]] = static_cast<std::int16_t>(byte);
      order[byte] = static_cast<unsigned char>(byte);
    }
    std::ranges::sort(order, {}, [this](unsigned char byte) { return characters[byte]; });
  }
};

const Alphabet& alphabet() {
  static const Alphabet table;
  return table;
}

}  // namespace

std::optional<std::string> bytes_of_spelling(std::string_view spelling) {
  const auto& table = alphabet().bytes;
  std::string bytes;
  bytes.reserve(spelling.size());
  for (std::size_t at = 0; at < spelling.size();) {
    const CodePoint c = code_point_at(spelling, at);
    if (c.value >= table.size() || table[c.value] < 0) return std::nullopt;
    bytes.push_back(static_cast<char>(table[c.value]));
    at += c.bytes;
  }
  return bytes;
}

std::string spelling_of_bytes(std::string_view bytes) {
  std::string spelling;
  spelling.reserve(bytes.size() + bytes.size() / 4);
  for (const char byte : bytes) {
    const char32_t c = alphabet().characters[static_cast<unsigned char>(byte)];
    if (c < 0x80) {
      spelling.push_back(static_cast<char>(c));
    } else {
      spelling.push_back(static_cast<char>(0xC0 | (c >> 6)));
      spelling.push_back(static_cast<char>(0x80 | (c & 0x3F)));
    }
  }
  return spelling;
}

const std::array<unsigned char, 256>& bytes_in_order() { return alphabet().order; }

}  // namespace tritonrl::tokenizer
