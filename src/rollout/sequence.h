#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "rollout/page_table.h"
#include "tokenizer/token_id.h"

namespace tritonrl::rollout {

// One response in the making.
struct Sequence {
  std::uint64_t request = 0;
  std::int32_t index = 0;                          // which of the request's responses
  std::vector<tokenizer::TokenId> token_ids = {};  // the prompt, then what was drawn
  std::int32_t prompt_tokens = 0;
  std::int32_t max_tokens = 0;  // to draw

  // The scheduler's. They run ahead of token_ids by the steps whose results have not been read.
  std::uint64_t arrival = 0;
  std::int32_t computed = 0;    // tokens whose keys and values are in the cache
  std::int32_t in_flight = 0;   // drawn, but not in token_ids yet
  std::int32_t last_draw = -1;  // its place among the draws of the step in flight
  std::uint64_t last_step = 0;
  std::int32_t preemptions = 0;
  std::vector<Page> pages = {};
  std::vector<std::shared_ptr<Sequence>> followers =
      {};  // responses to the same prompt, which wait for its keys and values
  bool finished = false;

  std::int32_t known() const { return static_cast<std::int32_t>(token_ids.size()); }
  std::int32_t drawn() const { return known() - prompt_tokens + in_flight; }
  std::int32_t to_compute() const { return known() + in_flight - computed; }
};

}  // namespace tritonrl::rollout
