#include "rl/step.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <utility>

#include "base/random.h"

namespace tritonrl::rl {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

std::vector<int> levels_of(const std::vector<Problem>& problems) {
  std::vector<int> levels;
  for (const Problem& problem : problems) levels.push_back(problem.task->level);
  return levels;
}

constexpr std::uint64_t kOfRewards = std::uint64_t{1} << 59U;  // a stream of random numbers

// A step has at most 64 rounds.
std::uint64_t seed_of(std::uint64_t seed, std::uint64_t step, std::uint64_t round) {
  return base::Random(seed, step * 64 + round).next_u64();
}

train::TrainText text_of(const Problem& problem, const Sample& sample) {
  train::TrainText text{.token_ids = problem.prompt_ids};
  text.prompt_tokens = text.tokens();
  text.token_ids.insert(text.token_ids.end(), sample.response.token_ids.begin(), sample.response.token_ids.end());
  return text;
}

// The spans of train::PolicyTokens for some samples, one after the other.
struct TokenColumns {
  std::vector<double> old;
  std::vector<double> rollout;
  std::vector<double> reference;
  std::vector<double> advantages;
  std::vector<double> scales;
  std::vector<std::uint8_t> classes;
  std::vector<std::int32_t> sequences;

  void add(const Sample& sample, std::size_t number) {
    const auto append = [](auto& column, const auto& values) {
      column.insert(column.end(), values.begin(), values.end());
    };
    append(old, sample.old_log_probs);
    append(rollout, sample.response.log_probs);
    append(reference, sample.reference_log_probs);
    append(advantages, sample.weights.advantages);
    append(scales, sample.weights.scales);
    for (const auto token_class : sample.classes) classes.push_back(static_cast<std::uint8_t>(token_class));
    sequences.resize(classes.size(), static_cast<std::int32_t>(number));
  }
};

}  // namespace

Step::Step(const RlConfig& config, const StepParts& parts)
    : config_(config), parts_(parts), schedule_(config.optimizer.schedule(config.steps)) {
  for (std::int64_t round = 0; round <= config.resample; ++round) {
    mixes_.emplace_back(levels_of(parts.problems), config.level_mix,
                        config.run.seed + static_cast<std::uint64_t>(round));
  }
}

StepResult Step::sample(std::int64_t step) {
  StepResult result{.lr = schedule_.at(step)};
  for (std::size_t round = 0; round < mixes_.size(); ++round) {
    const auto missing = config_.prompts - static_cast<std::int64_t>(result.groups.size());
    auto tasks = mixes_[round].draw(step, config_.prompts);
    tasks.resize(static_cast<std::size_t>(missing));
    const std::uint64_t seed = seed_of(config_.run.seed, static_cast<std::uint64_t>(step), round);
    for (std::uint64_t place = 0; Group & group : roll_out(tasks, seed, result)) {
      reward(group, seed + place++);
      const bool last_round = round + 1 == mixes_.size();
      if (!last_round && group.without_spread()) {
        ++result.dropped_groups;
      } else {
        result.groups.push_back(std::move(group));
      }
    }
    if (result.groups.size() == static_cast<std::size_t>(config_.prompts)) break;
  }
  return result;
}

void Step::learn(std::int64_t step, StepResult& result) {
  const auto start = Clock::now();
  parts_.at("update");
  parts_.before_update();
  measure_log_probs(step, result);
  const std::size_t part = result.groups.size() / static_cast<std::size_t>(config_.updates);
  for (std::size_t first = 0; first < result.groups.size(); first += part) {
    update(std::span(result.groups).subspan(first, part), result);
  }
  parts_.after_update();
  result.update_s = seconds_since(start);
}

std::vector<Group> Step::roll_out(const std::vector<std::size_t>& tasks, std::uint64_t seed, StepResult& result) {
  const auto start = Clock::now();
  const verify::VerifierCosts before = parts_.judge.costs();
  std::vector<Group> groups(tasks.size());
  std::vector<Sample*> judged;  // in the order of submission
  for (std::size_t g = 0; g < tasks.size(); ++g) {
    const Problem& problem = parts_.problems[tasks[g]];
    groups[g].samples.resize(static_cast<std::size_t>(config_.group));
    // A response is judged while others are still being written.
    parts_.engine.submit(
        request_of(problem, config_, parts_.tokenizer, config_.group, seed + g),
        {.on_response = [&, g, &problem = problem](rollout::Response&& response) {
          Sample& sample = groups[g].samples[static_cast<std::size_t>(response.index)];
          sample.task = tasks[g];
          sample.response = std::move(response);
          sample.classes = tokenizer::classify({parts_.tokenizer, sample.response.token_ids});
          judged.push_back(&sample);
          result.tokens += static_cast<std::int64_t>(problem.prompt_ids.size() + sample.classes.size());
          parts_.at(fmt::format("responses {}/{}", judged.size(), tasks.size() * groups[g].samples.size()));
          parts_.judge.submit(
              {.task = problem.task, .sample = sample.response.index, .text = sample.response.text, .response = true});
        }});
  }
  parts_.engine.run();
  result.rollout_s += seconds_since(start);
  const auto waiting = Clock::now();
  parts_.at("verdicts");
  const auto verdicts = parts_.judge.collect();
  for (std::size_t n = 0; n < verdicts.size(); ++n) judged[n]->verdict = verdicts[n];
  result.verify_s += seconds_since(waiting);
  const verify::VerifierCosts after = parts_.judge.costs();
  result.verifier.judged += after.judged - before.judged;
  result.verifier.from_cache += after.from_cache - before.from_cache;
  result.verifier.seconds += after.seconds - before.seconds;
  return groups;
}

