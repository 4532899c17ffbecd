#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "tokenizer/definition.h"
#include "tokenizer/vocabulary.h"

namespace tritonrl::tokenizer {

// Which two tokens become one, and which pair goes first.
class MergeTable {
 public:
  static constexpr std::uint32_t kNever = std::numeric_limits<std::uint32_t>::max();

  struct Result {
    std::uint32_t rank = kNever;  // lower goes first
    TokenId merged = -1;
  };

  // InputError for a merge of, or into, something that is no token.
  MergeTable(const Definition& definition, const Vocabulary& vocabulary);

  Result find(TokenId left, TokenId right) const {
    const std::uint64_t pair = pack(left, right);
    for (std::size_t at = hash(pair) & mask_;; at = (at + 1) & mask_) {
      if (slots_[at].pair == pair) return slots_[at].result;
      if (slots_[at].pair == kEmpty) return {};
    }
  }

 private:
  static constexpr std::uint64_t kEmpty = std::numeric_limits<std::uint64_t>::max();

  struct Slot {
    std::uint64_t pair = kEmpty;
    Result result;
  };

  static std::uint64_t pack(TokenId left, TokenId right) {
    return (static_cast<std::uint64_t>(static_cast<std::uint32_t>(left)) << 32) | static_cast<std::uint32_t>(right);
  }
  static std::size_t hash(std::uint64_t pair) {
    pair *= 0x9E3779B97F4A7C15;
    return static_cast<std::size_t>(pair ^ (pair >> 32));
  }

  std::vector<Slot> slots_;  // a power of two, half empty
  std::size_t mask_ = 0;
};

}  // namespace tritonrl::tokenizer
