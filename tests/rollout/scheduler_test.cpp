#include "rollout/scheduler.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <map>
#include <utility>

#include "base/random.h"

namespace tritonrl::rollout {
namespace {

using base::Random;
using tokenizer::TokenId;

// A model whose cache holds the tokens themselves: what a sequence finds in its pages must be its own beginning.
class TokenMachine {
 public:
  explicit TokenMachine(const SchedulerConfig& config)
      : page_size_(config.page_size), cache_(static_cast<std::size_t>(config.pages * config.page_size), -7) {}

  // The token after a beginning depends on the beginning and on which response it is.
  static TokenId next(const std::vector<TokenId>& beginning, std::int32_t index) {
    std::uint32_t mixed = static_cast<std::uint32_t>(index) + 1;
    for (const TokenId token : beginning) mixed = (mixed ^ static_cast<std::uint32_t>(token)) * 2654435761U + 17;
    return static_cast<TokenId>(mixed >> 20U);
  }

  std::vector<TokenId> run(const Step& step) {
    for (const auto& [from, to] : step.copies) {
      for (int i = 0; i < page_size_; ++i) slot(to * page_size_ + i) = slot(from * page_size_ + i);
    }
    for (std::size_t t = 0; t < step.token_ids.size(); ++t) {
      const TokenId id = step.token_ids[t];
      slot(step.slots[t]) = id >= 0 ? id : draws_.at(static_cast<std::size_t>(-1 - id));
    }
    std::map<std::int32_t, std::vector<TokenId>> beginnings;  // by last row
    for (std::size_t s = 0; s < step.context_lengths.size(); ++s) {
      std::vector<TokenId> beginning;
      for (int i = 0; i < step.context_lengths[s]; ++i) {
        beginning.push_back(
            slot(step.pages[s][static_cast<std::size_t>(i / page_size_)] * page_size_ + i % page_size_));
      }
      beginnings[step.query_starts[s + 1] - 1] = std::move(beginning);
    }
    draws_.clear();
    for (const Draw& draw : step.draws) draws_.push_back(next(beginnings.at(draw.row), draw.sequence->index));
    return draws_;
  }

 private:
  TokenId& slot(std::int32_t at) { return cache_.at(static_cast<std::size_t>(at)); }

