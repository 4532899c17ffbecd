#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/json.h"
#include "base/random.h"

namespace tritonrl::rl {

// What a verdict says to training.
struct Outcome {
  bool valid = false;  // real Triton that does the work
  bool compiled = false;
  bool correct = false;  // and the results are right: accepted; without the gate, the results alone
  double speedup = 0;    // of what is correct, with its interval
  double speedup_low = 0;
  double speedup_high = 0;
  std::string reason = {};  // the rule that rejected it
};

// Whether a reward needs what the verifier finds of functionality and behaviour. kOff is for experiments: right results
// are rewarded whoever computed them, as public evaluators do.
enum class Gate : std::uint8_t { kOn, kOff };

// InputError at `where` for what is no verdict; a machine's failure is none, and must not come here.
Outcome outcome_of(const base::Json& verdict, const base::Place& where, Gate gate = Gate::kOn);

struct RewardConfig {
  Gate gate = Gate::kOn;
  bool shuffle_speedups = false;  // a control for experiments: see shuffle_speedups()
  double speedup_cap = 2.0;
  double tie_share = 0.02;       // speedups that differ by less are the same
  double compiled_credit = 0.0;  // R_correct of what is valid and compiles, but is wrong
};

// A modelled speed in the measure of another device.
Outcome scaled(Outcome outcome, double factor);

struct Reward {
  double correct = 0;
  double speedup = 0;
};

// Of one prompt's responses: R_correct = valid * correct, R_speedup = valid * correct * min(speedup, cap). Speedups
// that tie with the fastest of those left (closer than tie_share, or overlapping intervals) all become their mean.
std::vector<Reward> rewards_of_group(std::span<const Outcome> group, const RewardConfig& config);

// Rewards for speed change places among the right responses: as many are earned, and nothing is learned from them.
void shuffle_speedups(std::span<Reward> rewards, std::span<const Outcome> group, base::Random random);

}  // namespace tritonrl::rl
