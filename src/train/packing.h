#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace tritonrl::train {

// A text to learn from: the tokens after the prompt's are scored.
struct TrainText {
  std::vector<std::int32_t> token_ids = {};
  std::int64_t prompt_tokens = 0;  // at least 1: nothing predicts the first token

  std::int64_t tokens() const { return static_cast<std::int64_t>(token_ids.size()); }
  std::int64_t scored() const { return tokens() - prompt_tokens; }
};

// Which texts are computed together, of at most `max_tokens` a batch; a longer text is alone. Few batches of even size:
// the longest first, each where most room is left. Depends on nothing but the lengths.
std::vector<std::vector<std::size_t>> pack(std::span<const TrainText> texts, std::int64_t max_tokens);

// Texts side by side in one row, and which rows predict what.
struct PackedRows {
  std::vector<std::int64_t> token_ids = {};
  std::vector<std::int32_t> positions = {};
  std::vector<std::int32_t> text_starts = {0};
  std::vector<std::int64_t> rows = {};     // whose next token is scored, text by text
  std::vector<std::int64_t> targets = {};  // that token
  std::int64_t max_length = 0;
};
PackedRows pack_rows(std::span<const TrainText> texts, std::span<const std::size_t> chosen);

}  // namespace tritonrl::train
