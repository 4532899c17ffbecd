#include "rl/reward.h"

#include <algorithm>

#include "verify/verdict_facts.h"

namespace tritonrl::rl {
namespace {

struct Speed {
  double value = 0;
  double low = 0;
  double high = 0;
};

Speed capped_speed(const Outcome& outcome, double cap) {
  return {.value = std::min(outcome.speedup, cap),
          .low = std::min(outcome.speedup_low, cap),
          .high = std::min(outcome.speedup_high, cap)};
}

// `fast` is not slower than `slow`.
bool tie(const Speed& fast, const Speed& slow, double share) {
  return fast.value - slow.value < share * fast.value || slow.high >= fast.low;
}

}  // namespace

Outcome outcome_of(const base::Json& verdict, const base::Place& where, Gate gate) {
  const verify::VerdictFacts facts = verify::read_facts(verdict, where);
  Outcome outcome{.valid = facts.valid,
                  .compiled = facts.compiled,
                  .correct = gate == Gate::kOn ? facts.accepted : facts.right_results,
                  .reason = facts.reason};
  if (outcome.correct) {
    outcome.speedup = facts.speedup;
    outcome.speedup_low = facts.speedup_low;
    outcome.speedup_high = facts.speedup_high;
  }
  return outcome;
}

Outcome scaled(Outcome outcome, double factor) {
  for (double* speedup : {&outcome.speedup, &outcome.speedup_low, &outcome.speedup_high}) *speedup *= factor;
  return outcome;
}

std::vector<Reward> rewards_of_group(std::span<const Outcome> group, const RewardConfig& config) {
  std::vector<Reward> rewards(group.size());
  std::vector<std::size_t> right;
  for (std::size_t i = 0; i < group.size(); ++i) {
    if (group[i].correct) {
      rewards[i].correct = 1;
      right.push_back(i);
    } else if (group[i].valid && group[i].compiled) {
      rewards[i].correct = config.compiled_credit;
    }
  }
  const auto speed = [&](std::size_t i) { return capped_speed(group[i], config.speedup_cap); };
  std::ranges::stable_sort(right, [&](std::size_t a, std::size_t b) { return speed(a).value > speed(b).value; });
  for (std::size_t first = 0; first < right.size();) {
    const Speed fastest = speed(right[first]);
    std::size_t last = first;
    double sum = 0;
    for (; last < right.size() && tie(fastest, speed(right[last]), config.tie_share); ++last) {
      sum += speed(right[last]).value;
    }
    // The fastest ties with itself, unless it took no time worth the name.
    last = std::max(last, first + 1);
    for (std::size_t i = first; i < last; ++i) rewards[right[i]].speedup = sum / static_cast<double>(last - first);
    first = last;
  }
  return rewards;
}

void shuffle_speedups(std::span<Reward> rewards, std::span<const Outcome> group, base::Random random) {
  std::vector<double> speedups;
  for (std::size_t i = 0; i < group.size(); ++i) {
    if (group[i].correct) speedups.push_back(rewards[i].speedup);
  }
  random.shuffle(std::span(speedups));
  for (std::size_t i = 0; i < group.size(); ++i) {
    if (!group[i].correct) continue;
    rewards[i].speedup = speedups.back();
    speedups.pop_back();
  }
}

}  // namespace tritonrl::rl
