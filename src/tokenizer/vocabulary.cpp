#include "tokenizer/vocabulary.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>
#include <unordered_set>

#include "base/text.h"
#include "tokenizer/byte_alphabet.h"
#include "tokenizer/normalizer.h"

namespace tritonrl::tokenizer {
namespace {

// Eight bytes at a time; the length tells "a" from "a\0".
std::uint64_t hash_of(std::string_view bytes) {
  constexpr std::uint64_t kMultiplier = 0x9E3779B97F4A7C15;
  std::uint64_t hash = bytes.size() * kMultiplier;
  const char* at = bytes.data();
  std::size_t left = bytes.size();
  const auto mix = [&hash](std::uint64_t word) {
    hash = (hash ^ word) * kMultiplier;
    hash ^= hash >> 29;
  };
  for (; left >= 8; left -= 8, at += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, at, 8);
    mix(word);
  }
  std::uint64_t word = 0;
  std::memcpy(&word, at, left);
  mix(word);
  return hash ^ (hash >> 32);
}

std::uint32_t tag_of(std::uint64_t hash) { return static_cast<std::uint32_t>(hash >> 32); }

}  // namespace

Vocabulary::Vocabulary(const Definition& definition) {
  add_entries(definition);
  index(byte_level_.size());
  require_all_bytes(definition);
  add_added_tokens(definition);
}

std::string_view Vocabulary::bytes(TokenId id) const {
  const auto row = static_cast<std::size_t>(id);
  if (id < 0 || row >= starts_.size()) return {};
  return std::string_view(arena_).substr(starts_[row], sizes_[row]);
}

std::optional<TokenId> Vocabulary::find(std::string_view bytes) const {
  const std::uint64_t hash = hash_of(bytes);
  const std::size_t mask = slots_.size() - 1;
  for (std::size_t at = hash & mask;; at = (at + 1) & mask) {
    const Slot& slot = slots_[at];
    if (slot.id < 0) return std::nullopt;
    if (slot.tag == tag_of(hash) && this->bytes(slot.id) == bytes) return slot.id;
  }
}

std::optional<TokenId> Vocabulary::find_spelling(const std::string& spelling) const {
  if (const auto bytes = bytes_of_spelling(spelling)) {
    if (const auto id = find(*bytes)) return id;
  }
  const auto found = unspelled_.find(spelling);
  if (found == unspelled_.end()) return std::nullopt;
  return found->second;
}

void Vocabulary::put(TokenId id, std::string_view bytes) {
  const auto row = static_cast<std::size_t>(id);
  if (row >= starts_.size()) {
    starts_.resize(row + 1, 0);
    sizes_.resize(row + 1, 0);
  }
  starts_[row] = static_cast<std::uint32_t>(arena_.size());
  sizes_[row] = static_cast<std::uint32_t>(bytes.size());
  arena_ += bytes;
}

void Vocabulary::add_entries(const Definition& definition) {
  if (definition.text.size() > std::numeric_limits<std::uint32_t>::max()) definition.refuse(0, "larger than 4 GiB");
  byte_level_.reserve(definition.vocabulary.size());
  for (const auto& entry : definition.vocabulary) {
    if (entry.spelling.empty()) definition.refuse(entry.offset, "an empty token");
    if (names_token(entry.id)) {
      definition.refuse(entry.offset, fmt::format("the id {} names two tokens: '{}' and '{}'", entry.id,
                                                  base::printable(bytes(entry.id)), base::printable(entry.spelling)));
    }
    if (const auto bytes = bytes_of_spelling(entry.spelling)) {
      put(entry.id, *bytes);
      byte_level_.push_back(entry.id);
    } else {
      put(entry.id, entry.spelling);
      if (!unspelled_.emplace(entry.spelling, entry.id).second) {
        definition.refuse(entry.offset,
                          fmt::format("the token '{}' stands here twice", base::printable(entry.spelling)));
      }
    }
  }
}

void Vocabulary::index(std::size_t entries) {
  slots_.assign(std::bit_ceil(2 * entries + 2), {});
  const std::size_t mask = slots_.size() - 1;
  for (const TokenId id : byte_level_) {
    const std::uint64_t hash = hash_of(bytes(id));
    std::size_t at = hash & mask;
    while (slots_[at].id >= 0) at = (at + 1) & mask;
    slots_[at] = {tag_of(hash), id};
  }
}

void Vocabulary::require_all_bytes(const Definition& definition) const {
  for (const auto& entry : definition.vocabulary) {
    if (const auto bytes = bytes_of_spelling(entry.spelling); bytes && find(*bytes) != entry.id) {
      definition.refuse(entry.offset, fmt::format("the token '{}' stands here twice", base::printable(entry.spelling)));
    }
  }
  for (const unsigned char byte : bytes_in_order()) {
    const char character = static_cast<char>(byte);
    if (!find({&character, 1})) {
      definition.refuse(0, fmt::format("the byte 0x{:02X} has no token: texts with it could not be encoded", byte));
    }
  }
}

// HF gives ids in order, whatever the file says: past the vocabulary's entries, or past the last added token.
void Vocabulary::add_added_tokens(const Definition& definition) {
  TokenId next = static_cast<TokenId>(definition.vocabulary.size());
  std::unordered_set<std::string_view> seen;
  for (const auto& token : definition.added) {
    const std::string shown = base::printable(token.content);
    if (!seen.insert(token.content).second) {
      definition.refuse(token.offset, fmt::format("the added token '{}' stands here twice", shown));
    }
    const auto entry = find_spelling(token.content);
    const TokenId expected = entry.value_or(next);
    if (token.id != expected) {
      definition.refuse(token.offset,
                        fmt::format("the added token '{}' has the id {}, but loads as {}", shown, token.id, expected),
                        entry ? "give it the id that the vocabulary has for it"
                              : "number added tokens after the vocabulary, without holes");
    }
    next = std::max(next, token.id + 1);
    if (entry) continue;
    if (names_token(token.id)) {
      definition.refuse(token.offset, fmt::format("the id {} names two tokens: '{}' and '{}'", token.id,
                                                  base::printable(bytes(token.id)), shown));
    }
    // HF decodes a normalized token as normalisation leaves it, and any that the byte alphabet can spell as bytes.
    std::string storage;
    const bool normal = token.normalized && definition.nfc;
    const std::string content(normal ? normalize_nfc(token.content, storage) : token.content);
    put(token.id, bytes_of_spelling(content).value_or(content));
  }
}

}  // namespace tritonrl::tokenizer
