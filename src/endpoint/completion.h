#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/json.h"
#include "endpoint/chat.h"
#include "endpoint/http.h"

namespace tritonrl::endpoint {

// One answer of /v1/chat/completions, for messages, or of /v1/completions, for a text or token ids. What is not set is
// not sent: servers refuse fields that they do not know.
struct CompletionRequest {
  std::string model;
  std::variant<std::vector<Message>, std::string, std::vector<std::int32_t>> prompt;
  std::int64_t max_tokens = 1024;
  double temperature = 1;
  double top_p = 1;
  std::optional<double> min_p = {};
  std::optional<std::int64_t> top_k = {};
  std::optional<std::uint64_t> seed = {};
  std::vector<std::string> stop = {};
  std::vector<std::int32_t> stop_ids = {};
  bool stream = true;
  bool details =
      false;  // token ids and log-probabilities, as vLLM is asked for them; an answer without them is refused
};

struct Completion {
  std::string text;
  std::string reasoning;  // where the server keeps it apart
  std::string finish;     // "stop", "length"
  std::vector<std::int32_t> prompt_ids;
  std::vector<std::int32_t> token_ids;
  std::vector<float> log_probs;
};

// Of a streamed answer under way.
struct CompletionWatch {
  std::function<void(std::string_view)> on_text = nullptr;
  const std::atomic<bool>* cancelled = nullptr;
};

std::string_view completion_path(const CompletionRequest& request);
base::Json completion_body(const CompletionRequest& request);
std::variant<Completion, ChatFailure> read_completion(const CompletionRequest& request, const HttpReply& reply);

// Hands on the text of a stream, event by event.
class CompletionText {
 public:
  explicit CompletionText(std::function<void(std::string_view)> on_text) : on_text_(std::move(on_text)) {}

  void push(std::string_view bytes);
  bool any() const { return any_; }

 private:
  std::function<void(std::string_view)> on_text_;
  std::string line_;  // not ended yet
  bool any_ = false;
};

}  // namespace tritonrl::endpoint
