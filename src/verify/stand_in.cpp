#include "verify/stand_in.h"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include "pysource/syntax_tree.h"

namespace tritonrl::verify {
namespace {

constexpr std::int64_t kLeastSize = 64;
constexpr std::int64_t kMultiple = 16;  // Triton specialises kernels on it, and multiplies no fewer columns

// What the executor and an fp64 reference do in some ten milliseconds, and in a second or so.
constexpr Oracle::Work kQuick{.flops = 1 << 24U, .bytes = 1 << 20U};
constexpr Oracle::Work kBearable{.flops = 1 << 30U, .bytes = 1 << 26U};
// What leaves a kernel enough steps that computes much besides, and one that has many times the work.
constexpr Oracle::Work kStandIn{.flops = 1 << 28U, .bytes = 1 << 26U};
constexpr Oracle::Work kSmall{.flops = 1 << 26U, .bytes = 1 << 24U};

// What the executor can do all trials of in a minute or so.
constexpr Oracle::Work kAMinute{.flops = 1LL << 32U, .bytes = 1 << 28U};

// What torch does once in a second or two.
constexpr Oracle::Work kOnceByTorch{.flops = 1LL << 38U, .bytes = 1LL << 32U};

constexpr std::int64_t kLeastTelling = 32;  // smaller numbers are in every source
constexpr std::size_t kMostShrunk = 6;      // that counts are scaled over

bool is_multiple(std::int64_t value) { return value % kMultiple == 0; }

// About `value`, and divisible by what `like` is.
std::int64_t alike(std::int64_t value, std::int64_t like) {
  if (is_multiple(like)) return value / kMultiple * kMultiple;
  return is_multiple(value) ? value + 1 : value;
}

double times(const Oracle::Work& work, const Oracle::Work& limit) {
  return std::max(work.flops / limit.flops, work.bytes / limit.bytes);
}

bool own_sizes_within(const Oracle::Work& limit, Oracle& oracle) {
  const auto weighed = oracle.weigh({});
  const auto* work = std::get_if<Oracle::Work>(&weighed);
  return work != nullptr && times(*work, limit) <= 1;
}

// Whether a product became narrower than `tl.dot` takes. Kernels have the task's own heads of attention in mind.
bool too_narrow(const Oracle::Work& work, const Oracle::Work& own) {
  return work.narrowest && *work.narrowest < std::min(kMultiple, own.narrowest.value_or(kMultiple));
}

// Sizes that depend on each other in ways that only the reference knows, or of which halving the largest is not enough:
// each is halved as long as the reference takes it and has less work with it.
class WeighedSizes {
 public:
  WeighedSizes(const task::Task& task, Oracle& oracle, const Oracle::Work& own)
      : oracle_(oracle), base_(task.dims), own_(own), work_(own) {}

  std::vector<task::Variant> find() {
    shrink_to(kQuick);
    least_ = kMultiple;  // where that is not enough
    shrink_to(kSmall);
    least_ = 1;
    shrink_to(kSmall);
    if (shrunk_.empty()) return {};
    std::vector<task::Variant> sizes{base_};
    for (const auto& together : shrunk_) sizes.push_back(doubled(base_, together));
    task::Variant check = base_;
    for (const auto& together : shrunk_) {
      if (const auto work = weighed(doubled(check, together)); work && times(*work, kSmall) <= 1)
        check = doubled(std::move(check), together);
    }
    if (std::ranges::find(sizes, check) == sizes.end()) sizes.push_back(std::move(check));
    return sizes;
  }

 private:
  using Together = std::set<std::size_t>;  // dimensions that change at once

  void shrink_to(const Oracle::Work& limit) {
    std::set<std::size_t> kept;  // as they are
    while (times(work_, limit) > 1) {
      const auto largest = largest_but(kept);
      if (!largest) break;
      if (!halve({*largest}) && !halve(equal_to(*largest))) kept.insert(*largest);
    }
  }

  std::int64_t half(std::int64_t value) const { return least_ < kMultiple ? value / 2 : alike(value / 2, value); }
  static task::Variant doubled(task::Variant sizes, const Together& which) {
    for (const std::size_t n : which) sizes[n].value = alike(2 * sizes[n].value, sizes[n].value);
    return sizes;
  }

  std::optional<Oracle::Work> weighed(const task::Variant& sizes) {
    auto work = oracle_.weigh(sizes);
    if (auto* known = std::get_if<Oracle::Work>(&work)) return *known;
    return std::nullopt;
  }

  std::optional<std::size_t> largest_but(const std::set<std::size_t>& kept) const {
    std::optional<std::size_t> largest;
    for (std::size_t n = 0; n < base_.size(); ++n) {
      if (kept.contains(n) || half(base_[n].value) < least_) continue;
      if (!largest || base_[n].value > base_[*largest].value) largest = n;
    }
    return largest;
  }

  Together equal_to(std::size_t dim) const {
    Together equal;
    for (std::size_t n = 0; n < base_.size(); ++n)
      if (base_[n].value == base_[dim].value) equal.insert(n);
    return equal;
  }

