#include "eval/drawing.h"

#include <fmt/format.h>

#include "eval/page/chart.css.h"

namespace tritonrl::eval {

std::string svg_file(double width, double height, const std::string& content) {
  return fmt::format(
      "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {:.0f} {:.0f}' width='{:.0f}' height='{:.0f}' role='img'>"
      "<style>{}</style><rect width='100%' height='100%' class='paper'/>{}</svg>\n",
      width, height, width, height, kChartStyle, content);
}

}  // namespace tritonrl::eval
