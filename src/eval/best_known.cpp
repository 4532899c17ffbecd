#include "eval/best_known.h"

#include <algorithm>

namespace tritonrl::eval {

std::map<std::string, double> best_known_speedups(const std::vector<const JudgedTasks*>& found) {
  std::map<std::string, double> best;
  for (const JudgedTasks* tasks : found) {
    for (const auto& [task, samples] : *tasks) {
      for (const JudgedSample& sample : samples) {
        if (sample.correct && sample.speedup > 0) best[task] = std::max(best[task], sample.speedup);
      }
    }
  }
  return best;
}

}  // namespace tritonrl::eval