void Step::reward(Group& group, std::uint64_t seed) const {
  group.judged = std::ranges::none_of(group.samples, [](const Sample& s) { return s.verdict.contains("error"); });
  if (!group.judged) return;
  const double factor = parts_.speed_factor();
  std::vector<Outcome> outcomes;
  for (Sample& sample : group.samples) {
    sample.outcome = scaled(
        outcome_of(sample.verdict, {.file = parts_.problems[sample.task].task->id}, config_.reward.gate), factor);
    outcomes.push_back(sample.outcome);
  }
  auto rewards = rewards_of_group(outcomes, config_.reward);
  if (config_.reward.shuffle_speedups) shuffle_speedups(rewards, outcomes, base::Random(seed, kOfRewards));
  std::vector<JudgedResponse> responses;
  for (std::size_t i = 0; i < rewards.size(); ++i) {
    Sample& sample = group.samples[i];
    sample.reward = sample.truncated() ? Reward() : rewards[i];
    const auto plan = std::ranges::count(sample.classes, tokenizer::TokenClass::kPlan);
    responses.push_back({.reward = sample.reward,
                         .correct = sample.outcome.correct,
                         .plan_tokens = plan,
                         .code_tokens = static_cast<std::int64_t>(sample.classes.size()) - plan,
                         .truncated = sample.truncated()});
  }
  const GroupAdvantages advantages = advantages_of_group(responses, config_.advantages());
  group.plan_spread = advantages.plan_spread;
  group.code_spread = advantages.code_spread;
  for (std::size_t i = 0; i < rewards.size(); ++i) group.samples[i].advantage = advantages.responses[i];
}

std::vector<Sample*> Step::learned_from(std::span<Group> groups) const {
  std::vector<Sample*> samples;
  for (Group& group : groups) {
    // A group without spread has no gradient, unless there is a divergence to keep small.
    if (!group.judged || (group.without_spread() && config_.kl == 0)) continue;
    for (Sample& sample : group.samples) {
      if (!sample.classes.empty()) samples.push_back(&sample);
    }
  }
  return samples;
}

std::vector<train::TrainText> Step::texts_of(std::span<Sample* const> samples) const {
  std::vector<train::TrainText> texts;
  for (const Sample* sample : samples) texts.push_back(text_of(parts_.problems[sample->task], *sample));
  return texts;
}

// Under the weights before the first update, and under those of the start.
void Step::measure_log_probs(std::int64_t step, StepResult& result) {
  const bool measured = config_.kl_every > 0 && step % config_.kl_every == 0;
  result.reference_known = parts_.reference != nullptr && (config_.kl > 0 || measured);
  const auto samples = learned_from(result.groups);
  const auto texts = texts_of(samples);
  if (config_.updates > 1) {
    auto old = train::log_probs(parts_.learner.model(), texts, parts_.learner.config());
    for (std::size_t i = 0; i < samples.size(); ++i) samples[i]->old_log_probs = std::move(old[i]);
  }
  if (result.reference_known) {
    auto reference = train::log_probs(*parts_.reference, texts, parts_.learner.config());
    for (std::size_t i = 0; i < samples.size(); ++i) samples[i]->reference_log_probs = std::move(reference[i]);
  }
}

void Step::update(std::span<Group> groups, StepResult& result) {
  std::vector<std::vector<tokenizer::TokenClass>> classes;
  std::vector<Advantage> advantages;
  std::vector<Sample*> judged;  // the batch: what could not be judged is no part of it
  for (Group& group : groups) {
    if (!group.judged) continue;
    for (Sample& sample : group.samples) {
      judged.push_back(&sample);
      classes.push_back(sample.classes);
      advantages.push_back(sample.advantage);
    }
  }
  auto weights = token_weights(classes, advantages, config_.token_weights());
  for (std::size_t i = 0; i < judged.size(); ++i) judged[i]->weights = std::move(weights[i]);
  const auto samples = learned_from(groups);
  if (samples.empty()) return;
  const train::PolicyLossConfig loss = config_.policy_loss();

  const auto objective = [&](const train::ScoredTokens& tokens, std::span<double> gradient) {
    TokenColumns columns;
    for (const std::size_t text : tokens.texts) columns.add(*samples[text], text);
    const bool first_update = columns.old.empty();
    const auto before = first_update ? tokens.log_probs : std::span<const double>(columns.old);
    for (std::size_t t = 0; t < before.size(); ++t) {
      result.log_prob_gap_sum += std::abs(before[t] - columns.rollout[t]);
    }
    const train::PolicyLoss found = train::policy_loss({.log_probs = tokens.log_probs,
                                                        .old_log_probs = before,
                                                        .rollout_log_probs = columns.rollout,
                                                        .reference_log_probs = columns.reference,
                                                        .advantages = columns.advantages,
                                                        .scales = columns.scales,
                                                        .classes = columns.classes,
                                                        .sequences = columns.sequences},
                                                       loss);
    std::ranges::copy(found.gradient, gradient.begin());
    for (std::size_t c = 0; c < train::kTokenClasses; ++c) result.classes.at(c) += found.classes.at(c);
    for (std::size_t t = 0; t < tokens.entropies.size(); ++t) {
      result.entropy_sums.at(columns.classes[t]) += tokens.entropies[t];
    }
    return found.loss;
  };
  result.learned += parts_.learner.learn(texts_of(samples), objective, result.lr);
}

}  // namespace tritonrl::rl
