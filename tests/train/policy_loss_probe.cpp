#include <iostream>
#include <string>
#include <vector>

#include "base/json.h"
#include "rl/token_weights.h"
#include "train/policy_loss.h"

// A case a line on standard input: {"variant", ..., "sequences": [{"classes", "plan", "code", "log_probs", ...}]}; a
// line
// {"loss", "gradient"} on standard output for each.
namespace {

using tritonrl::base::Json;
namespace rl = tritonrl::rl;
namespace train = tritonrl::train;

struct Case {
  train::PolicyLossConfig loss;
  rl::TokenWeightConfig weights;
};

Case config_of(const Json& row) {
  Case config{
      .loss = {.clip_low = row.at("clip_low"), .clip_high = row.at("clip_high"), .kl = row.at("kl")},
      .weights = {.alpha = row.at("alpha"), .class_mean = row.at("class_mean"), .max_tokens = row.at("max_tokens")}};
  const std::string variant = row.at("variant");
  if (variant == "dapo") config.weights.denominator = rl::Denominator::kBatch;
  if (variant == "dr_grpo") config.weights.denominator = rl::Denominator::kMaxLength;
  if (variant == "gspo") config.loss.ratio = train::Ratio::kClass;
  if (variant == "cispo") config.loss.surrogate = train::Surrogate::kWeighted;
  if (!row.at("importance_cap").is_null()) config.loss.importance_cap = row.at("importance_cap").get<double>();
  return config;
}

Json answer(const Json& row) {
  const Case config = config_of(row);
  std::vector<std::vector<tritonrl::tokenizer::TokenClass>> classes;
  std::vector<rl::Advantage> advantages;
  for (const Json& sequence : row.at("sequences")) {
    advantages.push_back({.plan = sequence.at("plan"), .code = sequence.at("code")});
    auto& own = classes.emplace_back();
    for (const int number : sequence.at("classes")) own.push_back(static_cast<tritonrl::tokenizer::TokenClass>(number));
  }
  const auto weights = rl::token_weights(classes, advantages, config.weights);
  std::vector<double> log_probs;
  std::vector<double> old;
  std::vector<double> rollout;
  std::vector<double> reference;
  std::vector<double> advantage;
  std::vector<double> scales;
  std::vector<std::uint8_t> token_classes;
  std::vector<std::int32_t> sequences;
  for (std::size_t i = 0; i < classes.size(); ++i) {
    const Json& sequence = row.at("sequences").at(i);
    for (std::size_t t = 0; t < classes[i].size(); ++t) {
      log_probs.push_back(sequence.at("log_probs").at(t));
      old.push_back(sequence.at("old").at(t));
      rollout.push_back(sequence.at("rollout").at(t));
      reference.push_back(sequence.at("reference").at(t));
      advantage.push_back(weights[i].advantages[t]);
      scales.push_back(weights[i].scales[t]);
      token_classes.push_back(static_cast<std::uint8_t>(classes[i][t]));
      sequences.push_back(static_cast<std::int32_t>(i));
    }
  }
  const auto result = train::policy_loss({.log_probs = log_probs,
                                          .old_log_probs = old,
                                          .rollout_log_probs = rollout,
                                          .reference_log_probs = reference,
                                          .advantages = advantage,
                                          .scales = scales,
                                          .classes = token_classes,
                                          .sequences = sequences},
                                         config.loss);
  Json clipped = Json::array();
  for (const auto& sums : result.classes) clipped.push_back(sums.clipped);
  return {{"loss", result.loss}, {"gradient", result.gradient}, {"clipped", clipped}};
}

}  // namespace

int main() {
  std::string line;
  while (std::getline(std::cin, line)) {
    std::cout << tritonrl::base::json_line(answer(tritonrl::base::parse_json(line, {.file = "standard input"})))
              << '\n';
  }
}
