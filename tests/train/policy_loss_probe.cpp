#include <iostream>
#include <map>
#include <string>
#include <vector>

#include "base/json.h"
#include "rl/config.h"
#include "train/policy_loss.h"

// A case a line on standard input: {"variant", ..., "sequences": [{"classes", "plan", "code", "log_probs", ...}]};
// {"loss", "gradient"} on standard output for each.
namespace {

using tritonrl::base::Json;
namespace rl = tritonrl::rl;
namespace train = tritonrl::train;

// The variants as a run names them.
rl::RlConfig config_of(const Json& row) {
  const std::map<std::string, rl::LossKind> kinds = {{"grpo", rl::LossKind::kGrpo},
                                                     {"dr_grpo", rl::LossKind::kDrGrpo},
                                                     {"dapo", rl::LossKind::kDapo},
                                                     {"gspo", rl::LossKind::kGspo},
                                                     {"cispo", rl::LossKind::kCispo}};
  rl::RlConfig config;
  config.loss = kinds.at(row.at("variant"));
  if (!row.at("clip_low").is_null()) config.clip_low = row.at("clip_low").get<double>();
  if (!row.at("clip_high").is_null()) config.clip_high = row.at("clip_high").get<double>();
  config.kl = row.at("kl");
  config.alpha = row.at("alpha");
  config.class_mean = row.at("class_mean");
  config.max_tokens = row.at("max_tokens");
  if (!row.at("importance_cap").is_null()) config.importance_cap = row.at("importance_cap").get<double>();
  return config;
}

Json answer(const Json& row) {
  const rl::RlConfig config = config_of(row);
  std::vector<std::vector<tritonrl::tokenizer::TokenClass>> classes;
  std::vector<rl::Advantage> advantages;
  for (const Json& sequence : row.at("sequences")) {
    advantages.push_back({.plan = sequence.at("plan"), .code = sequence.at("code")});
    auto& own = classes.emplace_back();
    for (const int number : sequence.at("classes")) own.push_back(static_cast<tritonrl::tokenizer::TokenClass>(number));
  }
  const auto weights = rl::token_weights(classes, advantages, config.token_weights());
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
                                         config.policy_loss());
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
