#include "eval/line_chart.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "eval/axis.h"

namespace tritonrl::eval {
namespace {

constexpr double kLeft = 48;
constexpr double kRight = 12;
constexpr double kTop = 20;  // the title's
constexpr double kLegendLine = 14;
constexpr double kBottom = 24;
constexpr std::size_t kMostPoints = 300;
constexpr std::size_t kManyPoints = 16;  // that a smoothed line is drawn through

using Points = std::vector<std::pair<double, double>>;

// Neighbours' means, so that a long run is no thicket.
Points thinned(const Points& points) {
  Points finite;
  for (const auto& point : points) {
    if (std::isfinite(point.second)) finite.push_back(point);
  }
  if (finite.size() <= kMostPoints) return finite;
  Points means;
  const std::size_t width = (finite.size() + kMostPoints - 1) / kMostPoints;
  for (std::size_t first = 0; first < finite.size(); first += width) {
    const std::size_t last = std::min(first + width, finite.size());
    double sum = 0;
    for (std::size_t i = first; i < last; ++i) sum += finite[i].second;
    means.emplace_back(finite[last - 1].first, sum / static_cast<double>(last - first));
  }
  return means;
}

// Each point as the mean of those around it.
Points smoothed(const Points& points) {
  const std::size_t reach = std::max<std::size_t>(1, points.size() / 20);
  Points means;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const std::size_t first = i > reach ? i - reach : 0;
    const std::size_t last = std::min(i + reach + 1, points.size());
    double sum = 0;
    for (std::size_t n = first; n < last; ++n) sum += points[n].second;
    means.emplace_back(points[i].first, sum / static_cast<double>(last - first));
  }
  return means;
}

const std::string& colour_of(const std::vector<Series>& series, std::size_t n) {
  static const std::vector<std::string> kColours = {"#2563eb", "#dc2626", "#059669", "#d97706",
                                                    "#7c3aed", "#0891b2", "#be185d", "#4d7c0f"};
  return series[n].colour.empty() ? kColours[n % kColours.size()] : series[n].colour;
}

// Names in their colours, in as many lines as they take.
struct Legend {
  std::string svg;
  double height = 0;
};
Legend legend_of(const std::vector<Series>& series, double width) {
  Legend legend;
  if (series.size() < 2) return legend;
  double x = kLeft;
  double y = kTop + 8;
  for (std::size_t i = 0; i < series.size(); ++i) {
    const double wide = 26 + 6.2 * static_cast<double>(series[i].name.size());
    if (x > kLeft && x + wide > width) {
      x = kLeft;
      y += kLegendLine;
    }
    legend.svg += fmt::format(
        "<rect x='{:.0f}' y='{:.0f}' width='10' height='4' fill='{}'/><text x='{:.0f}' y='{:.0f}' "
        "class='legend'>{}</text>",
        x, y - 5, colour_of(series, i), x + 14, y, html_text(series[i].name));
    x += wide;
  }
  legend.height = y - kTop + 6;
  return legend;
}

// The first at the bottom, each on those before it.
std::vector<Series> piled_up(const std::vector<Series>& series) {
  std::vector<Series> piled = series;
  for (std::size_t i = 1; i < piled.size(); ++i) {
    base::check(piled[i].points.size() == piled[0].points.size(), "what is piled up has the same steps");
    for (std::size_t n = 0; n < piled[i].points.size(); ++n) piled[i].points[n].second += piled[i - 1].points[n].second;
  }
  return piled;
}

// Where values lie in the drawing.
struct Plot {
  Range xs;
  Range ys;
  double top = kTop;
  double width = 0;
  double height = 0;

