#include "rl/config.h"

#include <utility>

namespace tritonrl::rl {
namespace {

using base::ConfigFields;

void declare_sampling(ConfigFields& rl, RlConfig& config) {
  rl.field("temperature", config.temperature);
  rl.require(config.temperature > 0, "temperature", "must be more than 0: equal responses teach nothing");
  rl.field("top_p", config.top_p);
  rl.require(0 < config.top_p && config.top_p <= 1, "top_p", "must be more than 0, and at most 1");
  rl.field("top_k", config.top_k);
  rl.require(config.top_k >= 0, "top_k", "must not be negative");
  rl.field("min_p", config.min_p);
  rl.require(0 <= config.min_p && config.min_p < 1, "min_p", "must be at least 0, and less than 1");
  rl.field("importance_cap", config.importance_cap);
  rl.require(config.importance_cap.value_or(1) > 0, "importance_cap", "must be more than 0");
  const bool weighted = config.importance_cap.has_value();
  const char* why = "makes sampling differ from the model that is trained; set importance_cap to weigh that";
  rl.require(config.temperature == 1 || weighted, "temperature", why);
  rl.require(config.top_p == 1 || weighted, "top_p", why);
  rl.require(config.top_k == 0 || weighted, "top_k", why);
  rl.require(config.min_p == 0 || weighted, "min_p", why);
}

void declare_rewards(ConfigFields& rl, RlConfig& config) {
  rl.choice<Gate>("gate", config.reward.gate, {{"on", Gate::kOn}, {"off", Gate::kOff}});
  rl.field("shuffle_speedups", config.reward.shuffle_speedups);
  rl.field("speedup_cap", config.reward.speedup_cap);
  rl.require(config.reward.speedup_cap > 0, "speedup_cap", "must be more than 0");
  rl.field("tie_share", config.reward.tie_share);
  rl.require(0 <= config.reward.tie_share && config.reward.tie_share < 1, "tie_share",
             "must be at least 0, and less than 1");
  rl.field("compiled_credit", config.reward.compiled_credit);
  rl.require(0 <= config.reward.compiled_credit && config.reward.compiled_credit < 1, "compiled_credit",
             "must be at least 0, and less than what a right kernel earns, 1");
  AdvantageConfig& advantage = config.advantage;
  rl.choice<Credit>("credit", advantage.credit,
                    {{"hierarchical", Credit::kHierarchical}, {"uniform", Credit::kUniform}});
  rl.field("beta", advantage.beta);
  rl.require(0 <= advantage.beta && advantage.beta <= 1, "beta", "must be between 0 and 1");
  rl.choice<PlanBaseline>("plan_baseline", advantage.plan_baseline,
                          {{"group", PlanBaseline::kGroup}, {"correct", PlanBaseline::kCorrect}});
  rl.field("code_speed_credit", advantage.code_speed_credit);
  rl.require(advantage.code_speed_credit >= 0, "code_speed_credit", "must not be negative");
  rl.field("divide_by_spread", advantage.divide_by_spread);
  rl.field("spread_floor", advantage.spread_floor);
  rl.require(advantage.spread_floor > 0, "spread_floor", "must be more than 0");
  rl.field("overlong_penalty", advantage.overlong_penalty);
  rl.require(advantage.overlong_penalty >= 0, "overlong_penalty", "must not be negative");
  rl.field("overlong_tokens", advantage.overlong_tokens);
  rl.require(advantage.overlong_tokens >= 0 && advantage.overlong_tokens < config.max_tokens, "overlong_tokens",
             "must be fewer than max_tokens");
}

void declare_objective(ConfigFields& rl, RlConfig& config) {
  rl.choice<LossKind>("loss", config.loss,
                      {{"grpo", LossKind::kGrpo},
                       {"dr_grpo", LossKind::kDrGrpo},
                       {"dapo", LossKind::kDapo},
                       {"gspo", LossKind::kGspo},
                       {"cispo", LossKind::kCispo}});
  rl.field("alpha", config.alpha);
  rl.require(config.alpha >= 0, "alpha", "must not be negative");
  rl.field("class_mean", config.class_mean);
  rl.require(!config.class_mean || config.loss != LossKind::kDrGrpo, "class_mean",
             "has no meaning with loss = \"dr_grpo\", which divides by a constant");
  rl.field("clip_low", config.clip_low);
  rl.require(0 < config.clip_low.value_or(1) && config.clip_low.value_or(1) <= 1, "clip_low",
             "must be more than 0, and at most 1");
  rl.field("clip_high", config.clip_high);
  rl.require(config.clip_high.value_or(1) > 0, "clip_high", "must be more than 0");
  rl.field("kl", config.kl);
  rl.require(config.kl >= 0, "kl", "must not be negative");
  rl.field("kl_every", config.kl_every);
  rl.require(config.kl_every >= 0, "kl_every", "must not be negative");
}

}  // namespace

void declare(ConfigFields& fields, RlConfig& config) {
  fields.section("run", [&](ConfigFields& run) { declare(run, config.run); });
  fields.section("rollout", [&](ConfigFields& rollout) { declare(rollout, config.rollout); });
  fields.section("rl", [&](ConfigFields& rl) {
    for (const auto& [name, value, what] : {std::tuple("model", &config.model, "the folder of the model to start from"),
                                            std::tuple("tasks", &config.tasks, "the suite of tasks to train on")}) {
      rl.field(name, *value);
      rl.require(!value->empty(), name, std::string("is missing: ") + what);
    }
    rl.choice<std::string>("prompt", config.prompt,
                           {{"training", "training"}, {"evaluation", "evaluation"}, {"bare", "bare"}});
    const auto at_least = [&](const char* name, std::int64_t& value, std::int64_t least) {
      rl.field(name, value);
      rl.require(value >= least, name, "must be at least " + std::to_string(least));
    };
    at_least("steps", config.steps, 1);
    at_least("prompts", config.prompts, 1);
    at_least("group", config.group, 2);
    at_least("updates", config.updates, 1);
    rl.require(config.prompts % config.updates == 0, "updates", "must divide prompts");
    rl.field("level_mix", config.level_mix);
    double sum = 0;
    bool negative = false;
    for (const double share : config.level_mix) {
      sum += share;
      negative = negative || share < 0;
    }
    rl.require(sum > 0 && !negative, "level_mix", "must be shares of levels 1, 2..., at least one above 0");
    at_least("max_prompt_tokens", config.max_prompt_tokens, 1);
    at_least("max_tokens", config.max_tokens, 1);
    declare_sampling(rl, config);
    declare_rewards(rl, config);
    declare_objective(rl, config);
    at_least("resample", config.resample, 0);
    rl.require(config.resample < 64, "resample", "must be less than 64");
    rl.field("dev", config.dev);
    at_least("dev_every", config.dev_every, 1);
    at_least("dev_samples", config.dev_samples, 1);
    at_least("dev_tasks", config.dev_tasks, 0);
    rl.choice<std::string>("verify_device", config.verify_device, {{"auto", "auto"}, {"cpu", "cpu"}, {"cuda", "cuda"}});
    rl.choice<std::string>("measure_device", config.measure_device,
                           {{"same", "same"}, {"cpu", "cpu"}, {"cuda", "cuda"}});
    at_least("verify_jobs", config.verify_jobs, 0);
    rl.field("verify_memory", config.verify_memory);
    rl.require(0 < config.verify_memory && config.verify_memory < 1, "verify_memory",
               "must be more than 0, and less than 1");
    rl.require(config.verify_memory + config.rollout.memory_fraction < 1 || config.rollout.memory_bytes > 0,
               "verify_memory", "and rollout.memory_fraction leave nothing for the weights");
    at_least("verify_tries", config.verify_tries, 1);
    for (const auto& [name, value] :
         {std::pair("audit_share", &config.audit_share), std::pair("audit_most", &config.audit_most)}) {
      rl.field(name, *value);
      rl.require(0 <= *value && *value <= 1, name, "must be between 0 and 1");
    }
    at_least("audit_least", config.audit_least, 1);
    at_least("audit_every", config.audit_every, 1);
  });
  fields.section("optimizer", [&](ConfigFields& optimizer) { declare(optimizer, config.optimizer); });
}

train::PolicyLossConfig RlConfig::policy_loss() const {
  train::PolicyLossConfig made{.kl = kl, .importance_cap = importance_cap};
  switch (loss) {
    case LossKind::kGrpo:
    case LossKind::kDrGrpo:
      break;
    case LossKind::kDapo:
      made.clip_high = 0.28;
      break;
    case LossKind::kGspo:
      made.ratio = train::Ratio::kClass;
      made.clip_low = 3e-4;
      made.clip_high = 4e-4;
      break;
    case LossKind::kCispo:
      made.surrogate = train::Surrogate::kWeighted;
      made.clip_low = 1;
      made.clip_high = 4;
      break;
  }
  made.clip_low = clip_low.value_or(made.clip_low);
  made.clip_high = clip_high.value_or(made.clip_high);
  return made;
}

TokenWeightConfig RlConfig::token_weights() const {
  Denominator denominator = Denominator::kResponse;
  if (loss == LossKind::kDapo || loss == LossKind::kCispo) denominator = Denominator::kBatch;
  if (loss == LossKind::kDrGrpo) denominator = Denominator::kMaxLength;
  return {.alpha = alpha, .denominator = denominator, .class_mean = class_mean, .max_tokens = max_tokens};
}

AdvantageConfig RlConfig::advantages() const {
  AdvantageConfig made = advantage;
  made.max_tokens = max_tokens;
  return made;
}

}  // namespace tritonrl::rl
