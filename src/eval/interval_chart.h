#pragma once

#include <string>
#include <vector>

#include "eval/bootstrap.h"

namespace tritonrl::eval {

// A difference with its interval, and faintly the values that it is the mean of.
struct IntervalRow {
  std::string name;
  Interval interval = {};  // NaN: nothing is drawn
  std::vector<double> values = {};
};

// The class that colours an interval: "good" where all of it is better than zero, "bad" where all is worse, else
// "even".
const char* direction(const Interval& interval, bool less_is_better);

struct IntervalPanel {
  std::string title;
  std::vector<IntervalRow> rows = {};
  int decimals = 1;
  bool less_is_better = false;
};

struct IntervalChartConfig {
  int columns = 2;        // of panels
  bool own_file = false;  // with namespace, style and background, which an HTML page has already
};

// Panels as SVG, each with a scale of its own, a line at zero, and a row with point, bar and numbers for every
// interval.
std::string interval_chart(const std::vector<IntervalPanel>& panels, const IntervalChartConfig& config = {});

}  // namespace tritonrl::eval
