#include "verify/verdict.h"

#include <algorithm>

namespace tritonrl::verify {
namespace {

using base::Json;

Json finding_json(const VerdictFinding& finding) {
  return {{"rule", finding.rule},
          {"severity", finding.rejects ? "reject" : "suspect"},
          {"line", finding.line},
          {"column", finding.column},
          {"message", finding.message}};
}

Json layer_json(const LayerRecord& layer) {
  Json findings = Json::array();
  for (const auto& finding : layer.findings) findings.push_back(finding_json(finding));
  return {{"name", stage_name(layer.stage)},
          {"passed", layer.passed()},
          {"seconds", layer.seconds},
          {"findings", std::move(findings)},
          {"evidence", layer.evidence}};
}

Json or_null(std::optional<bool> value) { return value ? Json(*value) : Json(); }

// Nothing while one of the stages has not run and none has failed.
std::optional<bool> all_passed(const Verdict& verdict, std::initializer_list<Stage> stages) {
  bool all_ran = true;
  for (const Stage stage : stages) {
    const auto passed = verdict.passed(stage);
    if (passed == false) return false;
    all_ran = all_ran && passed.has_value();
  }
  return all_ran ? std::optional(true) : std::nullopt;
}

}  // namespace

std::string_view stage_name(Stage stage) {
  switch (stage) {
    case Stage::kSyntax:
      return "syntax";
    case Stage::kFunctionality:
      return "functionality";
    case Stage::kCompile:
      return "compile";
    case Stage::kCorrect:
      return "correct";
    case Stage::kBehaviour:
      return "behaviour";
    case Stage::kSpeed:
      return "speed";
  }
  return "";
}

bool LayerRecord::passed() const { return std::ranges::none_of(findings, &VerdictFinding::rejects); }

const VerdictFinding* Verdict::reason() const {
  for (const auto& layer : layers) {
    const auto found = std::ranges::find_if(layer.findings, &VerdictFinding::rejects);
    if (found != layer.findings.end()) return &*found;
  }
  return nullptr;
}

std::optional<bool> Verdict::passed(Stage stage) const {
  const auto found = std::ranges::find(layers, stage, &LayerRecord::stage);
  return found == layers.end() ? std::nullopt : std::optional(found->passed());
}

Json verdict_json(const Verdict& verdict) {
  const VerdictFinding* reason = verdict.reason();
  Json layers = Json::array();
  for (const auto& layer : verdict.layers) layers.push_back(layer_json(layer));
  Json speedup;
  double reward = 0;
  if (verdict.speedup) {
    const Speedup& found = *verdict.speedup;
    speedup = {{"value", found.value},
               {"kind", found.modelled ? "modelled" : "measured"},
               {"low", found.low},
               {"high", found.high},
               {"reference_us", found.reference_us},
               {"candidate_us", found.candidate_us}};
    if (verdict.accepted()) reward = found.value;
  }
  const auto valid = all_passed(verdict, {Stage::kSyntax, Stage::kFunctionality, Stage::kBehaviour});
  return {{"schema", 1},
          {"task", verdict.task},
          {"sample", verdict.sample},
          {"code_sha256", verdict.code_sha256},
          {"device", verdict.device},
          {"accepted", verdict.accepted()},
          {"stage", verdict.layers.empty() ? Json() : Json(stage_name(verdict.layers.back().stage))},
          {"reason", reason == nullptr ? Json() : Json(reason->rule)},
          {"valid", or_null(valid)},
          {"compiled", or_null(verdict.passed(Stage::kCompile))},
          {"correct", or_null(verdict.passed(Stage::kCorrect))},
          {"general", or_null(verdict.general)},
          {"speedup", std::move(speedup)},
          {"rewards", {{"correct", verdict.accepted() ? 1.0 : 0.0}, {"speedup", reward}}},
          {"layers", std::move(layers)},
          {"provenance", verdict.provenance}};
}

}  // namespace tritonrl::verify