  // False where the reference does not take it, has as much work as before, or multiplies what is too narrow.
  bool halve(const Together& which) {
    if (std::ranges::find(shrunk_, which) == shrunk_.end()) {
      const auto among = [&](const Together& other) {
        return std::ranges::any_of(which, [&](std::size_t n) { return other.contains(n); });
      };
      std::size_t changing = which.size();
      for (const auto& together : shrunk_) changing += together.size();
      if (changing > kMostShrunk || std::ranges::any_of(shrunk_, among)) return false;
    }
    task::Variant halved = base_;
    for (const std::size_t n : which) halved[n].value = half(halved[n].value);
    const auto work = weighed(halved);
    if (!work || too_narrow(*work, own_) || times(*work, kQuick) >= times(work_, kQuick)) return false;
    base_ = std::move(halved);
    work_ = *work;
    if (std::ranges::find(shrunk_, which) == shrunk_.end()) shrunk_.push_back(which);
    return true;
  }

  Oracle& oracle_;
  task::Variant base_;
  Oracle::Work own_;
  Oracle::Work work_;  // at these sizes
  std::int64_t least_ = kLeastSize;
  std::vector<Together> shrunk_;
};

}  // namespace

std::vector<task::Variant> stand_ins(const task::Task& task, Oracle& oracle) {
  if (task.fixed_shape()) return {};
  const auto own = oracle.weigh({});
  const auto* work = std::get_if<Oracle::Work>(&own);
  if (work == nullptr || times(*work, task.variants.empty() ? kBearable : kQuick) <= 1) return {};
  const auto fits = [&](const task::Variant& sizes) {
    const auto weighed = oracle.weigh(sizes);
    const auto* found = std::get_if<Oracle::Work>(&weighed);
    return found != nullptr && times(*found, kStandIn) <= 1 && !too_narrow(*found, *work);
  };
  auto sizes = quick_sizes(task, times(*work, kQuick));
  if (sizes.empty() && times(*work, kBearable) <= 1) return {};
  if (!sizes.empty() && std::ranges::all_of(sizes, fits)) return sizes;
  return WeighedSizes(task, oracle, *work).find();
}

std::vector<FarSizes> far_sizes(const task::Task& task, const task::Variant& base, Oracle& oracle) {
  std::vector<FarSizes> found;
  for (std::size_t n = 0; n < base.size(); ++n) {
    if (base[n].value >= task.dims[n].value) continue;
    FarSizes sizes{.far = base, .near = base};
    sizes.far[n].value = task.dims[n].value;
    while (true) {
      const auto weighed = oracle.weigh(sizes.far);
      const auto* work = std::get_if<Oracle::Work>(&weighed);
      if (work == nullptr) break;
      if (times(*work, kSmall) <= 1) {
        found.push_back(std::move(sizes));
        break;
      }
      std::size_t largest = n;  // of the others
      for (std::size_t other = 0; other < base.size(); ++other) {
        if (other != n && sizes.far[other].value > 1 &&
            (largest == n || sizes.far[other].value > sizes.far[largest].value))
          largest = other;
      }
      if (largest == n) break;
      const std::int64_t value = sizes.far[largest].value;
      sizes.far[largest].value = sizes.near[largest].value = value > kMultiple ? alike(value / 2, value) : value / 2;
    }
  }
  return found;
}

std::optional<std::int64_t> own_size_in(std::string_view code, const task::Task& task, const task::Variant& base) {
  if (!task.variants.empty()) return std::nullopt;
  std::set<std::int64_t> own;
  for (std::size_t n = 0; n < base.size(); ++n) {
    if (base[n].value == task.dims[n].value) continue;
    own.insert(task.dims[n].value);
    for (const auto& other : task.dims) own.insert(task.dims[n].value * other.value);
  }
  const auto parsed = pysource::SyntaxTree::parse(code);
  const auto* tree = std::get_if<pysource::SyntaxTree>(&parsed);
  for (pysource::NodeId node = 0; tree != nullptr && node < tree->size(); ++node) {
    const auto value = tree->kind(node) == pysource::Kind::kInt ? tree->int_value(node) : std::nullopt;
    if (value && *value >= kLeastTelling && own.contains(*value)) return value;
  }
  return std::nullopt;
}

bool can_run_own_sizes(Oracle& oracle) { return own_sizes_within(kAMinute, oracle); }

bool can_call_at_own_sizes(Oracle& oracle) { return own_sizes_within(kOnceByTorch, oracle); }

std::vector<task::Variant> quick_sizes(const task::Task& task, double shrink) {
  task::Variant base = task.dims;
  std::set<std::size_t> shrunk;
  while (shrink >= 2) {
    std::size_t largest = base.size();
    for (std::size_t n = 0; n < base.size(); ++n) {
      const std::int64_t half = base[n].value / 2;
      if (half < kLeastSize || is_multiple(half) != is_multiple(base[n].value)) continue;
      if (largest == base.size() || base[n].value > base[largest].value) largest = n;
    }
    if (largest == base.size()) break;
    base[largest].value /= 2;
    shrunk.insert(largest);
    shrink /= 2;
  }
  if (shrunk.empty()) return {};
  std::vector<task::Variant> sizes{base};
  const auto doubled = [&](const std::set<std::size_t>& which) {
    task::Variant variant = base;
    for (const std::size_t n : which) variant[n].value *= 2;
    sizes.push_back(std::move(variant));
  };
  for (const std::size_t n : shrunk) doubled({n});
  if (shrunk.size() > 1) {
    doubled(shrunk);
  } else {
    task::Variant check = base;
    check[*shrunk.begin()].value = base[*shrunk.begin()].value * 3;
    sizes.push_back(std::move(check));
  }
  return sizes;
}

}  // namespace tritonrl::verify
