#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/json.h"
#include "endpoint/http.h"

namespace tritonrl::endpoint {

struct Message {
  std::string role;  // "system", "user", "assistant"
  std::string content;
};

struct ChatRequest {
  std::string model;
  std::vector<Message> messages;
  double temperature = 0.6;
  double top_p = 0.95;
  std::int64_t max_tokens = 16384;
  bool stream = false;  // a server then sends as it writes, and a long answer is no silence
};

struct ChatAnswer {
  std::string text;
  std::string reasoning;  // where the server keeps it apart
  std::string finish;     // "stop", "length"
  std::int64_t prompt_tokens = 0;
  std::int64_t completion_tokens = 0;
  bool counted = false;  // by the server
};

// Why there is no answer.
struct ChatFailure {
  enum class Kind : std::uint8_t {
    kBusy,     // 429, 503: later
    kBroken,   // other 5xx, garbage, half an answer, silence: again
    kRefused,  // this request will never be answered: 400, 413, 422
    kDenied,   // no request will: 401, 403, 404
  };
  Kind kind = Kind::kBroken;
  std::string message;
  std::optional<double> wait_s;  // that the server asks for

  bool retryable() const { return kind == Kind::kBusy || kind == Kind::kBroken; }
};

// Of a reply whose status is not 200.
ChatFailure failure_of_status(const HttpReply& reply);

base::Json chat_body(const ChatRequest& request);

// The answer in a reply of /v1/chat/completions, whole or streamed.
std::variant<ChatAnswer, ChatFailure> read_chat(const HttpReply& reply);

// <think>reasoning</think> and the text, as a response of the project's own models has it.
std::string response_text(const ChatAnswer& answer);

}  // namespace tritonrl::endpoint
