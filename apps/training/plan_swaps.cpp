#include "apps/training/plan_swaps.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <span>
#include <utility>

#include "analysis/response.h"
#include "base/error.h"
#include "base/file.h"
#include "base/log.h"
#include "base/random.h"
#include "eval/proportion.h"

namespace tritonrl::apps {
namespace {

using base::Json;
using synth::Schedule;

using Schedules = std::map<std::string, std::vector<Schedule>>;  // by task

Schedules read_schedules(const std::string& file) {
  Schedules schedules;
  base::JsonLines rows(file, std::size_t{64} << 20);
  while (const auto row = rows.next()) {
    base::JsonFields fields(row->value, row->where);
    const std::string response = fields.text("response");
    const Schedule decided = synth::read_plan(analysis::split_response(response, "ModelNew").plan.of(response));
    if (decided == Schedule()) continue;
    auto& known = schedules[fields.text("task")];
    if (std::ranges::find(known, decided) == known.end()) known.push_back(decided);
  }
  if (schedules.empty()) {
    throw base::InputError({.file = file}, "no plan in it decides a schedule in the embedded teacher's words",
                           "give the samples.jsonl of `tritonrl data make --samples 0 --fault-free`");
  }
  return schedules;
}

struct Case {
  Continuation continuation;
  std::int64_t sample = 0;
  Schedule own;
  Schedule other;
};

// The response up to its code, with another decision. The newlines after the plan belong to its last token.
std::optional<Case> make_case(const verify::Candidate& candidate, const Schedule& other) {
  const auto split = analysis::split_response(candidate.text, "ModelNew");
  const std::string_view plan = split.plan.of(candidate.text);
  auto replaced = synth::replace_decision(plan, other);
  if (!replaced) return std::nullopt;
  for (std::size_t at = split.plan.end; at < candidate.text.size() && candidate.text[at] == '\n'; ++at)
    *replaced += '\n';
  return Case{.continuation = {.task = candidate.task, .begun = *std::move(replaced)},
              .sample = candidate.sample,
              .own = synth::read_plan(plan),
              .other = other};
}

// Whether the code does what the plan decides; nothing where it decides nothing.
std::optional<bool> follows_own_plan(const std::string& response) {
  const auto split = analysis::split_response(response, "ModelNew");
  const Schedule decided = synth::read_plan(split.plan.of(response));
  if (decided == Schedule()) return std::nullopt;
  return split.code && synth::carries_out(synth::read_code(split.code->of(response)), decided);
}

// A task's responses, and what else could be decided for it, in an order of its own.
struct Pile {
  std::vector<const verify::Candidate*> responses;
  std::vector<Schedule> others;
};

std::vector<Pile> piles_of(const std::vector<verify::Candidate>& responses, const Schedules& schedules) {
  std::vector<Pile> piles;
  std::map<std::string, std::size_t> places;
  for (const auto& candidate : responses) {
    const auto known = schedules.find(candidate.task->id);
    if (known == schedules.end()) continue;
    const auto [place, added] = places.emplace(candidate.task->id, piles.size());
    if (added) {
      piles.push_back({.responses = {}, .others = known->second});
      base::Random random(1, place->second);
      random.shuffle(std::span(piles.back().others));
    }
    piles[place->second].responses.push_back(&candidate);
  }
  return piles;
}

// A model that took the task for another plans other kernels: a schedule of the task would contradict the rest of its
// plan.
bool is_for_task(const Schedule& own, const std::vector<Schedule>& known) {
  return std::ranges::any_of(known, [&](const Schedule& schedule) { return synth::same_choices(own, schedule); });
}

std::vector<Case> make_cases(const std::vector<Pile>& piles, std::int64_t wanted, std::int64_t& undecided) {
  std::vector<Case> cases;
  std::size_t rounds = 0;
  for (const Pile& pile : piles) rounds = std::max(rounds, pile.others.size());
  for (std::size_t round = 0; round < rounds; ++round) {
    for (const Pile& pile : piles) {
      if (static_cast<std::int64_t>(cases.size()) == wanted) return cases;
      if (round >= pile.others.size()) continue;
      auto made = make_case(*pile.responses[round % pile.responses.size()], pile.others[round]);
      if (!made || !is_for_task(made->own, pile.others)) {
        ++undecided;
      } else if (made->own != made->other) {
        cases.push_back(*std::move(made));
      }
    }
  }
  return cases;
}

}  // namespace

Json PlanSwaps::json() const {
  const eval::Interval share = eval::proportion(followed, cases);
  const eval::Interval own = eval::proportion(own_followed, own_plans);
  return {
      {"cases", cases},
      {"followed", followed},
      {"share", share.value},
      {"low", share.low},
      {"high", share.high},
      {"kept", kept},
      {"no_code", no_code},
      {"undecided", undecided},
      {"own",
       {{"cases", own_plans}, {"followed", own_followed}, {"share", own.value}, {"low", own.low}, {"high", own.high}}}};
}

std::string PlanSwaps::table() const {
  const auto row = [](std::string_view name, std::int64_t some, std::int64_t all) {
    if (all == 0) return fmt::format("{:<20}-\n", name);
    const eval::Interval share = eval::proportion(some, all);
    return fmt::format("{:<20}{:<24}{} of {}\n", name,
                       fmt::format("{:.3f} [{:.3f}, {:.3f}]", share.value, share.low, share.high), some, all);
  };
  return "code follows the plan\n" + row("as written", own_followed, own_plans) + row("with another", followed, cases) +
         fmt::format(
             "{:<20}{} did as the first plan, {} had no code; {} plans could not be changed or were for another task\n",
             "", kept, no_code, undecided);
}

PlanSwapper::PlanSwapper(const PlanSwapConfig& config)
    : cases_(config.cases), schedules_(read_schedules(config.schedules)) {}

PlanSwaps PlanSwapper::swap(const std::vector<verify::Candidate>& responses, Sampler& sampler, double temperature,
                            const std::string& folder) const {
  PlanSwaps swaps;
  for (const auto& response : responses) {
    const auto follows = follows_own_plan(response.text);
    swaps.own_plans += follows ? 1 : 0;
    swaps.own_followed += follows.value_or(false) ? 1 : 0;
  }
  const auto cases = make_cases(piles_of(responses, schedules_), cases_, swaps.undecided);
  if (static_cast<std::int64_t>(cases.size()) < cases_) {
    base::log::warning("{} plan swaps instead of {}: there are no more schedules, or no more plans", cases.size(),
                       cases_);
  }
  std::vector<Continuation> continuations;
  for (const Case& one : cases) continuations.push_back(one.continuation);
  const auto texts = sampler.go_on(continuations, temperature);

  std::string rows;
  for (std::size_t n = 0; n < cases.size(); ++n) {
    const auto split = analysis::split_response(texts[n], "ModelNew");
    const Schedule written = split.code ? synth::read_code(split.code->of(texts[n])) : Schedule();
    const bool follows = split.code && synth::carries_out(written, cases[n].other);
    ++swaps.cases;
    swaps.followed += follows ? 1 : 0;
    swaps.kept += split.code && synth::carries_out(written, cases[n].own) ? 1 : 0;
    swaps.no_code += split.code ? 0 : 1;
    rows += base::json_line({{"task", cases[n].continuation.task->id},
                             {"sample", cases[n].sample},
                             {"own", synth::to_json(cases[n].own)},
                             {"other", synth::to_json(cases[n].other)},
                             {"written", synth::to_json(written)},
                             {"follows", follows},
                             {"response", texts[n]}}) +
            '\n';
  }
  if (!folder.empty()) base::write_file_atomically(std::filesystem::path(folder) / "plan_swaps.jsonl", rows);
  return swaps;
}

}  // namespace tritonrl::apps
