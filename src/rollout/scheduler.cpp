#include "rollout/scheduler.h"

#include <algorithm>
#include <span>

#include "base/error.h"

namespace tritonrl::rollout {
namespace {

void insert_by_arrival(std::vector<std::shared_ptr<Sequence>>& sequences, std::shared_ptr<Sequence> sequence) {
  const auto place =
      std::ranges::upper_bound(sequences, sequence->arrival, {}, [](const auto& s) { return s->arrival; });
  sequences.insert(place, std::move(sequence));
}

}  // namespace

Scheduler::Scheduler(const SchedulerConfig& config) : config_(config), pages_(config.pages, config.page_size) {}

void Scheduler::add(std::shared_ptr<Sequence> sequence) {
  base::check(!sequence->token_ids.empty() && sequence->max_tokens > 0, "a sequence without prompt or room");
  base::check(pages_for(sequence->prompt_tokens + sequence->max_tokens) <= config_.pages, "a sequence past the cache");
  base::check(static_cast<std::int32_t>(sequence->followers.size()) < config_.max_sequences, "a group too large");
  sequence->arrival = ++arrivals_;
  for (const Shared& follower : sequence->followers) follower->arrival = ++arrivals_;
  waiting_.push_back(std::move(sequence));
}

Step Scheduler::schedule() {
  Step step;
  ++step_;
  preempted_ = false;
  continue_responses(step);
  continue_prompts(step);
  start_prompts(step);
  most_pages_held_ = std::max(most_pages_held_, config_.pages - pages_.available());
  return step;
}

void Scheduler::continue_responses(Step& step) {
  const std::vector<Shared> before = running_;
  for (const Shared& sequence : before) {
    if (sequence->pages.empty() || sequence->to_compute() != 1 || sequence->drawn() >= sequence->max_tokens) continue;
    if (room(step) == 0) break;
    if (reserve(step, *sequence, 1) == 1) {
      put(step, sequence, 1);
    } else {
      preempt(static_cast<std::size_t>(std::ranges::find(running_, sequence) - running_.begin()));
    }
  }
}

void Scheduler::continue_prompts(Step& step) {
  const std::vector<Shared> before = running_;
  for (const Shared& sequence : before) {
    if (sequence->pages.empty() || sequence->to_compute() <= 1 || sequence->last_step == step_) continue;
    const std::int32_t wanted = std::min(room(step), sequence->to_compute());
    const std::int32_t count = wanted > 0 ? reserve(step, *sequence, wanted) : 0;
    if (count > 0) put(step, sequence, count);
  }
}

void Scheduler::start_prompts(Step& step) {
  while (!waiting_.empty() && !preempted_ && room(step) > 0) {
    const Shared sequence = waiting_.front();
    const auto group = static_cast<std::int32_t>(1 + sequence->followers.size());
    if (static_cast<std::int32_t>(running_.size()) + group > config_.max_sequences || sequence->in_flight > 0) return;
    // The last token is computed in any case: the first draw needs its row.
    const auto before_last = std::span(sequence->token_ids).first(sequence->token_ids.size() - 1);
    sequence->pages = pages_.take_prefix(before_last);
    // Each running sequence may want a page soon: to start one only to preempt it wastes its prompt.
    const std::int32_t wanted = pages_for(sequence->known()) - static_cast<std::int32_t>(sequence->pages.size());
    if (!running_.empty() && pages_.available() < wanted + static_cast<std::int32_t>(running_.size()) + group) {
      for (const Page page : sequence->pages) pages_.release(page);
      sequence->pages.clear();
      return;
    }
    sequence->computed = static_cast<std::int32_t>(sequence->pages.size()) * config_.page_size;
    reused_tokens_ += sequence->computed;
    waiting_.erase(waiting_.begin());
    insert_by_arrival(running_, sequence);
    const std::int32_t count = reserve(step, *sequence, std::min(room(step), sequence->to_compute()));
    base::check(count > 0, "a prompt is started without a page for it");
    put(step, sequence, count);
  }
}

std::int32_t Scheduler::reserve(Step& step, Sequence& sequence, std::int32_t count) {
  if (!own_last_page(step, sequence)) return 0;
  while (static_cast<std::int32_t>(sequence.pages.size()) < pages_for(sequence.computed + count)) {
    const auto page = take_page(sequence);
    if (!page) break;
    sequence.pages.push_back(*page);
  }
  const std::int32_t room = static_cast<std::int32_t>(sequence.pages.size()) * config_.page_size - sequence.computed;
  return std::min(count, room);
}

bool Scheduler::own_last_page(Step& step, Sequence& sequence) {
  if (sequence.computed % config_.page_size == 0) return true;
  while (pages_.is_shared(sequence.pages.back())) {
    // To take a page may end the sharing.
    const auto page = take_page(sequence);
    if (!pages_.is_shared(sequence.pages.back())) {
      if (page) pages_.release(*page);
      return true;
    }
    if (!page) return false;
    step.copies.emplace_back(sequence.pages.back(), *page);
    pages_.release(sequence.pages.back());
    sequence.pages.back() = *page;
  }
  return true;
}

std::optional<Page> Scheduler::take_page(const Sequence& wanting) {
  while (true) {
    if (const auto page = pages_.take()) return page;
    const auto younger = [&](const Shared& other) {
      return other->arrival > wanting.arrival && other->last_step != step_ && !other->pages.empty();
    };
    const auto victim = std::find_if(running_.rbegin(), running_.rend(), younger);
    if (victim == running_.rend()) return std::nullopt;
    preempt(static_cast<std::size_t>(running_.rend() - victim) - 1);
  }
}

void Scheduler::preempt(std::size_t place) {
  Shared sequence = running_[place];
  running_.erase(running_.begin() + static_cast<std::ptrdiff_t>(place));
  for (const Page page : sequence->pages) pages_.release(page);
  sequence->pages.clear();
  sequence->computed = 0;
  ++sequence->preemptions;
  ++preemptions_;
  preempted_ = true;
  insert_by_arrival(waiting_, std::move(sequence));
}

void Scheduler::put(Step& step, const Shared& sequence, std::int32_t count) {
  for (std::int32_t position = sequence->computed; position < sequence->computed + count; ++position) {
    const auto at = static_cast<std::size_t>(position);
    step.token_ids.push_back(position < sequence->known() ? sequence->token_ids[at] : -1 - sequence->last_draw);
    step.positions.push_back(position);
    const Page page = sequence->pages[at / static_cast<std::size_t>(config_.page_size)];
    step.slots.push_back(page * config_.page_size + position % config_.page_size);
  }
  sequence->computed += count;
  sequence->last_step = step_;
  step.query_starts.push_back(step.tokens());
  step.context_lengths.push_back(sequence->computed);
  step.pages.push_back(sequence->pages);
  const std::int32_t of_prompt = std::min(sequence->computed, sequence->prompt_tokens);
  if (sequence->computed - count < sequence->prompt_tokens) {
    pages_.publish(std::span(sequence->token_ids).first(static_cast<std::size_t>(of_prompt)), sequence->pages);
  }
  if (sequence->to_compute() > 0) return;
  draw(step, sequence);
  for (Shared& follower : sequence->followers) {
    follower->computed = sequence->computed;
    follower->pages = sequence->pages;
    follower->last_step = step_;
    for (const Page page : follower->pages) pages_.share(page);
    draw(step, follower);
    insert_by_arrival(running_, std::move(follower));
  }
  sequence->followers.clear();
}

void Scheduler::draw(Step& step, const Shared& sequence) {
  sequence->last_draw = static_cast<std::int32_t>(step.draws.size());
  step.draws.push_back({.sequence = sequence, .row = step.tokens() - 1, .position = sequence->drawn()});
  ++sequence->in_flight;
}

void Scheduler::append(Sequence& sequence, tokenizer::TokenId token) const {
  base::check(sequence.in_flight > 0, "a token that nobody drew");
  --sequence.in_flight;
  sequence.token_ids.push_back(token);
}

void Scheduler::finish(const std::shared_ptr<Sequence>& sequence) {
  sequence->finished = true;
  for (const Page page : sequence->pages) pages_.release(page);
  sequence->pages.clear();
  std::erase(running_, sequence);
  std::erase(waiting_, sequence);
}

std::vector<std::shared_ptr<Sequence>> Scheduler::sequences() const {
  std::vector<Shared> all = running_;
  all.insert(all.end(), waiting_.begin(), waiting_.end());
  for (std::size_t i = 0, leaders = all.size(); i < leaders; ++i) {
    all.insert(all.end(), all[i]->followers.begin(), all[i]->followers.end());
  }
  return all;
}

std::int32_t Scheduler::pages_for(std::int32_t tokens) const {
  return (tokens + config_.page_size - 1) / config_.page_size;
}

}  // namespace tritonrl::rollout
