#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tokenizer/token_id.h"

// What a tokenizer.json of the Qwen2/Qwen3 kind says, as typed values: byte-level BPE, split by a pattern, perhaps
// after NFC. What would change ids and is not understood is an error, never ignored.
namespace tritonrl::tokenizer {

// Tables are as long as the largest id: a short file must not ask for gigabytes.
inline constexpr std::int64_t kMaxTokenIds = std::int64_t{1} << 22;

struct AddedToken {
  TokenId id = 0;
  std::string content;
  bool single_word = false;  // only where no word goes on around it
  bool lstrip = false;       // takes the spaces before it
  bool rstrip = false;       // takes the spaces after it
  bool normalized = false;   // found in the text after normalisation
  bool special = true;       // left out of decoded text on request
  std::size_t offset = 0;    // where the file has it
};

struct VocabularyEntry {
  std::string spelling;  // in the byte alphabet
  TokenId id = 0;
  std::size_t offset = 0;
};

struct Merge {
  std::string left;  // in the byte alphabet
  std::string right;
  std::size_t offset = 0;
};

struct Definition {
  bool nfc = true;
  std::string pattern;
  std::size_t pattern_offset = 0;
  bool whole_pieces_first = false;  // a piece that is a token needs no merges ("ignore_merges")
  std::vector<VocabularyEntry> vocabulary;
  std::vector<Merge> merges;  // best first
  std::vector<AddedToken> added;

  // What errors point into: the file's name and text, which must outlive the definition.
  std::string file;
  std::string_view text;
  [[noreturn]] void refuse(std::size_t offset, const std::string& problem, const std::string& advice = {}) const;
  // `id`, refused unless it lies in [0, kMaxTokenIds).
  TokenId token_id(std::int64_t id, std::size_t offset) const;
};

// Reads a tokenizer.json. InputError with line and column for anything else.
Definition read_definition(std::string_view text, const std::string& file);

// The tokenizer.json that HF's `tokenizers` and `transformers` load with the same ids.
std::string definition_text(const Definition& definition);

}  // namespace tritonrl::tokenizer
