#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/json.h"
#include "rollout/config.h"
#include "rollout/remote_engine.h"
#include "verify/verifier.h"

namespace tritonrl::apps {

struct SamplerConfig {
  std::string model;             // a folder in Hugging Face's layout
  rollout::RemoteConfig remote;  // instead, where its URL is not empty
  std::int64_t max_tokens = 4096;
  std::string prompt = "evaluation";
  std::uint64_t seed = 1;
  double memory_fraction = rollout::RolloutConfig{}.memory_fraction;  // of the device's, for keys and values

  base::Json json() const;
};

struct Draw {
  std::int64_t samples = 10;  // a task
  double temperature = 1;
};

// A response to a task that was begun.
struct Continuation {
  std::shared_ptr<const task::Task> task;
  std::string begun;
};

// Answers tasks with a model that is loaded once, or a server's.
class Sampler {
 public:
  explicit Sampler(SamplerConfig config);
  ~Sampler();
  Sampler(const Sampler&) = delete;
  Sampler& operator=(const Sampler&) = delete;
  Sampler(Sampler&&) = delete;
  Sampler& operator=(Sampler&&) = delete;

  // By task, then by number. Where `folder` is not empty its samples.jsonl holds them, and what an earlier run drew
  // there from the same model for the same question is not drawn again; a kill loses the responses under way.
  std::vector<verify::Candidate> sample(const std::vector<std::shared_ptr<const task::Task>>& tasks, const Draw& draw,
                                        const std::string& folder);

  // The whole response to each, its beginning included. Of a model of this process.
  std::vector<std::string> go_on(const std::vector<Continuation>& continuations, double temperature);

 private:
  struct Parts;
  struct Local;
  struct Remote;
  std::unique_ptr<Parts> parts_;
};

}  // namespace tritonrl::apps
