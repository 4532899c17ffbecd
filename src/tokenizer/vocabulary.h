#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "tokenizer/definition.h"
#include "tokenizer/token_id.h"

namespace tritonrl::tokenizer {

// Tokens by id and by their bytes. An id may name nothing: models pad their embeddings.
class Vocabulary {
 public:
  // Of the entries and added tokens of `definition`. InputError where two tokens share an id or a spelling, a byte has
  // no token, or an added token's id is not the one that HF's `tokenizers` would give it.
  explicit Vocabulary(const Definition& definition);

  // One past the largest id.
  std::size_t size() const { return starts_.size(); }
  // Empty for an id that names nothing, a negative one included.
  std::string_view bytes(TokenId id) const;
  bool names_token(TokenId id) const { return !bytes(id).empty(); }

  // The entry that stands for these bytes in text; added tokens are none.
  std::optional<TokenId> find(std::string_view bytes) const;
  // The entry that the file spells so.
  std::optional<TokenId> find_spelling(const std::string& spelling) const;

 private:
  struct Slot {
    std::uint32_t tag = 0;  // part of the hash, so that most misses cost no comparison
    TokenId id = -1;
  };

  void put(TokenId id, std::string_view bytes);
  void add_entries(const Definition& definition);
  void add_added_tokens(const Definition& definition);
  void index(std::size_t entries);
  void require_all_bytes(const Definition& definition) const;

  std::string arena_;
  std::vector<std::uint32_t> starts_;  // by id, in arena_
  std::vector<std::uint32_t> sizes_;
  std::vector<Slot> slots_;                             // a power of two, half empty
  std::vector<TokenId> byte_level_;                     // entries that stand for bytes
  std::unordered_map<std::string, TokenId> unspelled_;  // entries with characters outside the byte alphabet
};

}  // namespace tritonrl::tokenizer
