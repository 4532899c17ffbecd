#include "eval/arm.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <utility>

#include "base/error.h"
#include "base/file.h"
#include "base/text.h"
#include "eval/comparison.h"

namespace tritonrl::eval {
namespace {

namespace fs = std::filesystem;
using base::Json;

[[noreturn]] void refuse_arm(const std::string& text, const std::string& problem) {
  throw base::InputError({.file = fmt::format("--arm {}", base::printable(text))}, problem,
                         "write NAME=FOLDER,FOLDER..., a folder a seed");
}

fs::path compared_with(const fs::path& folder) {
  const fs::path file = folder / "eval.json";
  if (!fs::exists(file)) {
    throw base::InputError({.file = folder.string()}, "is no evaluation: it has no eval.json",
                           "give the --out of `tritonrl eval`");
  }
  const base::Place where{.file = file.string(), .line = 1};
  const Json report = base::parse_json(base::read_file(file), where);
  if (report.contains("temperatures")) {
    throw base::InputError(where, "has several temperatures", "give the folder of one: temperature-T");
  }
  const std::string advice =
      fmt::format("evaluate it with --against, or name the other evaluation's folder: {}:OTHER", folder.string());
  const auto other = base::JsonFields(report, where).optional_text("compared_with");
  if (!other) throw base::InputError(where, "does not say what it was compared with", advice);
  if (!fs::exists(*other)) {
    throw base::InputError(where, fmt::format("was compared with {}, which is not there", *other), advice);
  }
  return *other;
}

PairedTerms difference(std::string name, const PairedTerms& of_all, const PairedTerms& without) {
  PairedTerms left{.figure = std::move(name), .first = of_all.first, .second = of_all.second};
  for (std::size_t i = 0; i < left.first.size(); ++i) {
    left.first[i].numerator -= without.first[i].numerator;
    left.second[i].numerator -= without.second[i].numerator;
  }
  return left;
}

std::vector<PairedTerms> terms_of_seed(const EvaluationPair& pair) {
  const JudgedTasks own = read_verdicts(pair.own);
  auto terms = paired_terms(read_verdicts(pair.other), own, {.ks = {1}, .fast = {1}});
  const auto correct = std::ranges::find(terms, "correct@1", &PairedTerms::figure);
  const auto unchecked = std::ranges::find(terms, "unchecked@1", &PairedTerms::figure);
  if (correct == terms.end() || unchecked == terms.end()) {
    throw base::InputError({.file = pair.own.string()}, fmt::format("shares no task with {}", pair.other.string()),
                           "evaluate both on the same suite");
  }
  terms.push_back(difference("cheats@1", *unchecked, *correct));
  return terms;
}

// A figure's terms, seed by seed.
class SeedTerms {
 public:
  void add(const PairedTerms& terms) {
    exponential_ = terms.exponential;
    std::vector<double>& gains = gains_.emplace_back();
    double first = 0;
    double second = 0;
    for (std::size_t i = 0; i < terms.first.size(); ++i) {
      first += terms.first[i].numerator;
      second += terms.second[i].numerator;
      gains.push_back(terms.second[i].numerator - terms.first[i].numerator);
    }
    const auto tasks = static_cast<double>(gains.size());
    first_ += first / tasks;
    second_ += second / tasks;
    by_seed_.push_back((second - first) / tasks);
    tasks_ += static_cast<std::int64_t>(gains.size());
  }

  ArmGain gain(const std::string& figure, const BootstrapConfig& bootstrap) const {
    const auto mean = [this](double sum) {
      const double of_seeds = sum / static_cast<double>(gains_.size());
      return exponential_ ? std::exp(of_seeds) : of_seeds;
    };
    return {.figure = figure,
            .tasks = tasks_,
            .first = mean(first_),
            .second = mean(second_),
            .gain = bootstrap_seeds(gains_, bootstrap),
            .by_seed = by_seed_};
  }

