#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "tokenizer/added_token_finder.h"
#include "tokenizer/definition.h"
#include "tokenizer/split_pattern.h"

namespace tritonrl::tokenizer {

struct TrainerConfig {
  std::size_t size = 4096;      // tokens, the 256 bytes and added ones included
  std::uint64_t min_count = 2;  // rarer pairs do not merge
  // Ids do not matter here. Their text is not learned from.
  std::vector<AddedToken> added = {{.content = "<|endoftext|>"},
                                   {.content = "<|im_start|>"},
                                   {.content = "<|im_end|>"},
                                   {.content = "<think>", .special = false},
                                   {.content = "</think>", .special = false}};
};

// Learns a byte-level BPE tokenizer of Qwen's kind: texts in, a definition out. The most frequent pair merges first, of
// equal ones that of the lowest ids, as HF's trainer does it: the same texts give the same tokenizer.
class Trainer {
 public:
  // InputError when `size` has no room for the bytes and the added tokens.
  explicit Trainer(TrainerConfig config = {});

  // InputError, at `file`, for text that is no UTF-8.
  void add_text(std::string_view text, const std::string& file);

  // May hold fewer tokens than asked for, when the texts have too few pairs. `on_merge` is called after each merge.
  Definition train(const std::function<void()>& on_merge = {}) const;

 private:
  TrainerConfig config_;
  AddedTokenFinder added_;
  std::unique_ptr<SplitPattern> pattern_;
  std::unordered_map<std::string, std::uint64_t> pieces_;  // how often each was seen
};

}  // namespace tritonrl::tokenizer
