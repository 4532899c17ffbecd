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

// Where the chart stands. A file has namespace, style and background of its own, which a page has already.
enum class ChartPlace { kPage, kFile };

// Panels as SVG, each with a scale of its own, a line at zero, and a row with point, bar and numbers for every
// interval.
std::string interval_chart(const std::vector<IntervalPanel>& panels, ChartPlace place = ChartPlace::kPage);

}  // namespace tritonrl::eval
