#pragma once

#include <string>
#include <vector>

namespace tritonrl::data {

struct Bar {
  std::string label;
  double value = 0;
};

struct BarChart {
  std::string title;
  std::vector<Bar> bars;
};

// An HTML page that holds all it needs: charts as SVG, in light and dark.
std::string chart_page(const std::string& title, const std::string& summary, const std::vector<BarChart>& charts);

}  // namespace tritonrl::data
