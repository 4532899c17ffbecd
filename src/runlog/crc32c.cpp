#include "runlog/crc32c.h"

#include <array>

namespace tritonrl::runlog {
namespace {

constexpr std::array<std::uint32_t, 256> kTable = [] {
  std::array<std::uint32_t, 256> table{};
  for (std::uint32_t byte = 0; byte < table.size(); ++byte) {
    std::uint32_t value = byte;
    for (int bit = 0; bit < 8; ++bit) value = (value >> 1) ^ ((value & 1U) != 0 ? 0x82F63B78U : 0U);
    table[byte] = value;
  }
  return table;
}();

}  // namespace

std::uint32_t crc32c(std::string_view bytes) {
  std::uint32_t value = 0xFFFFFFFFU;
  for (const char c : bytes) value = (value >> 8) ^ kTable[(value ^ static_cast<unsigned char>(c)) & 0xFFU];
  return ~value;
}

std::uint32_t masked_crc32c(std::string_view bytes) {
  const std::uint32_t value = crc32c(bytes);
  return ((value >> 15) | (value << 17)) + 0xA282EAD8U;
}

}  // namespace tritonrl::runlog
