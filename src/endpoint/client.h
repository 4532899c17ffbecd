#pragma once

#include <string>
#include <variant>
#include <vector>

#include "endpoint/chat.h"
#include "endpoint/completion.h"

namespace tritonrl::endpoint {

struct ClientConfig {
  std::string url;      // up to and with /v1, or the server alone: http://localhost:8000
  std::string api_key;  // empty: none
  int tries = 6;        // of one request
  double first_wait_s = 1;
  double most_wait_s = 60;       // between two tries, unless the server asks for more
  double silence_seconds = 600;  // of a server, until a request is given up
};

// An OpenAI-compatible server. Safe from any thread.
class Client {
 public:
  // InputError for what is no URL of http or https.
  explicit Client(ClientConfig config);

  // Asks again where that may help, later and later, or when the server says so.
  std::variant<ChatAnswer, ChatFailure> ask(const ChatRequest& request) const;
  // The same for a completion. What was shown is not taken back: a stream that breaks after its first text is not asked
  // for again.
  std::variant<Completion, ChatFailure> complete(const CompletionRequest& request,
                                                 const CompletionWatch& watch = {}) const;
  // The models that the server offers. HostError where it does not say.
  std::vector<std::string> models() const;

  const ClientConfig& config() const { return config_; }

 private:
  // `read` turns a reply into an answer or a failure; `again` says whether a failure may be tried once more.
  template <typename Read, typename Again>
  auto ask_again(const HttpRequest& request, const Read& read, const Again& again) const;

  ClientConfig config_;
  std::string base_;
};

// How long to wait after `failed` tries: doubled each time, a quarter of it by chance so that many do not come back at
// once; what the server asks for where that is longer.
double wait_after(int failed, const ClientConfig& config, const ChatFailure& failure, double chance);

}  // namespace tritonrl::endpoint
