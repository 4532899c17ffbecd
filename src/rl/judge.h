#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "base/json.h"
#include "verify/verifier.h"

namespace tritonrl::rl {

// Turns responses into verdicts while others are still being written.
class Judge {
 public:
  virtual ~Judge() = default;

  // Returns at once.
  virtual void submit(verify::Candidate candidate) = 0;
  // Waits for all that were submitted since the last call; verdicts in the order of submission. What only a task is to
  // blame for stays an error ({"error", "fault": "task"}); HostError where the machine failed again and again.
  virtual std::vector<base::Json> collect() = 0;
  // Of all that were collected.
  virtual verify::VerifierCosts costs() const { return {}; }
};

struct PatienceConfig {
  int tries = 5;
  double first_wait_s = 1;  // doubles with every try
};

// A verifier on a thread of its own.
class VerifierJudge final : public Judge {
 public:
  explicit VerifierJudge(verify::VerifierConfig config, PatienceConfig patience = {});
  ~VerifierJudge() override;

  void submit(verify::Candidate candidate) override;
  std::vector<base::Json> collect() override;
  verify::VerifierCosts costs() const override;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace tritonrl::rl
