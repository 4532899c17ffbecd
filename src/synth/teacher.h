#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "base/config.h"
#include "base/json.h"
#include "synth/schedule.h"
#include "task/task.h"

namespace tritonrl::synth {

// What the teacher makes, and how well. Rates are shares of samples.
struct TeacherConfig {
  std::uint64_t seed = 0;
  std::uint64_t tasks = 1000;
  int samples = 4;                                 // a task; 0: every schedule once
  std::vector<double> levels = {0.45, 0.45, 0.1};  // shares of tasks
  std::vector<std::string> families;               // only these; empty: all
  bool compact = false;                            // short plans and code, for models of a million parameters
  bool small_sizes = false;                        // tasks at the small sizes that the large ones are checked at
  double slips = 0.15;
  double misconceptions = 0.7;  // share of an idiom's uses that have its wrong form
  double cheats = 0.02;
  std::vector<std::string> cheat_kinds = {"torch", "decoy", "fallback"};  // one of them by chance
  double broken_format = 0.02;

  void make_no_faults() { slips = misconceptions = cheats = broken_format = 0; }
};
void declare(base::ConfigFields& fields, TeacherConfig& config);
// InputError for rates that are none, and families that do not exist.
void check(const TeacherConfig& config);

// The families that compact samples are of, unless others are named: one short kernel each.
std::vector<std::string> compact_families();

// One response to one task, in the Sample contract's fields, and what is known about it: for tests and studies, never
// for training.
struct TaughtSample {
  std::string task;
  int sample = 0;
  std::string response;
  std::string family;
  int level = 0;
  Schedule schedule;
  std::vector<std::string> faults;  // empty: nothing was done wrong on purpose
};
base::Json to_json(const TaughtSample& sample);

struct TaughtTask {
  task::Task task;
  std::string family;
  std::string structure;  // equal for tasks that differ in sizes and constants alone
  std::vector<TaughtSample> samples;
};

// Task number `index` with its samples; a function of config and index alone.
TaughtTask teach(const TeacherConfig& config, std::uint64_t index);

// Distinct structures by level and family, among the first `draws` tasks of each family.
using DistinctCounts = std::map<int, std::map<std::string, std::uint64_t>>;
DistinctCounts count_distinct(std::uint64_t seed, std::uint64_t draws);
// How many of a level's tasks can stand together so that no family has more than `most_share` of them.
std::uint64_t balanced_count(const std::map<std::string, std::uint64_t>& families, double most_share);

}  // namespace tritonrl::synth
