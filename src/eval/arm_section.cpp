#include "eval/arm_section.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "eval/interval_chart.h"
#include "eval/line_chart.h"

namespace tritonrl::eval {
namespace {

enum class Unit { kShare, kFactor, kPlain };

struct Measure {
  const char* figure;
  const char* title;
  Unit unit;
  bool less_is_better = false;
};
constexpr Measure kMeasures[] = {
    {"correct@1", "correct", Unit::kShare},
    {"fast_1@1", "correct and faster (fast_1)", Unit::kShare},
    {"mean_speedup@1", "mean speedup, failures as 0", Unit::kPlain},
    {"geometric_speedup", "speedup where both are correct", Unit::kFactor},
    {"cheats@1", "cheats: right results, refused", Unit::kShare, true},
};

// Percentage points of shares, per cent of a factor whose logarithm it is, else as it is.
double shown(const Measure& measure, double gain) {
  switch (measure.unit) {
    case Unit::kShare:
      return 100 * gain;
    case Unit::kFactor:
      return 100 * std::expm1(gain);
    case Unit::kPlain:
      return gain;
  }
  return gain;
}

const char* unit_text(const Measure& measure) {
  switch (measure.unit) {
    case Unit::kShare:
      return "points";
    case Unit::kFactor:
      return "%";
    case Unit::kPlain:
      return "";
  }
  return "";
}

int decimals(const Measure& measure) { return measure.unit == Unit::kPlain ? 3 : 1; }

Interval shown(const Measure& measure, const Interval& gain) {
  return {.value = shown(measure, gain.value), .low = shown(measure, gain.low), .high = shown(measure, gain.high)};
}

std::string figure_text(const Measure& measure, double value) {
  return measure.unit == Unit::kShare ? fmt::format("{:.1f} %", 100 * value) : fmt::format("{:.3f}", value);
}

std::string cell(const Measure& measure, const ArmGain* found) {
  if (found == nullptr) return "<td>-</td>";
  const Interval gain = shown(measure, found->gain);
  const int digits = decimals(measure);
  return fmt::format(
      "<td>{} → {}<br><b class='{}'>{:+.{}f} {}</b> <span class='small'>{:+.{}f} to {:+.{}f}</span></td>",
      figure_text(measure, found->first), figure_text(measure, found->second), direction(gain, measure.less_is_better),
      gain.value, digits, unit_text(measure), gain.low, digits, gain.high, digits);
}

std::string table(const std::vector<Arm>& arms) {
  std::string html = "<table><tr><th>arm</th><th>seeds</th><th>tasks</th>";
  for (const Measure& measure : kMeasures) html += fmt::format("<th>{}</th>", measure.title);
  html += "</tr>";
  for (const Arm& arm : arms) {
    html += fmt::format("<tr><td>{}</td><td>{}</td><td>{}</td>", html_text(arm.name), arm.seeds.size(), arm.tasks);
    for (const Measure& measure : kMeasures) html += cell(measure, arm.find(measure.figure));
    html += "</tr>";
  }
  return html + "</table>";
}

IntervalRow row_of(const Arm& arm, const Measure& measure) {
  constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
  const ArmGain* found = arm.find(measure.figure);
  if (found == nullptr) return {.name = arm.name, .interval = {.value = kNaN, .low = kNaN, .high = kNaN}};
  IntervalRow row{.name = arm.name, .interval = shown(measure, found->gain)};
  for (const double gain : found->by_seed) row.values.push_back(shown(measure, gain));
  return row;
}

std::vector<IntervalPanel> panels(const std::vector<Arm>& arms) {
  std::vector<IntervalPanel> all;
  for (const Measure& measure : kMeasures) {
    const std::string unit = unit_text(measure);
    IntervalPanel panel{.title = measure.title + (unit.empty() ? "" : ", " + unit),
                        .decimals = decimals(measure),
                        .less_is_better = measure.less_is_better};
    for (const Arm& arm : arms) panel.rows.push_back(row_of(arm, measure));
    all.push_back(std::move(panel));
  }
  return all;
}

}  // namespace

std::string arm_section(const std::vector<Arm>& arms) {
  if (arms.empty()) return "";
  return "<h2>Arms</h2><p class='small'>What each arm gained over what its evaluations were compared with, paired by "
         "task: the mean over seeds, and its 95 % interval from drawing seeds, then tasks of each. Faint points are "
         "single seeds.</p>" +
         table(arms) + interval_chart(panels(arms));
}

std::string arms_svg(const std::vector<Arm>& arms) { return interval_chart(panels(arms), ChartPlace::kFile); }

}  // namespace tritonrl::eval
