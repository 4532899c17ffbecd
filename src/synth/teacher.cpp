#include "synth/teacher.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "base/text.h"
#include "synth/families.h"
#include "synth/faults.h"
#include "synth/solution.h"

namespace tritonrl::synth {
namespace {

// Streams of random numbers: what is drawn for one never moves the other.
enum Stream : std::uint64_t { kProblem = 0, kSample = 1 };
std::uint64_t stream_of(Stream stream, std::uint64_t index, std::uint64_t sample = 0) {
  return (index * 4096 + sample) * 2 + stream;
}

std::vector<const Family*> chosen_families(const TeacherConfig& config, int level) {
  const auto wanted = config.families.empty() && config.compact ? compact_families() : config.families;
  std::vector<const Family*> chosen;
  for (const Family& family : families()) {
    if (family.level != level) continue;
    if (wanted.empty() || std::ranges::find(wanted, family.name) != wanted.end()) chosen.push_back(&family);
  }
  return chosen;
}

const Family& draw_family(const TeacherConfig& config, base::Random& random) {
  std::vector<double> weights = config.levels;
  double total = 0;
  for (std::size_t n = 0; n < weights.size(); ++n) {
    if (chosen_families(config, static_cast<int>(n) + 1).empty()) weights[n] = 0;
    total += weights[n];
  }
  double at = random.uniform() * total;
  int level = 1;
  while (level < static_cast<int>(weights.size()) && at >= weights[static_cast<std::size_t>(level - 1)])
    at -= weights[static_cast<std::size_t>(level++ - 1)];
  while (chosen_families(config, level).empty()) level = level % 3 + 1;
  const auto chosen = chosen_families(config, level);
  return *chosen[random.below(chosen.size())];
}

std::string response_text(const std::string& plan, const std::string& code, base::Random& random) {
  constexpr std::string_view kLeads[] = {"", "Here is the kernel.\n\n", "The code:\n\n", ""};
  return fmt::format("<think>\n{}\n</think>\n\n{}```python\n{}```\n", plan, kLeads[random.below(4)], code);
}

std::string broken(std::string response, base::Random& random, std::string& name) {
  const std::size_t fence = response.find("```python\n");
  switch (random.below(4)) {
    case 0:
      name = "format: cut off";
      return response.substr(0, fence + (response.size() - fence) * 6 / 10);
    case 1:
      name = "format: no code block";
      response.erase(response.rfind("```"), 3);
      return response.erase(fence, 10);
    case 2:
      name = "format: plan alone";
      return response.substr(0, fence);
    default:
      name = "format: entry not defined";
      response.replace(response.find("class ModelNew"), 14, "class FastModel");
      return response;
  }
}

struct CheatKind {
  std::string_view name;
  Cheat cheat;
  std::string_view fault;
};

constexpr CheatKind kCheatKinds[] = {{"torch", Cheat::kTorch, "cheat: torch"},
                                     {"decoy", Cheat::kDecoy, "cheat: decoy kernel"},
                                     {"fallback", Cheat::kFallback, "cheat: fallback"}};

const CheatKind* find_cheat(std::string_view name) {
  const auto* found = std::ranges::find(kCheatKinds, name, &CheatKind::name);
  return found == std::end(kCheatKinds) ? nullptr : found;
}

TaughtSample taught(const TeacherConfig& config, const Problem& problem, const Schedule& schedule,
                    base::Random& random) {
  TaughtSample sample{
      .task = {}, .response = {}, .family = problem.family, .level = problem.level, .schedule = schedule, .faults = {}};
  const std::string plan = config.compact ? write_brief_plan(problem, schedule) : write_plan(problem, schedule, random);
  std::string code;
  const bool cheats = random.uniform() < config.cheats;
  if (cheats) {
    const CheatKind& kind = *find_cheat(config.cheat_kinds[random.below(config.cheat_kinds.size())]);
    code = write_cheat(problem, schedule, kind.cheat);
    sample.faults.emplace_back(kind.fault);
  } else {
    code = write_code(problem, schedule);
  }
  // Of cheats too: whoever copies their kernels is to learn no better from them.
  for (const auto name : apply_misconceptions(code, problem.dtype, config.misconceptions, random))
    sample.faults.push_back(fmt::format("misconception: {}", name));
  if (!cheats && random.uniform() < config.slips) {
    if (const auto slip = make_slip(code, problem.dtype, random); !slip.empty())
      sample.faults.push_back(fmt::format("slip: {}", slip));
  }
  sample.response = config.compact ? fmt::format("<think>{}</think>\n```python\n{}```", plan, compacted(code, plan))
                                   : response_text(plan, restyled(code, random), random);
  if (random.uniform() < config.broken_format) {
    std::string name;
    sample.response = broken(std::move(sample.response), random, name);
    sample.faults.push_back(std::move(name));
  }
  return sample;
}

// Two steps at most, none of them with a constant to copy.
bool is_compact(const Problem& problem) {
  constexpr std::size_t kMostSteps = 2;
  std::size_t steps = 0;
  for (const auto& op : problem.operators) {
    if (!op->pointwise()) ++steps;
    for (const Chain* chain : {&op->before, &op->after}) {
      steps += chain->size();
      for (const Step& step : chain->steps)
        if (!step.constant.empty()) return false;
    }
  }
  return steps <= kMostSteps;
}

// Compact samples are of fused schedules whose code is short.
std::vector<Schedule> known_schedules(const TeacherConfig& config, const Problem& problem) {
  constexpr std::size_t kMostCompactBytes = 1050;
  if (!config.compact) return problem.schedules();
  if (!is_compact(problem)) return {};
  std::vector<Schedule> schedules = problem.schedules();
  std::erase_if(schedules, [&](const Schedule& schedule) {
    return !schedule.fused() ||
           compacted(write_code(problem, schedule), write_brief_plan(problem, schedule)).size() > kMostCompactBytes;
  });
  return schedules;
}

}  // namespace

void declare(base::ConfigFields& fields, TeacherConfig& config) {
  fields.field("seed", config.seed);
  fields.field("tasks", config.tasks);
  fields.field("samples", config.samples);
  fields.require(config.samples >= 0, "samples", "must not be negative");
  fields.field("levels", config.levels);
  fields.field("families", config.families);
  fields.field("compact", config.compact);
  fields.field("small_sizes", config.small_sizes);
  fields.field("slips", config.slips);
  fields.field("misconceptions", config.misconceptions);
  fields.field("cheats", config.cheats);
  fields.field("cheat_kinds", config.cheat_kinds);
  fields.field("broken_format", config.broken_format);
}

void check(const TeacherConfig& config) {
  const auto refuse = [](const std::string& problem, const std::string& advice = {}) {
    throw base::InputError({.file = "the teacher's configuration"}, problem, advice);
  };
  const std::pair<std::string_view, double> rates[] = {{"slips", config.slips},
                                                       {"misconceptions", config.misconceptions},
                                                       {"cheats", config.cheats},
                                                       {"broken_format", config.broken_format}};
  for (const auto& [name, rate] : rates)
    if (!(rate >= 0 && rate <= 1)) refuse(fmt::format("{} is {}, and a rate lies between 0 and 1", name, rate));
  for (const std::string& kind : config.cheat_kinds) {
    if (find_cheat(kind) == nullptr) refuse("there is no cheat '" + kind + "'", "use torch, decoy or fallback");
  }
  if (config.cheat_kinds.empty()) refuse("cheat_kinds is empty", "use torch, decoy or fallback");
  double total = 0;
  for (const double share : config.levels) {
    if (!(share >= 0)) refuse("levels holds a negative share");
    total += share;
  }
  if (config.levels.size() != 3 || total <= 0)
    refuse("levels must hold three shares, not all of them zero", "for example 0.45, 0.45, 0.1");
  if (config.samples < 0) refuse("samples is negative");
  std::vector<std::string> known;
  for (const Family& family : families()) known.emplace_back(family.name);
  for (const auto& name : config.families) {
    if (std::ranges::find(known, name) != known.end()) continue;
    const auto nearest = base::nearest_name(name, known);
    refuse(fmt::format("there is no family '{}'", name),
           nearest ? fmt::format("did you mean '{}'?", *nearest) : "see tritonrl data make --count");
  }
  const auto small = compact_families();
  for (const auto& name : config.families) {
    if (config.compact && std::ranges::find(small, name) == small.end())
      refuse(fmt::format("{} has no compact kernels", name), fmt::format("compact are {}", fmt::join(small, ", ")));
  }
}

std::vector<std::string> compact_families() {
  return {"elementwise", "broadcast", "row_reduction", "column_reduction", "softmax", "norm", "scan", "movement"};
}

base::Json to_json(const TaughtSample& sample) {
  return {{"task", sample.task},     {"sample", sample.sample}, {"response", sample.response},
          {"family", sample.family}, {"level", sample.level},   {"schedule", to_json(sample.schedule)},
          {"faults", sample.faults}};
}

TaughtTask teach(const TeacherConfig& config, std::uint64_t index) {
  base::Random random(config.seed, stream_of(kProblem, index));
  const Family& family = draw_family(config, random);
  Problem problem = family.draw(random);
  std::vector<Schedule> schedules = known_schedules(config, problem);
  while (schedules.size() < 2) {  // what has no short kernels is drawn again
    problem = family.draw(random);
    schedules = known_schedules(config, problem);
  }
  TaughtTask made{
      .task = problem.task(fmt::format("teacher{}/{}-{}", config.seed, index, family.name), config.small_sizes),
      .family = std::string(family.name),
      .structure = problem.structure(),
      .samples = {}};
  const std::size_t count = config.samples == 0 ? schedules.size() : static_cast<std::size_t>(config.samples);
  if (config.samples != 0) random.shuffle(std::span(schedules));
  for (std::size_t n = 0; n < count; ++n) {
    base::Random own(config.seed, stream_of(kSample, index, n));
    TaughtSample sample = taught(config, problem, schedules[n % schedules.size()], own);
    sample.task = made.task.id;
    sample.sample = static_cast<int>(n);
    made.samples.push_back(std::move(sample));
  }
  return made;
}

DistinctCounts count_distinct(std::uint64_t seed, std::uint64_t draws) {
  DistinctCounts counts;
  std::uint64_t number = 0;
  for (const Family& family : families()) {
    std::set<std::string> seen;
    for (std::uint64_t n = 0; n < draws; ++n) {
      base::Random random(seed, stream_of(kProblem, (number << 32) + n));
      seen.insert(family.draw(random).structure());
    }
    counts[family.level][std::string(family.name)] = seen.size();
    ++number;
  }
  return counts;
}

std::uint64_t balanced_count(const std::map<std::string, std::uint64_t>& families, double most_share) {
  std::uint64_t all = 0;
  for (const auto& [family, count] : families) all += count;
  while (true) {
    const auto most = static_cast<std::uint64_t>(most_share * static_cast<double>(all));
    std::uint64_t kept = 0;
    for (const auto& [family, count] : families) kept += std::min(count, most);
    if (kept == all) return all;
    all = kept;
  }
}

}  // namespace tritonrl::synth
