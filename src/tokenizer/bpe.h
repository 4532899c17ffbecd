#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "tokenizer/merge_table.h"
#include "tokenizer/vocabulary.h"

namespace tritonrl::tokenizer {

// Byte-pair encoding of one piece of text: its bytes become tokens, then the best pair merges, the leftmost first,
// until none is left. Time n log n in the piece's bytes. Safe to use from several threads.
class Bpe {
 public:
  // `vocabulary` must outlive this.
  Bpe(const Definition& definition, const Vocabulary& vocabulary);

  // Appends the tokens of `piece` to `ids`.
  void encode(std::string_view piece, std::vector<TokenId>& ids) const;

 private:
  // Whether merging a token's own bytes gives that token back; found out when first asked.
  enum class Whole : std::uint8_t { kUnknown, kYes, kNo };

  bool is_whole(TokenId id, std::string_view piece) const;
  void merge(std::string_view piece, std::vector<TokenId>& ids) const;
  void merge_short(std::string_view piece, std::vector<TokenId>& ids) const;
  void merge_long(std::string_view piece, std::vector<TokenId>& ids) const;

  const Vocabulary& vocabulary_;
  MergeTable merges_;
  std::array<TokenId, 256> bytes_{};
  std::vector<MergeTable::Result> byte_pairs_;  // first byte * 256 + second: what most look-ups ask
  bool whole_pieces_first_;
  std::unique_ptr<std::atomic<Whole>[]> whole_;  // by id
};

}  // namespace tritonrl::tokenizer
