#pragma once

#include <cstdint>
#include <string_view>

namespace tritonrl::runlog {

// CRC-32C (Castagnoli, RFC 3720).
std::uint32_t crc32c(std::string_view bytes);

// As TFRecord stores it: a checksum of bytes that hold checksums themselves must not be weak.
std::uint32_t masked_crc32c(std::string_view bytes);

}  // namespace tritonrl::runlog