 private:
  bool exponential_ = false;
  std::int64_t tasks_ = 0;
  double first_ = 0;
  double second_ = 0;
  std::vector<double> by_seed_;
  std::vector<std::vector<double>> gains_;
};

Arm compare_arm(const ArmConfig& config, const BootstrapConfig& bootstrap) {
  Arm arm{.name = config.name};
  std::vector<std::string> figures;
  std::map<std::string, SeedTerms> seeds;
  for (const EvaluationPair& given : config.seeds) {
    arm.seeds.push_back({.own = given.own, .other = given.other.empty() ? compared_with(given.own) : given.other});
    for (const PairedTerms& terms : terms_of_seed(arm.seeds.back())) {
      if (!seeds.contains(terms.figure)) figures.push_back(terms.figure);
      seeds[terms.figure].add(terms);
    }
  }
  for (const std::string& figure : figures) arm.gains.push_back(seeds.at(figure).gain(figure, bootstrap));
  arm.tasks = arm.find("correct@1")->tasks;
  return arm;
}

void require_each_once(const std::vector<ArmConfig>& configs) {
  std::set<std::string> names;
  for (const ArmConfig& config : configs) {
    const base::Place where{.file = "--arm " + config.name};
    if (!names.insert(config.name).second) {
      throw base::InputError(where, "stands there twice", "give all folders of an arm in one --arm");
    }
    std::set<fs::path> folders;
    for (const EvaluationPair& seed : config.seeds) {
      if (folders.insert(fs::weakly_canonical(seed.own)).second) continue;
      throw base::InputError(where, fmt::format("has {} twice", seed.own.string()), "a seed counts once");
    }
  }
}

Json gain_json(const ArmGain& gain) {
  return {{"tasks", gain.tasks},  {"first", gain.first},    {"second", gain.second},  {"gain", gain.gain.value},
          {"low", gain.gain.low}, {"high", gain.gain.high}, {"by_seed", gain.by_seed}};
}

}  // namespace

ArmConfig parse_arm(const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos) refuse_arm(text, "has no '='");
  ArmConfig arm{.name = std::string(base::strip(text.substr(0, equals)))};
  if (arm.name.empty()) refuse_arm(text, "has no name");
  if (!base::is_valid_utf8(arm.name)) refuse_arm(text, "has a name that is not UTF-8");
  const std::string folders = text.substr(equals + 1);
  for (const std::string_view one : base::split(folders, ',')) {
    const auto parts = base::split(one, ':');
    if (parts.size() > 2 || std::ranges::any_of(parts, &std::string_view::empty)) {
      refuse_arm(text, fmt::format("has '{}' where a folder must stand", one));
    }
    arm.seeds.push_back({.own = parts.front(), .other = parts.size() == 2 ? fs::path(parts.back()) : fs::path()});
  }
  return arm;
}

const ArmGain* Arm::find(const std::string& figure) const {
  const auto found = std::ranges::find(gains, figure, &ArmGain::figure);
  return found == gains.end() ? nullptr : &*found;
}

std::vector<Arm> compare_arms(const std::vector<ArmConfig>& configs, const BootstrapConfig& bootstrap) {
  require_each_once(configs);
  std::vector<Arm> arms;
  arms.reserve(configs.size());
  for (const ArmConfig& config : configs) arms.push_back(compare_arm(config, bootstrap));
  return arms;
}

Json arms_json(const std::vector<Arm>& arms) {
  Json all = Json::array();
  for (const Arm& arm : arms) {
    Json seeds = Json::array();
    for (const EvaluationPair& seed : arm.seeds) {
      seeds.push_back({{"folder", seed.own.string()}, {"compared_with", seed.other.string()}});
    }
    Json figures = Json::object();
    for (const ArmGain& gain : arm.gains) figures[gain.figure] = gain_json(gain);
    all.push_back({{"name", arm.name}, {"seeds", std::move(seeds)}, {"tasks", arm.tasks}, {"figures", figures}});
  }
  return {{"arms", std::move(all)}};
}

}  // namespace tritonrl::eval
