#include "eval/best_known.h"

#include <algorithm>

namespace tritonrl::eval {

namespace {

// 0: none is correct.
double best_of(const std::vector<JudgedSample>& samples) {
  double best = 0;
  for (const JudgedSample& sample : samples) {
    if (sample.correct) best = std::max(best, sample.speedup);
  }
  return best;
}

}  // namespace

std::map<std::string, double> best_known_speedups(const JudgedTasks& schedules,
                                                  const std::vector<const JudgedTasks*>& compared) {
  std::map<std::string, double> known;
  for (const auto& [task, samples] : schedules) {
    double best = best_of(samples);
    if (best == 0) continue;
    for (const JudgedTasks* model : compared) {
      if (const auto found = model->find(task); found != model->end()) best = std::max(best, best_of(found->second));
    }
    known[task] = best;
  }
  return known;
}

}  // namespace tritonrl::eval
