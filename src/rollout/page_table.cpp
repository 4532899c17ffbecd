#include "rollout/page_table.h"

#include <algorithm>

#include "base/error.h"

namespace tritonrl::rollout {
namespace {

using tokenizer::TokenId;

// splitmix64's finaliser over the chain; never 0, which means "not published".
std::uint64_t key_of(std::uint64_t previous, std::span<const TokenId> block) {
  std::uint64_t key = previous ^ 0x9e3779b97f4a7c15U;
  for (const TokenId token : block) {
    key += static_cast<std::uint64_t>(token) + 0x9e3779b97f4a7c15U;
    key = (key ^ (key >> 30U)) * 0xbf58476d1ce4e5b9U;
    key = (key ^ (key >> 27U)) * 0x94d049bb133111ebU;
    key ^= key >> 31U;
  }
  return key == 0 ? 1 : key;
}

}  // namespace

PageTable::PageTable(std::int32_t pages, std::int32_t page_size)
    : page_size_(page_size), entries_(static_cast<std::size_t>(pages)) {
  base::check(pages > 0 && page_size > 0, "a cache needs pages");
  for (Page page = 0; page < pages; ++page) entry(page).place = unheld_.insert(unheld_.end(), page);
}

std::optional<Page> PageTable::take() {
  if (unheld_.empty()) return std::nullopt;
  const Page page = unheld_.front();
  unheld_.pop_front();
  forget(page);
  entry(page).holders = 1;
  return page;
}

void PageTable::share(Page page) {
  Entry& shared = entry(page);
  if (shared.holders == 0) unheld_.erase(shared.place);
  ++shared.holders;
}

void PageTable::release(Page page) {
  Entry& released = entry(page);
  base::check(released.holders > 0, "a page is released that nobody holds");
  if (--released.holders > 0) return;
  released.place = unheld_.insert(released.key == 0 ? unheld_.begin() : unheld_.end(), page);
}

std::vector<Page> PageTable::take_prefix(std::span<const TokenId> tokens) {
  std::vector<Page> pages;
  const auto block_size = static_cast<std::size_t>(page_size_);
  std::uint64_t key = 0;
  for (std::size_t start = 0; start + block_size <= tokens.size(); start += block_size) {
    const auto block = tokens.subspan(start, block_size);
    const auto page = find(key, block);
    if (!page) break;
    share(*page);
    pages.push_back(*page);
    key = entry(*page).key;
  }
  return pages;
}

void PageTable::publish(std::span<const TokenId> tokens, std::span<const Page> pages) {
  const auto block_size = static_cast<std::size_t>(page_size_);
  std::uint64_t key = 0;
  for (std::size_t i = 0; i < pages.size() && (i + 1) * block_size <= tokens.size(); ++i) {
    const auto block = tokens.subspan(i * block_size, block_size);
    const std::uint64_t previous = key;
    key = key_of(previous, block);
    Entry& full = entry(pages[i]);
    if (full.key != 0 || published_.contains(key)) continue;
    full.key = key;
    full.previous = previous;
    full.tokens.assign(block.begin(), block.end());
    published_.emplace(key, pages[i]);
  }
}

void PageTable::forget_prefixes() {
  for (Page page = 0; page < pages(); ++page) {
    // Before those that were never used: memory that was never written must be found first.
    if (entry(page).key != 0 && entry(page).holders == 0) unheld_.splice(unheld_.begin(), unheld_, entry(page).place);
    forget(page);
  }
}

std::optional<Page> PageTable::find(std::uint64_t previous, std::span<const TokenId> block) const {
  const auto found = published_.find(key_of(previous, block));
  if (found == published_.end()) return std::nullopt;
  const Entry& candidate = entries_[static_cast<std::size_t>(found->second)];
  const bool same = candidate.previous == previous && std::ranges::equal(candidate.tokens, block);
  return same ? std::optional(found->second) : std::nullopt;
}

void PageTable::forget(Page page) {
  Entry& known = entry(page);
  if (known.key == 0) return;
  published_.erase(known.key);
  known.key = 0;
  known.tokens.clear();
}

}  // namespace tritonrl::rollout
