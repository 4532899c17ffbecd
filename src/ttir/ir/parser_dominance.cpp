#include "ttir/ir/parser_dominance.h"

#include <algorithm>
#include <cstddef>

namespace tritonrl::ttir {
namespace {

constexpr std::uint32_t kUnreached = ~std::uint32_t{0};

}  // namespace

// Cooper, Harvey and Kennedy: "A simple, fast dominance algorithm".
Dominance::Dominance(std::uint32_t blocks, std::span<const std::pair<std::uint32_t, std::uint32_t>> branches)
    : place_(blocks, 0), dominated_(blocks, 0) {
  std::vector<std::vector<std::uint32_t>> successors(blocks);
  std::vector<std::vector<std::uint32_t>> predecessors(blocks);
  for (const auto& [from, to] : branches) {
    successors[from].push_back(to);
    predecessors[to].push_back(from);
  }

  std::vector<std::uint32_t> finished;  // postorder
  std::vector<std::uint32_t> number(blocks, kUnreached);
  std::vector<std::pair<std::uint32_t, std::size_t>> path{{0, 0}};
  std::vector<bool> seen(blocks, false);
  seen[0] = true;
  while (!path.empty()) {
    auto& [block, next] = path.back();
    if (next == successors[block].size()) {
      number[block] = static_cast<std::uint32_t>(finished.size());
      finished.push_back(block);
      path.pop_back();
    } else if (const std::uint32_t to = successors[block][next++]; !seen[to]) {
      seen[to] = true;
      path.emplace_back(to, 0);
    }
  }

  std::vector<std::uint32_t> immediates(blocks, kUnreached);
  immediates[0] = 0;
  const auto common = [&](std::uint32_t a, std::uint32_t b) {
    while (a != b) {
      while (number[a] < number[b]) a = immediates[a];
      while (number[b] < number[a]) b = immediates[b];
    }
    return a;
  };
  std::ranges::reverse(finished);
  for (bool changed = true; changed;) {
    changed = false;
    for (const std::uint32_t block : finished) {
      if (block == 0) continue;
      std::uint32_t immediate = kUnreached;
      for (const std::uint32_t from : predecessors[block])
        if (immediates[from] != kUnreached) immediate = immediate == kUnreached ? from : common(from, immediate);
      changed = changed || immediate != immediates[block];
      immediates[block] = immediate;
    }
  }

  for (auto block = finished.rbegin(); block != finished.rend(); ++block) {
    ++dominated_[*block];
    if (*block != 0) dominated_[immediates[*block]] += dominated_[*block];
  }
  std::vector<std::uint32_t> next_place(blocks, 1);
  for (const std::uint32_t block : finished) {
    if (block == 0) continue;
    std::uint32_t& next = next_place[immediates[block]];
    place_[block] = next;
    next += dominated_[block];
    next_place[block] = place_[block] + 1;
  }
}

bool Dominance::dominates(std::uint32_t block, std::uint32_t other) const {
  if (dominated_[other] == 0) return true;
  return place_[other] - place_[block] < dominated_[block];
}

}  // namespace tritonrl::ttir
