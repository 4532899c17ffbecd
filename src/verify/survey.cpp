#include "verify/survey.h"

#include "verify/admission.h"

namespace tritonrl::verify {
namespace {

using base::Json;

constexpr int kExplored = 1000;  // the number that tried sizes get in the oracle, away from those of admission

bool runs_at(const task::Variant& sizes, Oracle& oracle, std::uint64_t seed) {
  if (oracle.add(kExplored, sizes)) return false;
  if (std::holds_alternative<Oracle::Broken>(oracle.make(kExplored, seed, "as-given"))) return false;
  const auto answer = oracle.expect(seed);
  const auto* expected = std::get_if<Expectation>(&answer);
  return expected != nullptr && expected->finite;
}

Json operators_of(const task::Variant& sizes, Oracle& oracle, std::uint64_t seed) {
  if (oracle.add(kExplored, sizes)) return Json::array();
  if (std::holds_alternative<Oracle::Broken>(oracle.make(kExplored, seed, "as-given"))) return Json::array();
  auto graph = oracle.graph();
  return std::holds_alternative<Json>(graph) ? std::get<Json>(std::move(graph)) : Json::array();
}

}  // namespace

Json survey(const SurveyRequest& request, Oracle& oracle, std::uint64_t seed,
            const std::vector<task::Variant>& stand_ins) {
  const Admission admission = admit(*request.task, oracle, seed, stand_ins);
  Json report = admission_json(admission);
  if (!admission.admitted()) return report;
  report["operators"] = operators_of(stand_ins.empty() ? task::Variant() : stand_ins.front(), oracle, seed);
  if (request.explore) {
    report["explored"] = request.explore([&](const task::Variant& sizes) { return runs_at(sizes, oracle, seed); });
  }
  return report;
}

}  // namespace tritonrl::verify
