#pragma once

#include <string>
#include <utility>
#include <vector>

#include "tokenizer/byte_alphabet.h"
#include "tokenizer/definition.h"
#include "tokenizer/split_pattern.h"
#include "tokenizer/tokenizer.h"

namespace tritonrl::tests {

// A tokenizer of the 256 bytes (ids in the alphabet's order: "!" is 0) and what a test adds.
inline tokenizer::Definition small_definition() {
  tokenizer::Definition definition;
  definition.pattern = tokenizer::kQwenPattern;
  tokenizer::TokenId id = 0;
  for (const unsigned char byte : tokenizer::bytes_in_order()) {
    const std::string one(1, static_cast<char>(byte));
    definition.vocabulary.push_back({tokenizer::spelling_of_bytes(one), id++, 0});
  }
  return definition;
}

// Adds merges of byte strings, each with its token.
inline void add_merges(tokenizer::Definition& definition,
                       const std::vector<std::pair<std::string, std::string>>& merges) {
  for (const auto& [left, right] : merges) {
    const auto id = static_cast<tokenizer::TokenId>(definition.vocabulary.size());
    definition.vocabulary.push_back({tokenizer::spelling_of_bytes(left + right), id, 0});
    definition.merges.push_back({tokenizer::spelling_of_bytes(left), tokenizer::spelling_of_bytes(right), 0});
  }
}

// Adds tokens past what is there.
inline void add_token(tokenizer::Definition& definition, tokenizer::AddedToken token) {
  token.id = static_cast<tokenizer::TokenId>(definition.vocabulary.size() + definition.added.size());
  definition.added.push_back(std::move(token));
}

inline tokenizer::Tokenizer make(const tokenizer::Definition& definition) {
  return tokenizer::Tokenizer::parse(tokenizer::definition_text(definition), "tokenizer.json");
}

}  // namespace tritonrl::tests
