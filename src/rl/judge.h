#pragma once

#include <cstddef>
#include <cstdint>
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
  // Waits for all that were submitted since the last call; verdicts in the order of submission. What no
  // machine is to blame for stays an error ({"error", "fault": "task" or "executor"}); HostError where it failed again
  // and again.
  virtual std::vector<base::Json> collect() = 0;
  // With all collected: gives back a GPU's memory, until something is submitted.
  virtual void rest() {}
  // Of all that were collected.
  virtual verify::VerifierCosts costs() const { return {}; }
};

enum class Purpose : std::uint8_t {
  kTraining,   // at depth train
  kMeasuring,  // in full, and on other inputs than training's
};

struct PatienceConfig {
  std::int64_t tries = 6;
  double first_wait_s = 1;  // doubles with every try
};

// A verifier on a thread of its own. One that fails is replaced by a new one, later and later.
class VerifierJudge final : public Judge {
 public:
  VerifierJudge(verify::VerifierConfig config, Purpose purpose, PatienceConfig patience = {});
  ~VerifierJudge() override;

  void submit(verify::Candidate candidate) override;
  std::vector<base::Json> collect() override;
  void rest() override;
  verify::VerifierCosts costs() const override;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace tritonrl::rl
