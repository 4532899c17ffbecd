#include "data/bar_chart.h"

#include <fmt/format.h>

#include <algorithm>

namespace tritonrl::data {
namespace {

constexpr int kLabelWidth = 190;
constexpr int kBarWidth = 420;
constexpr int kRowHeight = 22;
constexpr int kCountWidth = 120;

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '&') {
      out += "&amp;";
    } else if (c == '<') {
      out += "&lt;";
    } else {
      out += c;
    }
  }
  return out;
}

std::string chart_svg(const BarChart& chart) {
  double largest = 0;
  double sum = 0;
  for (const Bar& bar : chart.bars) {
    largest = std::max(largest, bar.value);
    sum += bar.value;
  }
  const int height = kRowHeight * static_cast<int>(chart.bars.size());
  std::string svg = fmt::format("<svg viewBox=\"0 0 {0} {1}\" width=\"{0}\" height=\"{1}\" role=\"img\">\n",
                                kLabelWidth + kBarWidth + kCountWidth, height);
  for (std::size_t n = 0; n < chart.bars.size(); ++n) {
    const Bar& bar = chart.bars[n];
    const int top = kRowHeight * static_cast<int>(n);
    const double width = largest > 0 ? bar.value / largest * kBarWidth : 0;
    svg += fmt::format("<text x=\"{}\" y=\"{}\" text-anchor=\"end\">{}</text>", kLabelWidth - 8, top + 15,
                       escaped(bar.label));
    svg += fmt::format("<rect x=\"{}\" y=\"{}\" width=\"{:.1f}\" height=\"{}\" rx=\"2\"/>", kLabelWidth, top + 4, width,
                       kRowHeight - 7);
    svg += fmt::format("<text x=\"{:.1f}\" y=\"{}\">{:.0f} ({:.1f} %)</text>\n", kLabelWidth + width + 6, top + 15,
                       bar.value, sum > 0 ? 100 * bar.value / sum : 0);
  }
  return svg + "</svg>\n";
}

}  // namespace

std::string chart_page(const std::string& title, const std::string& summary, const std::vector<BarChart>& charts) {
  std::string page = fmt::format(R"(<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>{0}</title>
<style>
:root {{ color-scheme: light dark; }}
body {{ font: 15px/1.45 system-ui, sans-serif; max-width: 50rem; margin: 2rem auto; padding: 0 1rem; }}
svg {{ max-width: 100%; height: auto; }}
svg text {{ font: 12px system-ui, sans-serif; fill: currentColor; }}
svg rect {{ fill: #4878a8; }}
h2 {{ font-size: 1.05rem; margin: 2rem 0 0.5rem; }}
</style></head><body>
<h1>{0}</h1>
<p>{1}</p>
)",
                                 escaped(title), escaped(summary));
  for (const BarChart& chart : charts) page += fmt::format("<h2>{}</h2>\n{}", escaped(chart.title), chart_svg(chart));
  return page + "</body></html>\n";
}

}  // namespace tritonrl::data
