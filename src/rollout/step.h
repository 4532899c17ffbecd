#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "rollout/sequence.h"

namespace tritonrl::rollout {

// One token to draw.
struct Draw {
  std::shared_ptr<Sequence> sequence;  // shared: it may end while the step that draws for it is under way
  std::int32_t row = 0;                // of the step's tokens; several draws may name one
  std::int32_t position = 0;           // among the tokens drawn for this sequence
};

// What the model computes in one go: T tokens of S sequences, prompts' chunks and single tokens side by side. Keys and
// values of all tokens are written before any token looks at its context.
struct Step {
  std::vector<std::int32_t> token_ids;        // [T]; -1-d: what draw d of the step before this one gives
  std::vector<std::int32_t> positions;        // [T]
  std::vector<std::int32_t> slots;            // [T] page * page_size + offset, where keys and values go
  std::vector<std::int32_t> query_starts{0};  // [S+1]
  std::vector<std::int32_t> context_lengths;  // [S], this step's tokens included
  std::vector<std::vector<Page>> pages;       // [S]
  std::vector<std::pair<Page, Page>> copies;  // from, to: in this order, before anything is written
  std::vector<Draw> draws;

  std::int32_t tokens() const { return static_cast<std::int32_t>(token_ids.size()); }
  std::int32_t sequences() const { return static_cast<std::int32_t>(context_lengths.size()); }
  bool only_decodes() const { return tokens() == sequences(); }
};

}  // namespace tritonrl::rollout
