#pragma once

#include <string>
#include <utility>
#include <vector>

namespace tritonrl::eval {

// One line: points by x. Values that are not finite leave a gap.
struct Series {
  std::string name;
  std::vector<std::pair<double, double>> points = {};
  std::string colour = {};  // empty: the next
};

struct ChartConfig {
  std::string title;
  int width = 430;
  int height = 220;
  bool from_zero = true;
  bool piled = false;  // areas on each other instead of lines; all have the same steps
};

// Lines over steps as SVG, with axes, a legend and a tooltip for every point; a long one is smoothed, with the points
// faintly behind it. Empty where there is nothing to draw.
std::string line_chart(const std::vector<Series>& series, const ChartConfig& config);

// For text in HTML.
std::string html_text(std::string_view text);

}  // namespace tritonrl::eval
