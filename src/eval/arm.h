#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "base/json.h"
#include "eval/bootstrap.h"

namespace tritonrl::eval {

// Two evaluations of the same tasks; an empty `other` is the one that eval.json in `own` says it was compared with.
struct EvaluationPair {
  std::filesystem::path own;
  std::filesystem::path other = {};
};

// One arm of an experiment, trained and evaluated once a seed.
struct ArmConfig {
  std::string name;
  std::vector<EvaluationPair> seeds = {};
};

// Of NAME=FOLDER[:OTHER][,FOLDER[:OTHER]...]; InputError for anything else.
ArmConfig parse_arm(const std::string& text);

// A figure of scores.h at k = 1, or "cheats@1": right results that were refused. Means over seeds; the gain is paired
// by task, its interval from drawing seeds, then tasks.
struct ArmGain {
  std::string figure;
  std::int64_t tasks = 0;            // of all seeds together
  double first = 0;                  // what the arm was compared with
  double second = 0;                 // the arm
  Interval gain = {};                // second - first; for geometric_speedup their ratio's logarithm
  std::vector<double> by_seed = {};  // the gain of each; a seed where the figure is not defined is left out
};

struct Arm {
  std::string name;
  std::vector<EvaluationPair> seeds = {};
  std::int64_t tasks = 0;  // of all seeds together
  std::vector<ArmGain> gains = {};

  // Nothing where no seed has the figure.
  const ArmGain* find(const std::string& figure) const;
};

// Reads eval.json and verdicts.jsonl of every folder. InputError for a name or folder that stands there twice, for what
// is no evaluation, was compared with nothing, or shares no task with what it is compared with.
std::vector<Arm> compare_arms(const std::vector<ArmConfig>& configs, const BootstrapConfig& bootstrap = {});

// {"arms": [{"name", "seeds": [{"folder", "compared_with"}...], "tasks", "figures": {FIGURE: {"tasks", "first",
// "second", "gain", "low", "high", "by_seed"}}}...]}
base::Json arms_json(const std::vector<Arm>& arms);

}  // namespace tritonrl::eval
