#include "eval/interval_chart.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "eval/axis.h"
#include "eval/drawing.h"
#include "eval/line_chart.h"

namespace tritonrl::eval {
namespace {

constexpr std::size_t kColumns = 2;  // of panels
constexpr double kCharacter = 6.4;   // width of a letter
constexpr double kTitle = 28;
constexpr double kRow = 22;
constexpr double kAxis = 32;
constexpr double kPlot = 250;
constexpr double kNumbers = 150;

// Where things lie in every panel: names, plot, numbers.
struct Layout {
  double names = 0;
  double width = 0;
  double height = 0;
};

Layout layout_of(const std::vector<IntervalPanel>& panels) {
  std::size_t longest = 0;
  std::size_t rows = 0;
  for (const IntervalPanel& panel : panels) {
    rows = std::max(rows, panel.rows.size());
    for (const IntervalRow& row : panel.rows) longest = std::max(longest, row.name.size());
  }
  const double names = 20 + kCharacter * static_cast<double>(longest);
  return {
      .names = names, .width = names + kPlot + kNumbers, .height = kTitle + kRow * static_cast<double>(rows) + kAxis};
}

Range range_of(const IntervalPanel& panel) {
  Range range;
  range.include(0);
  for (const IntervalRow& row : panel.rows) {
    for (const double end : {row.interval.low, row.interval.value, row.interval.high}) {
      if (std::isfinite(end)) range.include(end);
    }
    for (const double value : row.values) range.include(value);
  }
  range.widen();
  const double room = 0.05 * (range.high - range.low);
  return {.low = range.low - room, .high = range.high + room};
}

class PanelDrawing {
 public:
  PanelDrawing(const IntervalPanel& panel, const Layout& layout)
      : panel_(panel), layout_(layout), range_(range_of(panel)) {}

  std::string svg() const {
    std::string svg =
        fmt::format("<text x='{:.1f}' y='16' class='title'>{}</text>", layout_.names, html_text(panel_.title)) + axis();
    for (std::size_t n = 0; n < panel_.rows.size(); ++n) svg += row(n);
    return svg;
  }

 private:
  double x(double value) const { return layout_.names + (value - range_.low) / (range_.high - range_.low) * kPlot; }
  double bottom() const { return kTitle + kRow * static_cast<double>(panel_.rows.size()); }

  std::string vertical(double value, const char* kind) const {
    return fmt::format("<line x1='{0:.1f}' x2='{0:.1f}' y1='{1}' y2='{2}' class='{3}'/>", x(value), kTitle, bottom(),
                       kind);
  }

  std::string axis() const {
    std::string svg;
    for (const double value : ticks(range_)) {
      svg += vertical(value, "grid") + fmt::format("<text x='{:.1f}' y='{}' text-anchor='middle'>{}</text>", x(value),
                                                   bottom() + 14, tick_text(value));
    }
    return svg + vertical(0, "zero");
  }

  std::string row(std::size_t n) const {
    const IntervalRow& row = panel_.rows[n];
    const double y = kTitle + kRow * (static_cast<double>(n) + 0.5);
    std::string svg =
        fmt::format("<g class='row {}'><text x='{:.1f}' y='{}' text-anchor='end'>{}</text>",
                    direction(row.interval, panel_.less_is_better), layout_.names - 8, y + 4, html_text(row.name));
    if (!std::isfinite(row.interval.value)) {
      return svg + fmt::format("<text x='{:.1f}' y='{}'>-</text></g>", layout_.names + kPlot + 8, y + 4);
    }
    for (const double value : row.values) {
      svg += fmt::format("<circle cx='{:.1f}' cy='{}' r='2.5' class='one'/>", x(value), y);
    }
    if (std::isfinite(row.interval.low)) {
      svg += fmt::format("<line x1='{:.1f}' x2='{:.1f}' y1='{}' y2='{}' class='bar'/>", x(row.interval.low),
                         x(row.interval.high), y, y);
    }
    return svg + fmt::format("<circle cx='{:.1f}' cy='{}' r='4.5' class='point'/><text x='{:.1f}' y='{}'>{}</text></g>",
                             x(row.interval.value), y, layout_.names + kPlot + 8, y + 4, numbers(row.interval));
  }

  std::string numbers(const Interval& interval) const {
    const int decimals = panel_.decimals;
    return fmt::format("{:+.{}f} [{:+.{}f}, {:+.{}f}]", interval.value, decimals, interval.low, decimals, interval.high,
                       decimals);
  }

  const IntervalPanel& panel_;
  Layout layout_;
  Range range_;
};

}  // namespace

const char* direction(const Interval& interval, bool less_is_better) {
  if (interval.low > 0) return less_is_better ? "bad" : "good";
  if (interval.high < 0) return less_is_better ? "good" : "bad";
  return "even";
}

std::string interval_chart(const std::vector<IntervalPanel>& panels, ChartPlace place) {
  const Layout layout = layout_of(panels);
  const double width = layout.width * static_cast<double>(std::min(kColumns, panels.size()));
  const std::size_t lines = (panels.size() + kColumns - 1) / kColumns;
  const double height = layout.height * static_cast<double>(lines);
  std::string content;
  for (std::size_t n = 0; n < panels.size(); ++n) {
    const std::size_t line = n / kColumns;
    const std::size_t column = n % kColumns;
    content += fmt::format("<g class='panel' transform='translate({:.1f} {:.1f})'>{}</g>",
                           layout.width * static_cast<double>(column), layout.height * static_cast<double>(line),
                           PanelDrawing(panels[n], layout).svg());
  }
  if (place == ChartPlace::kFile) return svg_file(width, height, content);
  return fmt::format("<svg viewBox='0 0 {:.0f} {:.0f}' width='{:.0f}' height='{:.0f}' role='img'>{}</svg>", width,
                     height, width, height, content);
}

}  // namespace tritonrl::eval
