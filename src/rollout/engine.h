#pragma once

#include <cstdint>

#include "rollout/request.h"

namespace tritonrl::rollout {

// Turns prompts into responses: a model in this process, or a server elsewhere. Not safe from several threads.
class Engine {
 public:
  virtual ~Engine() = default;

  // Its number. InputError for what the model can not take. Allowed while others run, also from a listener.
  virtual std::uint64_t submit(Request request, Listener listener) = 0;
  // Some progress; false once everything submitted has ended. HostError where a machine or server fails: the requests
  // that have not ended are then forgotten.
  virtual bool step() = 0;

  void run() {
    while (step()) {
    }
  }
};

}  // namespace tritonrl::rollout
