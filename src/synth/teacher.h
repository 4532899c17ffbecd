#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/config.h"
#include "base/json.h"
#include "task/task.h"

namespace tritonrl::synth {

// What the teacher makes, and how well: every rate is a share of samples.
struct TeacherConfig {
  std::uint64_t seed = 0;
  std::uint64_t tasks = 1000;
  int samples = 4;  // a task
};
void declare(base::ConfigFields& fields, TeacherConfig& config);

// One response to one task, in the Sample contract's fields, and what is known about it: for tests and studies, never
// for training.
struct TaughtSample {
  std::string task;
  int sample = 0;
  std::string response;
  std::string family;
  std::vector<std::string> faults;  // empty: nothing was done wrong on purpose
};
base::Json to_json(const TaughtSample& sample);

}  // namespace tritonrl::synth
