#include "verify/admission.h"

#include <fmt/format.h>

#include <array>
#include <map>

#include "base/random.h"
#include "verify/trials.h"

namespace tritonrl::verify {
namespace {

using base::Json;

struct Trivial {
  std::string_view name;
  std::string_view sentence;
};

constexpr std::array<Trivial, 7> kTrivial = {{
    {"zeros", "zeros are right for it"},
    {"constant", "one number everywhere is right for it"},
    {"identity", "its input is right for it"},
    {"stale", "the results of an earlier call are right for it"},
    {"row-means", "the mean of each row is right for it"},
    {"column-means", "the mean over the first dimension is right for it"},
    {"low-precision", "results in a narrower dtype are right for it"},
}};

struct Score {
  int passed = 0;
  int tried = 0;
};

bool all_right(TensorMemory& memory, const std::vector<TensorView>& found, const Expectation& expected) {
  for (std::size_t n = 0; n < found.size(); ++n) {
    if (memory.compare(found[n], expected.results[n]).mismatch) return false;
  }
  return !found.empty();
}

// One case's worth of trivial candidates. Nothing: the case does not apply.
std::optional<Oracle::Broken> score_case(Oracle& oracle, std::uint64_t seed,
                                         std::map<std::string_view, Score>& scores) {
  auto answer = oracle.expect(seed);
  if (auto* broken = std::get_if<Oracle::Broken>(&answer)) return std::move(*broken);
  const auto& expected = std::get<Expectation>(answer);
  if (!expected.finite) return Oracle::Broken{"the reference is not finite"};
  for (const Trivial& trivial : kTrivial) {
    auto made = oracle.trivial(trivial.name);
    if (auto* broken = std::get_if<Oracle::Broken>(&made)) return std::move(*broken);
    const auto& found = std::get<std::vector<TensorView>>(made);
    if (found.size() != expected.results.size()) continue;
    Score& score = scores[trivial.name];
    ++score.tried;
    score.passed += all_right(oracle.memory(), found, expected) ? 1 : 0;
  }
  return std::nullopt;
}

Admission refused(Admission admission, std::string reason, std::string message) {
  admission.reason = std::move(reason);
  admission.message = std::move(message);
  return admission;
}

}  // namespace

Admission admit(const task::Task& task, Oracle& oracle, std::uint64_t seed,
                const std::vector<task::Variant>& stand_ins) {
  Admission admission{.task = task.id, .reason = {}, .message = {}};
  const TrialPlan plan = plan_trials(task, Depth::kFull, seed, stand_ins);
  base::Random random(seed, 2);
  std::map<std::string_view, Score> scores;
  bool first = true;
  for (const Trial& trial : plan.trials) {
    if (trial.ghost || trial.poke || !plan.sizes[trial.sizes].listed) continue;
    const bool own = trial.sizes == 0 && trial.distribution == "as-given";
    std::optional<Oracle::Broken> broken;
    if (first || trial.sizes != 0) broken = oracle.add(static_cast<int>(trial.sizes), plan.sizes[trial.sizes].variant);
    if (!broken) {
      auto made = oracle.make(static_cast<int>(trial.sizes), random.next_u64(), trial.distribution);
      if (auto* why = std::get_if<Oracle::Broken>(&made)) broken = std::move(*why);
    }
    if (!broken && first) {
      auto found = oracle.traits();
      if (auto* why = std::get_if<Oracle::Broken>(&found)) {
        broken = std::move(*why);
      } else {
        const auto& traits = std::get<Oracle::Traits>(found);
        if (traits.stateful)
          return refused(admission, "stateful",
                         "a call changes its buffers, or a second one on the same inputs gives another result");
        if (traits.random) return refused(admission, "random", "its results depend on torch's random numbers");
        if (traits.writes_input) return refused(admission, "writes-input", "it writes its own inputs");
      }
    }
    if (!broken) broken = score_case(oracle, random.next_u64(), scores);
    if (broken && own) return refused(admission, "broken", "it fails at its own sizes: " + broken->message);
    if (!broken && own) broken = oracle.remember();
    first = false;
  }
  for (const Trivial& trivial : kTrivial) {
    const Score score = scores[trivial.name];
    admission.evidence[std::string(trivial.name)] = {{"passed", score.passed}, {"tried", score.tried}};
    if (admission.admitted() && score.tried > 0 && score.passed == score.tried) {
      admission = refused(std::move(admission), fmt::format("accepts-{}", trivial.name), std::string(trivial.sentence));
    }
  }
  return admission;
}

Json admission_json(const Admission& admission) {
  return {{"task", admission.task},
          {"admitted", admission.admitted()},
          {"reason", admission.admitted() ? Json() : Json(admission.reason)},
          {"message", admission.message},
          {"trivial", admission.evidence}};
}

}  // namespace tritonrl::verify
