#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace tritonrl::base {

using Digest = std::array<std::byte, 32>;

// SHA-256 (FIPS 180-4), by OpenSSL where the build has it.
Digest sha256(std::string_view message);
std::string sha256_hex(std::string_view message);

// HMAC-SHA-256 (RFC 2104).
Digest hmac_sha256(std::string_view key, std::string_view message);
std::string hmac_sha256_hex(std::string_view key, std::string_view message);

// Lower-case hexadecimal.
std::string hex(std::span<const std::byte> bytes);

// The slow twin of sha256(), and what it is where there is no OpenSSL.
Digest sha256_portable(std::string_view message);

}  // namespace tritonrl::base
