#include "verify/trials.h"

#include <algorithm>
#include <array>

#include "base/random.h"

namespace tritonrl::verify {
namespace {

constexpr std::size_t kMostListed = 4;
constexpr std::array<std::string_view, 8> kDistributions = {"sign-varied", "heavy-tailed",  "large",  "clustered",
                                                            "tiny",        "constant-rows", "normal", "far-up"};

constexpr std::size_t kMostUnlisted = 7;

// Sizes that nobody listed, the most telling first: all larger, all smaller, none a multiple of what a kernel would
// like; then, for references whose sizes depend on each other, one of them doubled.
std::vector<task::Variant> unlisted_sizes(const task::Task& task, base::Random& random) {
  std::vector<task::Variant> found;
  task::Variant larger = task.dims;
  task::Variant smaller = task.dims;
  for (std::size_t n = 0; n < task.dims.size(); ++n) {
    const std::int64_t value = task.dims[n].value;
    if (value < 4) continue;
    larger[n].value = random.between(value + 1, value + value / 2) | 1;
    smaller[n].value = random.between(value / 2, value - 2) | 1;
  }
  found.push_back(std::move(larger));
  found.push_back(std::move(smaller));
  for (std::size_t n = 0; n < task.dims.size() && found.size() < kMostUnlisted; ++n) {
    task::Variant one = task.dims;
    one[n].value *= 2;
    found.push_back(std::move(one));
  }
  return found;
}

}  // namespace

std::string_view depth_name(Depth depth) { return depth == Depth::kFull ? "full" : "train"; }

TrialPlan plan_trials(const task::Task& task, Depth depth, std::uint64_t seed) {
  base::Random random(seed);
  TrialPlan plan{.sizes = {{}}, .trials = {}};
  const std::size_t listed = std::min(task.variants.size(), depth == Depth::kFull ? kMostListed : 1);
  std::vector<std::size_t> order(task.variants.size());
  for (std::size_t n = 0; n < order.size(); ++n) order[n] = n;
  random.shuffle(std::span(order));
  for (std::size_t n = 0; n < listed; ++n) plan.sizes.push_back({.variant = task.variants[order[n]]});

  plan.trials.push_back({});
  plan.trials.push_back(
      {.distribution = depth == Depth::kFull ? "as-given" : kDistributions[random.below(4)], .fresh_memory = false});
  if (depth == Depth::kFull) plan.trials.push_back({.fresh_memory = false, .poke = true});
  plan.trials.push_back({.fresh_memory = false, .ghost = true});
  if (depth == Depth::kFull) {
    for (const auto name : kDistributions)
      plan.trials.push_back({.distribution = name, .fresh_memory = name == "large"});
  }
  for (std::size_t n = 1; n <= listed; ++n) {
    plan.trials.push_back({.sizes = n, .distribution = n % 2 == 0 ? "as-given" : "normal"});
  }
  if (depth == Depth::kFull && !task.fixed_shape()) {
    for (auto& sizes : unlisted_sizes(task, random)) {
      plan.sizes.push_back({.variant = std::move(sizes), .listed = false});
      plan.trials.push_back({.sizes = plan.sizes.size() - 1});
    }
  }
  return plan;
}

}  // namespace tritonrl::verify
