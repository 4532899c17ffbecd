#include "pysource/string_literal.h"

#include <charconv>
#include <cstdint>
#include <optional>

namespace tritonrl::pysource {
namespace {

void append_utf8(std::string& out, std::uint32_t code) {
  if (code < 0x80) {
    out += static_cast<char>(code);
  } else if (code < 0x800) {
    out += static_cast<char>(0xC0U | (code >> 6U));
    out += static_cast<char>(0x80U | (code & 0x3FU));
  } else if (code < 0x10000) {
    out += static_cast<char>(0xE0U | (code >> 12U));
    out += static_cast<char>(0x80U | ((code >> 6U) & 0x3FU));
    out += static_cast<char>(0x80U | (code & 0x3FU));
  } else {
    out += static_cast<char>(0xF0U | (code >> 18U));
    out += static_cast<char>(0x80U | ((code >> 12U) & 0x3FU));
    out += static_cast<char>(0x80U | ((code >> 6U) & 0x3FU));
    out += static_cast<char>(0x80U | (code & 0x3FU));
  }
}

void append(std::string& out, std::uint32_t code, bool bytes) {
  if (bytes) {
    out += static_cast<char>(code & 0xFFU);
  } else {
    append_utf8(out, code);
  }
}

std::optional<std::uint32_t> number(std::string_view digits, int base) {
  std::uint32_t value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value, base);
  if (error != std::errc{} || end != digits.data() + digits.size() || value > 0x10FFFF) return std::nullopt;
  return value;
}

std::size_t octal_length(std::string_view text) {
  std::size_t length = 0;
  while (length < 3 && length < text.size() && text[length] >= '0' && text[length] <= '7') ++length;
  return length;
}

}  // namespace

StringPrefix read_string_prefix(std::string_view literal) {
  StringPrefix prefix;
  for (const char c : literal) {
    const char letter = static_cast<char>(c | 0x20);
    if (c == '"' || c == '\'') break;
    prefix.raw |= letter == 'r';
    prefix.bytes |= letter == 'b';
    prefix.formatted |= letter == 'f' || letter == 't';
    ++prefix.length;
  }
  return prefix;
}

std::string_view string_body(std::string_view literal, const StringPrefix& prefix) {
  literal.remove_prefix(prefix.length);
  const bool triple = literal.size() >= 6 && (literal.starts_with("\"\"\"") || literal.starts_with("'''"));
  const std::size_t quotes = triple ? 3 : 1;
  if (literal.size() < 2 * quotes) return {};
  return literal.substr(quotes, literal.size() - 2 * quotes);
}

std::string unescape_braces(std::string_view body) {
  std::string out;
  for (std::size_t at = 0; at < body.size(); ++at) {
    out += body[at];
    const bool doubled = (body[at] == '{' || body[at] == '}') && body.substr(at + 1, 1) == body.substr(at, 1);
    if (doubled) ++at;
  }
  return out;
}

std::string decode_escapes(std::string_view body, bool bytes) {
  std::string out;
  out.reserve(body.size());
  for (std::size_t at = 0; at < body.size();) {
    if (body[at] != '\\' || at + 1 == body.size()) {
      out += body[at++];
      continue;
    }
    const char c = body[at + 1];
    const std::string_view rest = body.substr(at + 2);
    const std::size_t hex = c == 'x' ? 2 : c == 'u' && !bytes ? 4 : c == 'U' && !bytes ? 8 : 0;
    constexpr std::string_view kLetters = "abfnrtv\\'\"";
    constexpr std::string_view kValues = "\a\b\f\n\r\t\v\\'\"";
    if (c == '\n') {
      at += 2;
    } else if (c == '\r' && rest.starts_with('\n')) {
      at += 3;
    } else if (const auto letter = kLetters.find(c); letter != std::string_view::npos) {
      out += kValues[letter];
      at += 2;
    } else if (const auto octal = octal_length(body.substr(at + 1)); octal > 0) {
      append(out, *number(body.substr(at + 1, octal), 8), bytes);
      at += 1 + octal;
    } else if (hex > 0 && rest.size() >= hex && number(rest.substr(0, hex), 16)) {
      append(out, *number(rest.substr(0, hex), 16), bytes);
      at += 2 + hex;
    } else {
      out += body[at];
      out += c;
      at += 2;
    }
  }
  return out;
}

}  // namespace tritonrl::pysource
