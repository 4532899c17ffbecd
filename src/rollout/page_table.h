#pragma once

#include <cstdint>
#include <list>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "tokenizer/token_id.h"

namespace tritonrl::rollout {

using Page = std::int32_t;

// Which page of the cache belongs to whom. A page has as many holders as sequences read it. A page whose tokens are
// published is found again by any sequence that begins with the same tokens, also after its last holder let it go,
// until the room is wanted. Knows nothing of what the pages hold.
class PageTable {
 public:
  PageTable(std::int32_t pages, std::int32_t page_size);

  // A page that nobody holds, the caller now its only holder; nothing when all are held.
  std::optional<Page> take();
  // One more holder.
  void share(Page page);
  void release(Page page);
  bool is_shared(Page page) const { return entries_[static_cast<std::size_t>(page)].holders > 1; }

  // The pages that hold the longest beginning of `tokens`, whole pages only; the caller becomes a holder of each.
  std::vector<Page> take_prefix(std::span<const tokenizer::TokenId> tokens);
  // `pages` hold the beginning of `tokens`: from now on take_prefix() finds those that are full.
  void publish(std::span<const tokenizer::TokenId> tokens, std::span<const Page> pages);
  // What is published holds no longer, as the weights have changed: its pages are taken next.
  void forget_prefixes();

  std::int32_t pages() const { return static_cast<std::int32_t>(entries_.size()); }
  std::int32_t page_size() const { return page_size_; }
  // Held by nobody: take() succeeds so often.
  std::int32_t available() const { return static_cast<std::int32_t>(unheld_.size()); }

 private:
  struct Entry {
    std::int32_t holders = 0;
    std::list<Page>::iterator place;  // in unheld_, where nobody holds it
    std::uint64_t key = 0;            // of the tokens up to the page's end; 0: not published
    std::uint64_t previous = 0;       // key of the tokens before it
    std::vector<tokenizer::TokenId> tokens;
  };

  Entry& entry(Page page) { return entries_[static_cast<std::size_t>(page)]; }
  std::optional<Page> find(std::uint64_t previous, std::span<const tokenizer::TokenId> block) const;
  void forget(Page page);

  std::int32_t page_size_;
  std::vector<Entry> entries_;
  std::list<Page> unheld_;  // the front is taken first: empty ones, then the published by age
  std::unordered_map<std::uint64_t, Page> published_;
};

}  // namespace tritonrl::rollout