  double x(double value) const { return kLeft + (value - xs.low) / (xs.high - xs.low) * width; }
  double y(double value) const { return top + (ys.high - value) / (ys.high - ys.low) * height; }
  std::string path(const Points& points) const {
    std::string text;
    for (const auto& point : points) {
      text += fmt::format("{}{:.1f} {:.1f}", text.empty() ? "M" : "L", x(point.first), y(point.second));
    }
    return text;
  }
};

std::string axes(const Plot& plot, const ChartConfig& config) {
  std::string svg;
  for (const double y : ticks(plot.ys)) {
    svg += fmt::format("<line x1='{}' x2='{}' y1='{:.1f}' y2='{:.1f}' class='grid'/>", kLeft, config.width - kRight,
                       plot.y(y), plot.y(y));
    svg += fmt::format("<text x='{}' y='{:.1f}' class='tick' text-anchor='end'>{}</text>", kLeft - 5, plot.y(y) + 4,
                       tick_text(y));
  }
  for (const double x : ticks(plot.xs)) {
    svg += fmt::format("<text x='{:.1f}' y='{}' class='tick' text-anchor='middle'>{}</text>", plot.x(x),
                       config.height - 8, tick_text(x));
  }
  return svg;
}

std::string line(const Plot& plot, const Points& points, const std::string& colour) {
  const auto stroke = [&](const Points& through, double width, double opacity) {
    return fmt::format("<path d='{}' fill='none' stroke='{}' stroke-width='{}' stroke-opacity='{}'/>",
                       plot.path(through), colour, width, opacity);
  };
  if (points.size() < kManyPoints) return stroke(points, 1.8, 1);
  return stroke(points, 1, 0.35) + stroke(smoothed(points), 2, 1);
}

// Between a pile's line and the one below it; empty `below`: down to 0.
std::string area(const Plot& plot, const Points& points, const Points& below, const std::string& colour) {
  Points outline = points;
  if (below.empty()) {
    outline.emplace_back(points.back().first, 0);
    outline.emplace_back(points.front().first, 0);
  } else {
    outline.insert(outline.end(), below.rbegin(), below.rend());
  }
  return fmt::format("<path d='{}Z' fill='{}' fill-opacity='0.75'/>", plot.path(outline), colour);
}

}  // namespace

std::string html_text(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    switch (c) {
      case '&':
        escaped += "&amp;";
        break;
      case '<':
        escaped += "&lt;";
        break;
      case '>':
        escaped += "&gt;";
        break;
      case '"':
        escaped += "&quot;";
        break;
      default:
        escaped += c;
    }
  }
  return escaped;
}

std::string line_chart(const std::vector<Series>& series, const ChartConfig& config) {
  std::vector<Series> drawn;
  for (const Series& one : series)
    drawn.push_back({.name = one.name, .points = thinned(one.points), .colour = one.colour});
  if (config.piled) drawn = piled_up(drawn);
  const Legend legend = legend_of(drawn, config.width);
  Plot plot;
  if (config.from_zero) plot.ys.include(0);
  for (const Series& one : drawn) {
    for (const auto& [x, y] : one.points) {
      plot.xs.include(x);
      plot.ys.include(y);
    }
  }
  if (plot.xs.empty()) return "";
  plot.xs.widen();
  plot.ys.widen();
  plot.top = kTop + legend.height + 4;
  plot.width = config.width - kLeft - kRight;
  plot.height = config.height - plot.top - kBottom;

  std::string svg = fmt::format("<svg viewBox='0 0 {} {}' width='{}' height='{}' role='img'>", config.width,
                                config.height, config.width, config.height);
  svg += fmt::format("<text x='{}' y='14' class='title'>{}</text>", kLeft, html_text(config.title)) + legend.svg +
         axes(plot, config);
  for (std::size_t i = 0; i < drawn.size(); ++i) {
    const std::string& colour = colour_of(drawn, i);
    if (drawn[i].points.empty()) continue;
    svg += config.piled ? area(plot, drawn[i].points, i == 0 ? Points() : drawn[i - 1].points, colour)
                        : line(plot, drawn[i].points, colour);
    for (std::size_t n = 0; n < drawn[i].points.size(); ++n) {
      const auto& [x, y] = drawn[i].points[n];
      const double own = config.piled && i > 0 ? y - drawn[i - 1].points[n].second : y;
      svg += fmt::format(
          "<circle cx='{:.1f}' cy='{:.1f}' r='4' class='dot' fill='{}'><title>{} {:.5g}: {:.4g}</title></circle>",
          plot.x(x), plot.y(y), colour, html_text(drawn[i].name), x, own);
    }
  }
  return svg + "</svg>";
}

}  // namespace tritonrl::eval
