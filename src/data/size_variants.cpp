#include "data/size_variants.h"

#include <algorithm>
#include <array>
#include <functional>

namespace tritonrl::data {
namespace {

bool is_prime(std::int64_t value) {
  if (value < 2) return false;
  for (std::int64_t divisor = 2; divisor * divisor <= value; ++divisor) {
    if (value % divisor == 0) return false;
  }
  return true;
}

std::int64_t prime_below(std::int64_t value) {
  while (value > 2 && !is_prime(value)) --value;
  return std::max<std::int64_t>(value, 2);
}

using Rule = std::int64_t (*)(std::int64_t);

constexpr std::array<Rule, 4> kRules = {
    [](std::int64_t value) { return std::max<std::int64_t>(value * 3 / 4, 2) | 1; },         // odd
    [](std::int64_t value) { return prime_below(value - 1); },                               // prime
    [](std::int64_t) { return std::int64_t{1}; },                                            // one
    [](std::int64_t value) { return value < 1024 ? 2 * value + 1 : value + value / 4 + 1; }  // larger
};

// Whether a variant changes anything.
bool differs(const task::Task& task, const task::Variant& variant) {
  return std::ranges::any_of(variant, [&](const task::Dimension& dimension) {
    return std::ranges::find(task.dims, dimension) == task.dims.end();
  });
}

class Variants {
 public:
  Variants(const task::Task& task, const verify::RunsAt& runs, std::size_t most)
      : task_(task), runs_(runs), most_(most) {}

  bool full() const { return found_.size() >= most_; }

  bool offer(const task::Variant& variant) {
    if (full() || !differs(task_, variant) || std::ranges::find(tried_, variant) != tried_.end()) return false;
    tried_.push_back(variant);
    if (!runs_(variant)) return false;
    found_.push_back(variant);
    return true;
  }

  std::vector<task::Variant> take() { return std::move(found_); }

 private:
  const task::Task& task_;
  const verify::RunsAt& runs_;
  std::size_t most_;
  std::vector<task::Variant> tried_;
  std::vector<task::Variant> found_;
};

// By a rule for the sizes that `chosen` picks, the others as they are.
task::Variant by_rule(const task::Task& task, Rule rule, const std::function<bool(std::size_t)>& chosen) {
  task::Variant variant;
  for (std::size_t n = 0; n < task.dims.size(); ++n) {
    if (chosen(n)) variant.push_back({.name = task.dims[n].name, .value = rule(task.dims[n].value)});
  }
  return variant;
}

}  // namespace

std::vector<task::Variant> find_variants(const task::Task& task, const verify::RunsAt& runs, std::size_t most,
                                         const std::vector<task::Variant>& proposed) {
  Variants variants(task, runs, most);
  for (const auto& variant : proposed) variants.offer(variant);
  for (const Rule rule : kRules) {
    bool found = variants.offer(by_rule(task, rule, [](std::size_t) { return true; }));
    for (std::size_t n = 0; n < task.dims.size() && !found; ++n) {
      found = variants.offer(by_rule(task, rule, [n](std::size_t each) { return each == n; }));
    }
  }
  for (std::size_t n = 0; n < task.dims.size() && !variants.full(); ++n) {
    variants.offer(by_rule(task, kRules.front(), [n](std::size_t each) { return each != n; }));
  }
  return variants.take();
}

std::vector<task::LiteralSize> couple_sizes(std::vector<task::LiteralSize> sizes, const verify::RunsAt& runs) {
  std::vector<task::LiteralSize> coupled;
  std::vector<bool> placed(sizes.size(), false);
  const auto moves = [&](const std::vector<std::size_t>& group) {
    task::Variant variant;
    for (const std::size_t n : group) variant.push_back({.name = sizes[n].name, .value = 2 * sizes[n].value});
    return runs(variant);
  };
  const auto place = [&](const std::vector<std::size_t>& group) {
    for (const std::size_t n : group) {
      coupled.push_back(sizes[n]);
      coupled.back().name = sizes[group.front()].name;
      placed[n] = true;
    }
  };
  const auto like = [&](std::size_t n) {
    std::vector<std::size_t> found;
    for (std::size_t other = n + 1; other < sizes.size(); ++other) {
      if (!placed[other] && sizes[other].value == sizes[n].value) found.push_back(other);
    }
    return found;
  };
  for (std::size_t n = 0; n < sizes.size(); ++n) {
    if (placed[n]) continue;
    if (moves({n})) {
      place({n});
      continue;
    }
    auto others = like(n);
    const auto partner = std::ranges::find_if(others, [&](std::size_t other) { return moves({n, other}); });
    if (partner != others.end()) {
      place({n, *partner});
    } else if (others.insert(others.begin(), n); others.size() > 2 && moves(others)) {
      place(others);
    }
  }
  std::ranges::sort(coupled, {}, [](const task::LiteralSize& size) { return size.literal.begin; });
  return coupled;
}

}  // namespace tritonrl::data
