#include "train/config.h"

#include <algorithm>
#include <cmath>

namespace tritonrl::train {

using base::ConfigFields;

LrSchedule OptimizerConfig::schedule(std::int64_t steps) const {
  return {.peak = lr,
          .warmup_steps = static_cast<std::int64_t>(std::ceil(warmup * static_cast<double>(steps))),
          .total_steps = steps,
          .decay = decay,
          .final_share = final_share};
}

void declare(ConfigFields& fields, OptimizerConfig& config) {
  const auto not_negative = [&](const char* name, double& value) {
    fields.field(name, value);
    fields.require(value >= 0, name, "must not be negative");
  };
  const auto share = [&](const char* name, double& value) {
    fields.field(name, value);
    fields.require(0 <= value && value <= 1, name, "must be between 0 and 1");
  };
  fields.choice<UpdateRule>("rule", config.rule, {{"adamw", UpdateRule::kAdamW}, {"muon", UpdateRule::kMuon}});
  not_negative("lr", config.lr);
  share("warmup", config.warmup);
  fields.choice<Decay>("decay", config.decay,
                       {{"constant", Decay::kConstant}, {"linear", Decay::kLinear}, {"cosine", Decay::kCosine}});
  share("final_share", config.final_share);
  for (const auto& [name, value] : {std::pair("beta1", &config.beta1), std::pair("beta2", &config.beta2),
                                    std::pair("momentum", &config.momentum)}) {
    fields.field(name, *value);
    fields.require(0 <= *value && *value < 1, name, "must be at least 0, and less than 1");
  }
  not_negative("weight_decay", config.weight_decay);
  not_negative("clip_norm", config.clip_norm);
  fields.field("stochastic_rounding", config.stochastic_rounding);
  fields.field("half_state", config.half_state);
  fields.require(!config.half_state || config.stochastic_rounding, "half_state",
                 "needs stochastic_rounding = true: weights with fp32 twins have fp32 moments");
}

void declare(ConfigFields& fields, RunConfig& config) {
  const auto at_least = [&](const char* name, std::int64_t& value, std::int64_t least) {
    fields.field(name, value);
    fields.require(value >= least, name, "must be at least " + std::to_string(least));
  };
  fields.field("folder", config.folder);
  fields.require(!config.folder.empty(), "folder", "is missing: where the run is to be written");
  fields.choice<std::string>("device", config.device, {{"auto", "auto"}, {"cpu", "cpu"}, {"cuda", "cuda"}});
  fields.choice<std::string>("dtype", config.dtype,
                             {{"auto", "auto"}, {"float32", "float32"}, {"bfloat16", "bfloat16"}});
  at_least("threads", config.threads, 0);
  fields.field("seed", config.seed);
  at_least("save_every", config.save_every, 1);
  at_least("keep", config.keep, 0);
  at_least("batch_tokens", config.batch_tokens, 1);
  at_least("recompute_layers", config.recompute_layers, 0);
  at_least("most_skipped", config.most_skipped, 1);
}

void declare(ConfigFields& fields, SftConfig& config) {
  fields.section("run", [&](ConfigFields& run) { declare(run, config.run); });
  fields.section("sft", [&](ConfigFields& sft) {
    const auto path = [&](const char* name, std::string& value, const char* what) {
      sft.field(name, value);
      sft.require(!value.empty(), name, std::string("is missing: ") + what);
    };
    path("model", config.model, "the folder of the model to start from");
    path("data", config.data, "a JSONL file with prompts and responses");
    sft.field("dev", config.dev);
    sft.field("tasks", config.tasks);
    sft.choice<std::string>("prompt", config.prompt,
                            {{"training", "training"}, {"evaluation", "evaluation"}, {"bare", "bare"}});
    sft.field("epochs", config.epochs);
    sft.require(config.epochs > 0, "epochs", "must be more than 0");
    for (const auto& [name, value] : {std::pair("batch", &config.batch), std::pair("max_tokens", &config.max_tokens),
                                      std::pair("dev_every", &config.dev_every)}) {
      sft.field(name, *value);
      sft.require(*value >= 1, name, "must be at least 1");
    }
  });
  fields.section("optimizer", [&](ConfigFields& optimizer) { declare(optimizer, config.optimizer); });
}

}  // namespace tritonrl::train
