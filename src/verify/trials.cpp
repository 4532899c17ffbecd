#include "verify/trials.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "base/error.h"
#include "base/random.h"

namespace tritonrl::verify {
namespace {

constexpr std::size_t kMostListed = 4;
constexpr std::array<std::string_view, 11> kDistributions = {
    "sign-varied", "heavy-tailed",   "large",  "clustered",     "tiny",      "constant-rows",
    "normal",      "other-integers", "far-up", "far-up-others", "around-one"};
// What tells most functions of one number apart: near zero, and far from it; and masks, indices and lengths.
constexpr std::array<std::string_view, 3> kQuickDistributions = {"tiny", "large", "other-integers"};

constexpr std::size_t kMostUnlisted = 7;

// Sizes that nobody listed, the most telling first: all larger, all smaller, none a multiple of what a kernel would
// like; then, for references whose sizes depend on each other, one of them doubled.
std::vector<task::Variant> unlisted_sizes(const task::Variant& dims, base::Random& random) {
  std::vector<task::Variant> found;
  task::Variant larger = dims;
  task::Variant smaller = dims;
  for (std::size_t n = 0; n < dims.size(); ++n) {
    const std::int64_t value = dims[n].value;
    if (value < 4) continue;
    larger[n].value = random.between(value + 1, value + value / 2) | 1;
    smaller[n].value = random.between(value / 2, value - 2) | 1;
  }
  found.push_back(std::move(larger));
  found.push_back(std::move(smaller));
  for (std::size_t n = 0; n < dims.size() && found.size() < kMostUnlisted; ++n) {
    task::Variant one = dims;
    one[n].value *= 2;
    found.push_back(std::move(one));
  }
  return found;
}

// Of all dimensions together: work is less where this is.
double volume(const task::Task& task, const task::Variant& variant) {
  double product = 1;
  for (const auto& dimension : task.dims) {
    const auto other = std::ranges::find(variant, dimension.name, &task::Dimension::name);
    product *= static_cast<double>(other == variant.end() ? dimension.value : other->value);
  }
  return product;
}

// A kernel without its masks is right wherever blocks divide the sizes.
std::ptrdiff_t ragged_dimensions(const task::Variant& variant) {
  return std::ranges::count_if(variant, [](const task::Dimension& dimension) { return dimension.value % 16 != 0; });
}

}  // namespace

std::string_view depth_name(Depth depth) { return depth == Depth::kFull ? "full" : "train"; }

Depth depth_named(std::string_view name) {
  base::check(name == "full" || name == "train", "there are two depths");
  return name == "full" ? Depth::kFull : Depth::kTrain;
}

std::string sizes_text(const task::Variant& sizes) {
  if (sizes.empty()) return "the task's sizes";
  std::string text;
  for (const auto& dimension : sizes)
    text += fmt::format("{}{}={}", text.empty() ? "" : ", ", dimension.name, dimension.value);
  return text;
}

TrialPlan plan_trials(const task::Task& task, Depth depth, std::uint64_t seed,
                      const std::vector<task::Variant>& small_sizes, bool on_gpu) {
  const std::vector<task::Variant> stand_ins = on_gpu ? std::vector<task::Variant>{} : small_sizes;
  base::Random random(seed);
  TrialPlan plan;
  if (stand_ins.empty()) plan.sizes.emplace_back();
  for (const auto& variant : stand_ins) plan.sizes.push_back({.variant = variant});
  const std::size_t stood_in = plan.sizes.size();
  std::vector<task::Variant> variants;
  for (const auto& variant : task.variants) {
    if (stand_ins.empty() || volume(task, variant) <= volume(task, stand_ins.back())) variants.push_back(variant);
  }
  random.shuffle(std::span(variants));
  std::ranges::stable_sort(variants, std::ranges::greater{}, ragged_dimensions);
  variants.resize(std::min(variants.size(), depth == Depth::kFull ? kMostListed : 1));
  for (auto& variant : variants) plan.sizes.push_back({.variant = std::move(variant)});

  plan.trials.push_back({});
  plan.trials.push_back({.distribution = depth == Depth::kFull ? "as-given" : kDistributions[random.below(4)],
                         .fresh_memory = false,
                         .replayed = depth == Depth::kFull && small_sizes.empty()});
  if (depth == Depth::kFull) plan.trials.push_back({.fresh_memory = false, .poke = true});
  plan.trials.push_back({.fresh_memory = false, .ghost = true});
  if (depth == Depth::kFull) {
    for (const auto name : kDistributions)
      plan.trials.push_back({.distribution = name, .fresh_memory = name == "large"});
  }
  for (std::size_t n = 1; n < stood_in; ++n) {
    plan.trials.push_back({.sizes = n});  // may tune and compile
    plan.trials.push_back({.sizes = n, .fresh_memory = false, .counted = true});
  }
  for (std::size_t n = stood_in; n < plan.sizes.size(); ++n) {
    plan.trials.push_back(
        {.sizes = n, .distribution = n % 2 == 0 ? "as-given" : "normal", .replayed = depth == Depth::kFull});
  }
  if (depth == Depth::kTrain) {  // where they cost little
    const std::size_t cheapest = plan.sizes.size() > stood_in ? plan.sizes.size() - 1 : 0;
    for (const auto name : kQuickDistributions) plan.trials.push_back({.sizes = cheapest, .distribution = name});
  }
  if (depth == Depth::kFull && on_gpu && !small_sizes.empty()) {
    plan.sizes.push_back({.variant = small_sizes.front(), .listed = false});
    plan.trials.push_back({.sizes = plan.sizes.size() - 1, .replayed = true});
  }
  if (depth == Depth::kFull && !task.fixed_shape()) {
    for (auto& sizes : unlisted_sizes(stand_ins.empty() ? task.dims : stand_ins.front(), random)) {
      plan.sizes.push_back({.variant = std::move(sizes), .listed = false});
      plan.trials.push_back({.sizes = plan.sizes.size() - 1});
    }
  }
  return plan;
}

}  // namespace tritonrl::verify
