#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "base/live_screen.h"
#include "runlog/metrics.h"

namespace tritonrl::runlog {

// "correct 0.52", "update 1.4s", "8412 tokens/s".
struct ShownMetric {
  std::string metric;
  std::string label = {};
  int decimals = 2;
  std::string unit = {};
};

struct ShownRow {
  std::string label;
  std::vector<ShownMetric> metrics;
};

struct RunViewConfig {
  std::string kind;  // "rl"
  std::string folder;
  std::int64_t steps = 0;
  std::int64_t done = 0;  // before this process
  std::vector<ShownRow> rows;
  ShownMetric curve;  // its course over the run
  double line_s = 0;  // least time between plain lines; 0: one for each step
  base::LiveScreenConfig screen = {};
  std::function<std::chrono::steady_clock::time_point()> now = std::chrono::steady_clock::now;
};

// How a run goes: one screen that is drawn again in place where a person watches, plain lines elsewhere. Files that
// copy the log get the plain lines in either case.
class RunView {
 public:
  explicit RunView(RunViewConfig config);

  // What the run is at: "responses 40/64".
  void at(std::string phase);
  // A step's metrics, or those of the start. A metric that a step lacks keeps its last value on the screen.
  void add(const StepMetrics& metrics);

 private:
  void count(std::int64_t step);
  std::string left() const;
  std::string plain_line(const StepMetrics& metrics) const;
  std::vector<std::string> screen_lines() const;
  void draw();

  RunViewConfig config_;
  base::LiveScreen screen_;
  std::deque<std::chrono::steady_clock::time_point> ends_;  // of the last steps, the start before them
  std::chrono::steady_clock::time_point next_draw_;
  std::chrono::steady_clock::time_point next_line_;
  std::int64_t step_;
  std::string phase_;
  std::map<std::string, double> values_;  // the last of each
  std::vector<double> curve_;
};

// Values from low to high as ▁ to █, or in ASCII; the mean of neighbours where there are more than `cells`.
std::string sparkline(const std::vector<double>& values, std::size_t cells, bool unicode);

}  // namespace tritonrl::runlog
