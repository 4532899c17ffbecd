#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "tokenizer/chat.h"
#include "tokenizer/token_id.h"

namespace tritonrl::rollout {

// How a token is drawn; kernels/sample_tokens.h says what the filters keep.
struct Sampling {
  float temperature = 1;  // 0: the likeliest token
  float top_p = 1;
  float min_p = 0;
  std::int32_t top_k = 0;  // 0: all
};

// A conversation that the model's chat template turns into a prompt.
struct Chat {
  std::vector<tokenizer::Message> messages;
  bool thinking = true;
};

using Prompt = std::variant<std::vector<tokenizer::TokenId>, std::string, Chat>;

struct Request {
  Prompt prompt = {};
  std::int32_t responses = 1;
  std::int32_t max_tokens = 1024;  // of a response; fewer where the context ends
  Sampling sampling = {};
  std::vector<tokenizer::TokenId> stop_ids = {};
  std::vector<std::string> stop_texts = {};
  std::uint64_t seed = 0;  // with its number, decides a response, whoever else is in the batch
};

enum class Finish : std::uint8_t {
  kStop,    // a stop id or text
  kLength,  // max_tokens, or the end of the context
};
std::string_view name_of(Finish finish);

// Seconds since the request was submitted.
struct Timing {
  double first_token_s = 0;
  double end_s = 0;
};

struct Response {
  std::uint64_t request = 0;
  std::int32_t index = 0;                           // which of the request's
  std::vector<tokenizer::TokenId> prompt_ids = {};  // empty where a server does not give them; so are the next three
  std::vector<tokenizer::TokenId> token_ids = {};   // as drawn, the stop id included
  std::vector<float> log_probs = {};                // of each token, under what it was drawn from
  std::vector<float> raw_log_probs = {};            // under the model's own distribution, at temperature 1
  std::string text = {};                            // without stop ids and stop text; empty where there is no tokenizer
  Finish finish = Finish::kStop;
  Timing timing = {};
};

// Called from within Engine::step(), on its thread.
struct Listener {
  std::function<void(Response&&)> on_response;                                       // as each ends
  std::function<void(std::int32_t index, std::string_view text)> on_text = nullptr;  // whole characters, as they come
};

}  // namespace tritonrl::rollout
