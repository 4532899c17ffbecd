#include "rl/step_metrics.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>

namespace tritonrl::rl {
namespace {

using runlog::StepMetrics;
using tokenizer::TokenClass;

// A mean that says so where there was nothing.
class Mean {
 public:
  void add(double value, double count = 1) {
    sum_ += value;
    count_ += count;
  }
  double value() const { return count_ == 0 ? std::numeric_limits<double>::quiet_NaN() : sum_ / count_; }

 private:
  double sum_ = 0;
  double count_ = 0;
};

template <typename Value>
double mean_over(const StepResult& result, const Value& value) {
  Mean mean;
  for (const Group& group : result.groups) {
    for (const Sample& sample : group.samples) {
      if (group.judged) mean.add(static_cast<double>(value(sample)));
    }
  }
  return mean.value();
}

std::size_t plan_tokens(const Sample& sample) {
  return static_cast<std::size_t>(std::ranges::count(sample.classes, TokenClass::kPlan));
}

void add_rewards(StepMetrics& metrics, const StepResult& result, const RlConfig& config) {
  const double correct = mean_over(result, [](const Sample& s) { return s.reward.correct; });
  const double speedup = mean_over(result, [](const Sample& s) { return s.reward.speedup; });
  metrics.add("reward/mean", config.advantage.beta * correct + (1 - config.advantage.beta) * speedup);
  metrics.add("reward/correct", correct);
  metrics.add("reward/speedup", speedup);
  metrics.add("verify/valid", mean_over(result, [](const Sample& s) { return s.outcome.valid; }));
  metrics.add("verify/compiled", mean_over(result, [](const Sample& s) { return s.outcome.compiled; }));
  metrics.add("verify/correct", mean_over(result, [](const Sample& s) { return s.outcome.correct; }));
  metrics.add("verify/fast_1",
              mean_over(result, [](const Sample& s) { return s.outcome.correct && s.outcome.speedup > 1; }));
  Mean cost_s;
  Mean cache_hits;
  const auto judged = static_cast<double>(result.verifier.judged);
  cost_s.add(result.verifier.seconds, judged);
  cache_hits.add(static_cast<double>(result.verifier.from_cache), judged);
  metrics.add("verify/cost_s", cost_s.value());
  metrics.add("verify/cache_hits", cache_hits.value());
  std::map<std::string, double> rules;
  for (const Group& group : result.groups) {
    for (const Sample& sample : group.samples) {
      if (!sample.outcome.reason.empty()) rules[sample.outcome.reason] += 1;
    }
  }
  for (const auto& [rule, count] : rules) metrics.add("rule/" + rule, count);
}

void add_completions(StepMetrics& metrics, const StepResult& result) {
  metrics.add("completions/mean_length", mean_over(result, [](const Sample& s) { return s.classes.size(); }));
  metrics.add("completions/clipped_ratio", mean_over(result, [](const Sample& s) { return s.truncated(); }));
  metrics.add("completions/plan_length", mean_over(result, plan_tokens));
  metrics.add("completions/no_plan", mean_over(result, [](const Sample& s) { return plan_tokens(s) == 0; }));
  metrics.add("completions/no_code",
              mean_over(result, [](const Sample& s) { return plan_tokens(s) == s.classes.size(); }));
  std::set<std::string> codes;
  double samples = 0;
  for (const Group& group : result.groups) {
    for (const Sample& sample : group.samples) {
      const auto digest = sample.verdict.find("code_sha256");
      const bool known = digest != sample.verdict.end() && digest->is_string();
      if (known) codes.insert(std::to_string(sample.task) + digest->get<std::string>());
      samples += known ? 1 : 0;
    }
  }
  metrics.add("completions/unique_code", static_cast<double>(codes.size()) / std::max(samples, 1.0));
}

void add_groups(StepMetrics& metrics, const StepResult& result) {
  Mean without_plan;
  Mean without_code;
  Mean without_both;
  Mean unjudged;
  Mean plan_spread;
  Mean code_spread;
  for (const Group& group : result.groups) {
    unjudged.add(group.judged ? 0 : 1);
    if (!group.judged) continue;
    without_plan.add(group.plan_spread == 0 ? 1 : 0);
    without_code.add(group.code_spread == 0 ? 1 : 0);
    without_both.add(group.without_spread() ? 1 : 0);
    plan_spread.add(group.plan_spread);
    code_spread.add(group.code_spread);
  }
  metrics.add("groups/without_spread", without_both.value());
  metrics.add("groups/dropped", static_cast<double>(result.dropped_groups));
  metrics.add("groups/not_judged", unjudged.value());
  metrics.add("plan/groups_without_spread", without_plan.value());
  metrics.add("code/groups_without_spread", without_code.value());
  metrics.add("plan/advantage_spread", plan_spread.value());
  metrics.add("code/advantage_spread", code_spread.value());
}

void add_policy(StepMetrics& metrics, const StepResult& result) {
  train::ClassSums all;
  double entropy = 0;
  const auto add = [&](const std::string& group, const train::ClassSums& sums, double entropy_sum) {
    const double tokens = sums.tokens == 0 ? std::numeric_limits<double>::quiet_NaN() : sums.tokens;
    metrics.add(group + "/entropy", entropy_sum / tokens);
    metrics.add(group + "/clip_fraction", sums.clipped / tokens);
    if (result.reference_known) metrics.add(group + "/kl", sums.reference_kl / tokens);
  };
  for (std::size_t c = 0; c < train::kTokenClasses; ++c) {
    add(c == 0 ? "plan" : "code", result.classes.at(c), result.entropy_sums.at(c));
    all += result.classes.at(c);
    entropy += result.entropy_sums.at(c);
  }
  add("actor", all, entropy);
  if (all.tokens > 0) metrics.add("rollout/log_prob_gap", result.log_prob_gap_sum / all.tokens);
  metrics.add("actor/loss", result.learned.loss);
  metrics.add("optim/lr", result.lr);
}

}  // namespace

StepMetrics step_metrics(const StepResult& result, const RlConfig& config, const Agreement& agreement,
                         double peak_flops) {
  StepMetrics metrics;
  add_rewards(metrics, result, config);
  add_completions(metrics, result);
  if (agreement) {
    Mean agree;
    for (const Group& group : result.groups) {
      for (const Sample& sample : group.samples) {
        if (const auto same = agreement(sample.response.text)) agree.add(*same ? 1 : 0);
      }
    }
    metrics.add("completions/plan_code_agreement", agree.value());
  }
  add_groups(metrics, result);
  add_policy(metrics, result);
  const double step_s = result.rollout_s + result.verify_s + result.audit_s + result.update_s;
  metrics.add("perf/tokens_per_s", static_cast<double>(result.tokens) / step_s);
  metrics.add("perf/verified_per_s",
              static_cast<double>(result.verifier.judged) / (result.rollout_s + result.verify_s));
  metrics.add("perf/mfu", result.learned.flops / result.update_s / peak_flops);
  metrics.add("time/step", step_s);
  metrics.add("time/rollout", result.rollout_s);
  metrics.add("time/verify", result.verify_s);
  metrics.add("time/audit", result.audit_s);
  metrics.add("time/update", result.update_s);
  return metrics;
}

std::vector<runlog::SampleRecord> sample_records(const StepResult& result, const std::vector<Problem>& problems,
                                                 std::int64_t step) {
  std::vector<runlog::SampleRecord> records;
  for (const Group& group : result.groups) {
    for (const Sample& sample : group.samples) {
      const Problem& problem = problems[sample.task];
      std::string classes;
      for (const TokenClass token_class : sample.classes) classes += token_class == TokenClass::kPlan ? 'p' : 'c';
      records.push_back({.task = problem.task->id,
                         .level = problem.task->level,
                         .sample = sample.response.index,
                         .policy_step = step,
                         .prompt = problem.prompt,
                         .response = sample.response.text,
                         .token_ids = sample.response.token_ids,
                         .classes = std::move(classes),
                         .logprobs = sample.response.log_probs,
                         .advantages = {sample.weights.advantages.begin(), sample.weights.advantages.end()},
                         .finish = std::string(rollout::name_of(sample.response.finish)),
                         .reward_correct = sample.reward.correct,
                         .reward_speedup = sample.reward.speedup,
                         .verdict = sample.verdict,
                         .audit = sample.audit});
    }
  }
  return records;
}

}  // namespace tritonrl::rl