  int page_size_;
  std::vector<TokenId> cache_;
  std::vector<TokenId> draws_;
};

struct Wanted {
  std::vector<TokenId> prompt;
  std::int32_t responses = 1;
  std::int32_t max_tokens = 1;
  TokenId stop = -1;
};

std::shared_ptr<Sequence> sequence_of(const Wanted& wanted, std::uint64_t request) {
  const auto make = [&](std::int32_t index) {
    auto sequence = std::make_shared<Sequence>();
    sequence->request = request;
    sequence->index = index;
    sequence->token_ids = wanted.prompt;
    sequence->prompt_tokens = sequence->known();
    sequence->max_tokens = wanted.max_tokens;
    return sequence;
  };
  auto leader = make(0);
  for (std::int32_t i = 1; i < wanted.responses; ++i) leader->followers.push_back(make(i));
  return leader;
}

std::vector<TokenId> alone(const Wanted& wanted, std::int32_t index) {
  std::vector<TokenId> tokens = wanted.prompt;
  for (std::int32_t i = 0; i < wanted.max_tokens; ++i) {
    tokens.push_back(TokenMachine::next(tokens, index));
    if (tokens.back() % 64 == wanted.stop) break;
  }
  return tokens;
}

struct Totals {
  std::int64_t responses = 0;
  std::int64_t preemptions = 0;
  std::int64_t reused_tokens = 0;
  std::int64_t copies = 0;
};

// Runs all requests, arriving over time, with results read `lag` steps late, and compares each response with the same
// drawn alone.
void run_all(const SchedulerConfig& config, const std::vector<Wanted>& wanted, int lag, Random& random,
             Totals& totals) {
  Scheduler scheduler(config);
  TokenMachine machine(config);
  std::size_t next = 0;
  std::vector<std::pair<Step, std::vector<TokenId>>> pending;  // at most one
  const auto collect = [&](const Step& step, const std::vector<TokenId>& tokens) {
    for (std::size_t d = 0; d < step.draws.size(); ++d) {
      const auto& sequence = step.draws[d].sequence;
      if (sequence->finished) continue;
      ASSERT_EQ(step.draws[d].position, sequence->known() - sequence->prompt_tokens);
      scheduler.append(*sequence, tokens[d]);
      const Wanted& request = wanted[sequence->request];
      const bool ends =
          sequence->known() - sequence->prompt_tokens == request.max_tokens || tokens[d] % 64 == request.stop;
      if (!ends) continue;
      EXPECT_EQ(sequence->token_ids, alone(request, sequence->index)) << "request " << sequence->request;
      scheduler.finish(sequence);
      ++totals.responses;
    }
  };
  for (int steps = 0; next < wanted.size() || !scheduler.idle() || !pending.empty(); ++steps) {
    ASSERT_LT(steps, 200'000) << "no end in sight";
    while (next < wanted.size() && (scheduler.idle() || random.below(3) == 0)) {
      scheduler.add(sequence_of(wanted[next], next));
      ++next;
    }
    Step step = scheduler.schedule();
    ASSERT_LE(step.tokens(), config.max_step_tokens);
    ASSERT_LE(step.draws.size(), static_cast<std::size_t>(config.max_sequences));
    totals.copies += static_cast<std::int64_t>(step.copies.size());
    auto tokens = machine.run(step);
    if (lag == 0) {
      collect(step, tokens);
      continue;
    }
    for (const auto& [earlier, drawn] : std::exchange(pending, {})) collect(earlier, drawn);
    if (step.tokens() > 0) pending.emplace_back(std::move(step), std::move(tokens));
  }
  EXPECT_EQ(scheduler.pages().available(), config.pages);
  EXPECT_LE(scheduler.most_pages_held(), config.pages);
  totals.preemptions += scheduler.preemptions();
  totals.reused_tokens += scheduler.reused_tokens();
}

std::vector<Wanted> random_requests(std::size_t count, const SchedulerConfig& config, Random& random) {
  std::vector<Wanted> wanted(count);
  const std::int64_t most = static_cast<std::int64_t>(config.pages) * config.page_size;
  std::vector<TokenId> common(static_cast<std::size_t>(most));
  for (TokenId& token : common) token = static_cast<TokenId>(random.below(4096));
  for (Wanted& request : wanted) {
    const std::int64_t prompt = random.between(1, std::min<std::int64_t>(most - 1, 90));
    const std::int64_t same = random.below(2) == 0 ? 0 : random.between(0, prompt);
    request.prompt.assign(common.begin(), common.begin() + same);
    while (static_cast<std::int64_t>(request.prompt.size()) < prompt) {
      request.prompt.push_back(static_cast<TokenId>(random.below(4096)));
    }
    request.max_tokens = static_cast<std::int32_t>(random.between(1, std::min<std::int64_t>(most - prompt, 60)));
    request.responses = static_cast<std::int32_t>(random.between(1, std::min(config.max_sequences, 8)));
    request.stop = random.below(2) == 0 ? -1 : static_cast<TokenId>(random.below(64));
  }
  return wanted;
}

TEST(Scheduler, GivesEveryResponseItsOwnTokensWhateverTheSchedule) {
  const int campaigns = std::getenv("SOAK") != nullptr ? 1000 : 100;
  Totals totals;
  for (int campaign = 0; campaign < campaigns && !testing::Test::HasFailure(); ++campaign) {
    Random random(static_cast<std::uint64_t>(campaign));
    SchedulerConfig config;
    config.page_size = static_cast<std::int32_t>(random.between(1, 20));
    config.pages = static_cast<std::int32_t>(random.between(4, 60));
    config.max_sequences = static_cast<std::int32_t>(random.between(1, 24));
    config.max_step_tokens = static_cast<std::int32_t>(random.between(config.max_sequences, 80));
    SCOPED_TRACE(testing::Message() << "campaign " << campaign);
    run_all(config, random_requests(40, config, random), campaign % 2, random, totals);
  }
  // The campaigns are worth something only if they met all of it.
  EXPECT_GT(totals.preemptions, campaigns);
  EXPECT_GT(totals.reused_tokens, campaigns * 10);
  EXPECT_GT(totals.copies, campaigns * 10);
}

TEST(Scheduler, LeaksNoPageOverManyRequests) {
  const std::size_t requests = std::getenv("SOAK") != nullptr ? 10'000 : 1'500;
  Random random(7);
  const SchedulerConfig config{.pages = 64, .page_size = 16, .max_step_tokens = 128, .max_sequences = 32};
  Totals totals;
  run_all(config, random_requests(requests, config, random), 1, random, totals);
  EXPECT_GE(totals.responses, static_cast<std::int64_t>(requests));
}

TEST(Scheduler, ComputesAGroupsPromptOnce) {
  Scheduler scheduler({.pages = 64, .page_size = 4, .max_step_tokens = 256, .max_sequences = 32});
  Wanted wanted{.prompt = std::vector<TokenId>(30, 5), .responses = 16, .max_tokens = 2};
  scheduler.add(sequence_of(wanted, 0));
  const Step first = scheduler.schedule();
  EXPECT_EQ(first.tokens(), 30);
  EXPECT_EQ(first.draws.size(), 16U);
  const Step second = scheduler.schedule();
  EXPECT_EQ(second.tokens(), 16);
  // The last page is half full: all but one of them copy it.
  EXPECT_EQ(second.copies.size(), 15U);
}

TEST(Scheduler, SplitsALongPromptAndKeepsResponsesGoing) {
  Scheduler scheduler({.pages = 64, .page_size = 4, .max_step_tokens = 16, .max_sequences = 8});
  scheduler.add(sequence_of({.prompt = {1, 2, 3}, .max_tokens = 9}, 0));
  EXPECT_EQ(scheduler.schedule().draws.size(), 1U);
  scheduler.add(sequence_of({.prompt = std::vector<TokenId>(40, 5), .max_tokens = 2}, 1));
  for (int i = 0; i < 2; ++i) {
    const Step step = scheduler.schedule();
    EXPECT_EQ(step.tokens(), 16);
    EXPECT_EQ(step.draws.size(), 1U);
  }
  EXPECT_EQ(scheduler.schedule().draws.size(), 2U);
}

TEST(Scheduler, TakesPagesFromTheYoungest) {
  Scheduler scheduler({.pages = 4, .page_size = 2, .max_step_tokens = 16, .max_sequences = 8});
  const auto old = sequence_of({.prompt = {1, 2}, .max_tokens = 6}, 0);
  const auto young = sequence_of({.prompt = {3}, .max_tokens = 6}, 1);
  scheduler.add(old);
  scheduler.add(young);
  for (int i = 0; i < 6; ++i) {
    const Step step = scheduler.schedule();
    for (const Draw& draw : step.draws) scheduler.append(*draw.sequence, 9);
    ASSERT_FALSE(step.draws.empty());
    EXPECT_EQ(step.draws[0].sequence, old);
  }
  EXPECT_EQ(old->preemptions, 0);
  EXPECT_GT(young->preemptions, 0);
}

}  // namespace
}  // namespace tritonrl::rollout
