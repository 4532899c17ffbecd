#include "eval/line_chart.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace tritonrl::eval {
namespace {

constexpr std::array<const char*, 8> kColours = {"#2563eb", "#dc2626", "#059669", "#d97706",
                                                 "#7c3aed", "#0891b2", "#be185d", "#4d7c0f"};
constexpr double kLeft = 48;
constexpr double kRight = 12;
constexpr double kTop = 30;
constexpr double kBottom = 24;
constexpr std::size_t kMostPoints = 300;

struct Range {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();

  void include(double value) {
    low = std::min(low, value);
    high = std::max(high, value);
  }
  bool empty() const { return low > high; }
  void widen() {
    if (low == high) {
      low -= 0.5;
      high += 0.5;
    }
  }
};

// About four steps of 1, 2 or 5 times a power of ten.
std::vector<double> ticks(const Range& range) {
  const double rough = (range.high - range.low) / 4;
  const double power = std::pow(10, std::floor(std::log10(rough)));
  double step = 10 * power;
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (rough <= factor * power) {
      step = factor * power;
      break;
    }
  }
  std::vector<double> values;
  for (double n = std::ceil(range.low / step); n * step <= range.high + step * 1e-9; ++n) values.push_back(n * step);
  return values;
}

// Neighbours' means, so that a long run is no thicket.
std::vector<std::pair<double, double>> thinned(const std::vector<std::pair<double, double>>& points) {
  std::vector<std::pair<double, double>> finite;
  for (const auto& point : points) {
    if (std::isfinite(point.second)) finite.push_back(point);
  }
  if (finite.size() <= kMostPoints) return finite;
  std::vector<std::pair<double, double>> means;
  const std::size_t width = (finite.size() + kMostPoints - 1) / kMostPoints;
  for (std::size_t first = 0; first < finite.size(); first += width) {
    const std::size_t last = std::min(first + width, finite.size());
    double sum = 0;
    for (std::size_t i = first; i < last; ++i) sum += finite[i].second;
    means.emplace_back(finite[last - 1].first, sum / static_cast<double>(last - first));
  }
  return means;
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
  Range xs;
  Range ys;
  if (config.from_zero) ys.include(0);
  std::vector<Series> drawn;
  for (const Series& one : series) {
    drawn.push_back({.name = one.name, .points = thinned(one.points)});
    for (const auto& [x, y] : drawn.back().points) {
      xs.include(x);
      ys.include(y);
    }
  }
  if (xs.empty()) return "";
  xs.widen();
  ys.widen();
  const double plot_width = config.width - kLeft - kRight;
  const double plot_height = config.height - kTop - kBottom;
  const auto place_x = [&](double x) { return kLeft + (x - xs.low) / (xs.high - xs.low) * plot_width; };
  const auto place_y = [&](double y) { return kTop + (ys.high - y) / (ys.high - ys.low) * plot_height; };

  std::string svg = fmt::format("<svg viewBox='0 0 {} {}' width='{}' height='{}' role='img'>", config.width,
                                config.height, config.width, config.height);
  svg += fmt::format("<text x='{}' y='14' class='title'>{}</text>", kLeft, html_text(config.title));
  for (const double y : ticks(ys)) {
    svg += fmt::format("<line x1='{}' x2='{}' y1='{:.1f}' y2='{:.1f}' class='grid'/>", kLeft, config.width - kRight,
                       place_y(y), place_y(y));
    svg += fmt::format("<text x='{}' y='{:.1f}' class='tick' text-anchor='end'>{:.3g}</text>", kLeft - 5,
                       place_y(y) + 4, y);
  }
  for (const double x : ticks(xs)) {
    svg += fmt::format("<text x='{:.1f}' y='{}' class='tick' text-anchor='middle'>{:.5g}</text>", place_x(x),
                       config.height - 8, x);
  }
  double legend = kLeft;
  for (std::size_t i = 0; i < drawn.size(); ++i) {
    const char* colour = kColours[i % kColours.size()];
    std::string path;
    for (const auto& [x, y] : drawn[i].points) {
      path += fmt::format("{}{:.1f} {:.1f}", path.empty() ? "M" : "L", place_x(x), place_y(y));
    }
    svg += fmt::format("<path d='{}' fill='none' stroke='{}' stroke-width='1.6'/>", path, colour);
    for (const auto& [x, y] : drawn[i].points) {
      svg += fmt::format(
          "<circle cx='{:.1f}' cy='{:.1f}' r='4' class='dot' fill='{}'><title>{} {:.5g}: {:.4g}</title></circle>",
          place_x(x), place_y(y), colour, html_text(drawn[i].name), x, y);
    }
    if (drawn.size() == 1) continue;
    svg +=
        fmt::format("<text x='{}' y='26' class='legend' fill='{}'>{}</text>", legend, colour, html_text(drawn[i].name));
    legend += 12 + 6.2 * static_cast<double>(drawn[i].name.size());
  }
  return svg + "</svg>";
}

}  // namespace tritonrl::eval
