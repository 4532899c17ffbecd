#include "analysis/identifiers.h"

#include <algorithm>
#include <array>

namespace tritonrl::analysis {
namespace {

struct Range {
  char32_t first;
  char32_t last;
};

// Blocks whose letters NFKC turns into others.
constexpr std::array kFolded = {
    Range{0x00AA, 0x00AA}, Range{0x00BA, 0x00BA}, Range{0x0132, 0x0133},   Range{0x017F, 0x017F}, Range{0x01C4, 0x01CC},
    Range{0x01F1, 0x01F3}, Range{0x02B0, 0x02B8}, Range{0x1D2C, 0x1D6A},   Range{0x1D78, 0x1D78}, Range{0x1D9B, 0x1DBF},
    Range{0x2071, 0x209C}, Range{0x2100, 0x2188}, Range{0x2C7C, 0x2C7D},   Range{0xFB00, 0xFB17}, Range{0xFE33, 0xFE34},
    Range{0xFE4D, 0xFE4F}, Range{0xFF10, 0xFFDC}, Range{0x1D400, 0x1D7FF},
};

char32_t next_code_point(std::string_view text, std::size_t& at) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(i < text.size() ? text[i] : 0); };
  const unsigned char lead = byte(at);
  const std::size_t length = lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
  char32_t code = length == 1 ? lead : lead & (0x7FU >> length);
  for (std::size_t i = 1; i < length; ++i) code = (code << 6U) | (byte(at + i) & 0x3FU);
  at += length;
  return code;
}

bool is_folded(std::string_view name) {
  for (std::size_t at = 0; at < name.size();) {
    const char32_t code = next_code_point(name, at);
    if (code < 0x80) continue;
    if (std::ranges::any_of(kFolded, [&](const Range& range) { return code >= range.first && code <= range.last; }))
      return true;
  }
  return false;
}

}  // namespace

void find_disguised_identifiers(const pysource::SyntaxTree& tree, Findings& findings) {
  using pysource::Kind;
  const std::string_view source = tree.source();
  if (std::ranges::all_of(source, [](char c) { return static_cast<signed char>(c) >= 0; })) return;
  for (pysource::NodeId node = 1; node < tree.size(); ++node) {
    const Kind kind = tree.kind(node);
    const bool names = kind == Kind::kName || kind == Kind::kAttribute || kind == Kind::kKeyword ||
                       kind == Kind::kParam || kind == Kind::kFunctionDef || kind == Kind::kClassDef ||
                       kind == Kind::kAlias || kind == Kind::kImportFrom || kind == Kind::kNamed;
    if (names && is_folded(tree.text(node))) {
      findings.add("disguised-identifier", Severity::kReject, node,
                   "Python reads '" + std::string(tree.text(node)) + "' as another, plainer name");
    }
  }
}

}  // namespace tritonrl::analysis
