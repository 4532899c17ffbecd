#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "endpoint/client.h"
#include "rollout/engine.h"

namespace tritonrl::rollout {

struct RemoteConfig {
  endpoint::ClientConfig client;
  std::string model;  // empty: the only one that the server has
  unsigned concurrency = 8;
  // Token ids and log-probabilities of every response, which training needs. A server that does not give them is an
  // error.
  bool tokens = false;
};

// A server that speaks OpenAI's protocol: chats go to /v1/chat/completions, texts and token ids to /v1/completions.
// Each response is a request of its own. Log-probabilities are the server's: vLLM's are of the model as it is.
class RemoteEngine final : public Engine {
 public:
  // HostError where the server does not answer, InputError where it has no such model.
  explicit RemoteEngine(RemoteConfig config);
  // Ends what is under way.
  ~RemoteEngine() override;

  std::uint64_t submit(Request request, Listener listener) override;
  bool step() override;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace tritonrl::rollout
