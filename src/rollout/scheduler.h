#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "rollout/page_table.h"
#include "rollout/sequence.h"
#include "rollout/step.h"

namespace tritonrl::rollout {

struct SchedulerConfig {
  std::int32_t pages = 0;
  std::int32_t page_size = 16;
  std::int32_t max_step_tokens = 2048;
  std::int32_t max_sequences = 256;  // at once
};

// Which tokens are computed next. Who came first goes first: a sequence that needs a page takes it from the youngest,
// which computes its tokens again later. Tokens that continue a response go before chunks of prompts, those before new
// prompts. Followers of a sequence start with its pages; the page that they do not fill together is copied when
// written.
class Scheduler {
 public:
  explicit Scheduler(const SchedulerConfig& config);

  // The pages must hold all tokens that it can come to have, and max_sequences it and its followers.
  void add(std::shared_ptr<Sequence> sequence);
  // Nothing where all that remains is in flight. What it returns counts as done from then on.
  Step schedule();
  // A draw's token is known.
  void append(Sequence& sequence, tokenizer::TokenId token) const;
  // Lets its pages go.
  void finish(const std::shared_ptr<Sequence>& sequence);
  // All of them, followers included, also those that wait.
  std::vector<std::shared_ptr<Sequence>> sequences() const;

  bool idle() const { return running_.empty() && waiting_.empty(); }
  void forget_prefixes() { pages_.forget_prefixes(); }
  const PageTable& pages() const { return pages_; }
  std::int32_t most_pages_held() const { return most_pages_held_; }
  std::int64_t preemptions() const { return preemptions_; }
  // Tokens of prompts that were found in the cache.
  std::int64_t reused_tokens() const { return reused_tokens_; }

 private:
  using Shared = std::shared_ptr<Sequence>;

  void continue_responses(Step& step);
  void continue_prompts(Step& step);
  void start_prompts(Step& step);
  // Room for `count` more tokens of it, at the cost of younger ones; fewer where there are not enough pages.
  std::int32_t reserve(Step& step, Sequence& sequence, std::int32_t count);
  bool own_last_page(Step& step, Sequence& sequence);
  std::optional<Page> take_page(const Sequence& wanting);
  void preempt(std::size_t place);
  void put(Step& step, const Shared& sequence, std::int32_t count);
  void draw(Step& step, const Shared& sequence);
  std::int32_t pages_for(std::int32_t tokens) const;
  std::int32_t room(const Step& step) const { return config_.max_step_tokens - step.tokens(); }

  SchedulerConfig config_;
  PageTable pages_;
  std::vector<Shared> running_;  // both by arrival
  std::vector<Shared> waiting_;
  std::uint64_t arrivals_ = 0;
  std::uint64_t step_ = 0;
  bool preempted_ = false;  // in this step
  std::int32_t most_pages_held_ = 0;
  std::int64_t preemptions_ = 0;
  std::int64_t reused_tokens_ = 0;
};

}  // namespace tritonrl::rollout
