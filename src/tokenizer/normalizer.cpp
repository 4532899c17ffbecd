#include "tokenizer/normalizer.h"

#include <utf8proc.h>

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <memory>
#include <new>
#include <vector>

#include "base/error.h"
#include "tokenizer/code_point.h"

namespace tritonrl::tokenizer {
namespace {

constexpr char32_t kFirstMark = 0x300;
constexpr unsigned char kFirstMarkByte = 0xCC;  // of U+0300; no text without such a byte changes
constexpr std::size_t kCodePoints = 0x110000;

struct Range {
  char32_t first;
  char32_t last;
};

// Marks and composing letters that Unicode got after version 9 (through 16: whole blocks). HF's normaliser does not
// know them, so nothing is reordered or composed across one.
constexpr Range kLater[] = {
    {0x07FD, 0x07FD},   {0x0897, 0x089F},   {0x08CA, 0x08D3},   {0x09FE, 0x09FE},   {0x0C3C, 0x0C3C},
    {0x0D3B, 0x0D3C},   {0x0EBA, 0x0EBA},   {0x1715, 0x1715},   {0x1ABF, 0x1ADD},   {0x1AE0, 0x1AEB},
    {0x1DF6, 0x1DFA},   {0xA82C, 0xA82C},   {0x105C0, 0x105FF}, {0x10D24, 0x10D27}, {0x10D40, 0x10D8F},
    {0x10EAB, 0x10EAC}, {0x10EFA, 0x10EFF}, {0x10F46, 0x10F50}, {0x10F82, 0x10F85}, {0x11070, 0x11070},
    {0x1133B, 0x1133B}, {0x11380, 0x113FF}, {0x1145E, 0x1145E}, {0x11839, 0x1183A}, {0x11930, 0x11930},
    {0x11935, 0x11935}, {0x11938, 0x11938}, {0x1193D, 0x1193E}, {0x11943, 0x11943}, {0x119E0, 0x119E0},
    {0x11A34, 0x11A34}, {0x11A47, 0x11A47}, {0x11A99, 0x11A99}, {0x11D42, 0x11D42}, {0x11D44, 0x11D45},
    {0x11D97, 0x11D97}, {0x11F41, 0x11F42}, {0x16100, 0x1613F}, {0x16D40, 0x16D7F}, {0x16FF0, 0x16FF1},
    {0x1E08F, 0x1E08F}, {0x1E130, 0x1E136}, {0x1E2AE, 0x1E2AE}, {0x1E2EC, 0x1E2EF}, {0x1E4EC, 0x1E4EF},
    {0x1E5EE, 0x1E5EF}};

bool came_later(char32_t c) {
  const auto* range = std::ranges::lower_bound(kLater, c, {}, &Range::last);
  return range != std::end(kLater) && range->first <= c;
}

// Appends NFC of `text`, in which nothing came later.
void append_composed(std::string_view text, std::string& out) {
  utf8proc_uint8_t* composed = nullptr;
  const auto size =
      utf8proc_map(reinterpret_cast<const utf8proc_uint8_t*>(text.data()), static_cast<utf8proc_ssize_t>(text.size()),
                   &composed, static_cast<utf8proc_option_t>(UTF8PROC_STABLE | UTF8PROC_COMPOSE));
  const std::unique_ptr<utf8proc_uint8_t, decltype(&std::free)> owner(composed, &std::free);
  if (size == UTF8PROC_ERROR_NOMEM) throw std::bad_alloc();
  base::check(size >= 0, "text that is not UTF-8 reached the normaliser");
  out.append(reinterpret_cast<const char*>(composed), static_cast<std::size_t>(size));
}

bool composes_to_itself(char32_t c) {
  utf8proc_uint8_t bytes[4];
  const auto size = utf8proc_encode_char(static_cast<utf8proc_int32_t>(c), bytes);
  const std::string_view text(reinterpret_cast<const char*>(bytes), static_cast<std::size_t>(size));
  std::string composed;
  append_composed(text, composed);
  return composed == text;
}

// Whether a text that holds `c` may not be in NFC: a mark or trailing letter, or a character that is never in NFC.
bool is_suspicious(char32_t c) {
  const auto* property = utf8proc_get_property(static_cast<utf8proc_int32_t>(c));
  const bool mark = property->category == UTF8PROC_CATEGORY_MN || property->category == UTF8PROC_CATEGORY_MC ||
                    property->combining_class != 0;
  const bool trailing_jamo = (c >= 0x1161 && c <= 0x1175) || (c >= 0x11A8 && c <= 0x11C2);
  if (mark || trailing_jamo) return true;
  const bool decomposes = property->decomp_seqindex != UINT16_MAX && property->decomp_type == 0;
  return decomposes && !composes_to_itself(c);
}

const std::vector<bool>& suspicious_characters() {
  static const std::vector<bool> table = [] {
    std::vector<bool> flags(kCodePoints, false);
    for (char32_t c = kFirstMark; c < kCodePoints; ++c) flags[c] = is_suspicious(c);
    return flags;
  }();
  return table;
}

bool may_change(std::string_view line) {
  const auto is_late = [](char byte) { return static_cast<unsigned char>(byte) >= kFirstMarkByte; };
  const auto first = std::ranges::find_if(line, is_late);
  const auto& suspicious = suspicious_characters();
  for (auto at = static_cast<std::size_t>(first - line.begin()); at < line.size();) {
    const CodePoint c = code_point_at(line, at);
    if (suspicious[c.value]) return true;
    at += c.bytes;
  }
  return false;
}

void append_line(std::string_view line, std::string& out) {
  std::size_t begin = 0;
  for (std::size_t at = 0; at < line.size();) {
    const CodePoint c = code_point_at(line, at);
    if (came_later(c.value)) {
      append_composed(line.substr(begin, at - begin), out);
      out.append(line.substr(at, c.bytes));
      begin = at + c.bytes;
    }
    at += c.bytes;
  }
  append_composed(line.substr(begin), out);
}

}  // namespace

// Line by line, since nothing composes across a line's end and most lines need nothing.
std::string_view normalize_nfc(std::string_view text, std::string& storage) {
  const auto is_late = [](char byte) { return static_cast<unsigned char>(byte) >= kFirstMarkByte; };
  if (std::ranges::none_of(text, is_late)) return text;
  std::size_t copied = 0;  // of `text`, into `storage`
  storage.clear();
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t newline = text.find('\n', begin);
    const std::size_t end = newline == std::string_view::npos ? text.size() : newline + 1;
    const std::string_view line = text.substr(begin, end - begin);
    if (may_change(line)) {
      storage.append(text.substr(copied, begin - copied));
      append_line(line, storage);
      copied = end;
    }
    begin = end;
  }
  if (copied == 0) return text;
  storage.append(text.substr(copied));
  return storage;
}

bool can_normalize() { return true; }

}  // namespace tritonrl::tokenizer
