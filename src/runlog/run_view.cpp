#include "runlog/run_view.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "base/log.h"
#include "base/progress.h"

namespace tritonrl::runlog {
namespace {

using std::chrono::duration;
using std::chrono::steady_clock;

constexpr auto kRedraw = std::chrono::milliseconds(100);
constexpr std::size_t kCurveCells = 40;
constexpr std::size_t kLabelWidth = 10;
constexpr int kBarCells = 24;
constexpr std::size_t kRecentSteps = 20;

// Empty where there is no such value.
std::string shown(const ShownMetric& metric, const std::map<std::string, double>& values) {
  const auto found = values.find(metric.metric);
  if (found == values.end() || !std::isfinite(found->second)) return "";
  const std::string number = fmt::format("{:.{}f}{}", found->second, metric.decimals, metric.unit);
  return metric.label.empty() ? number : metric.label + " " + number;
}

std::string shown(const ShownRow& row, const std::map<std::string, double>& values) {
  std::string text;
  for (const ShownMetric& metric : row.metrics) {
    const std::string part = shown(metric, values);
    if (!part.empty()) text += (text.empty() ? "" : "  ") + part;
  }
  return text;
}

std::string labelled(const std::string& label, const std::string& text) {
  return fmt::format("{:<{}}{}", label, kLabelWidth, text);
}

std::vector<double> means_of_neighbours(const std::vector<double>& values, std::size_t cells) {
  if (values.size() <= cells) return values;
  std::vector<double> means;
  for (std::size_t cell = 0; cell < cells; ++cell) {
    const std::size_t begin = cell * values.size() / cells;
    const std::size_t end = (cell + 1) * values.size() / cells;
    double sum = 0;
    for (std::size_t i = begin; i < end; ++i) sum += values[i];
    means.push_back(sum / static_cast<double>(end - begin));
  }
  return means;
}

}  // namespace

std::string sparkline(const std::vector<double>& values, std::size_t cells, bool unicode) {
  constexpr std::array kBlocks = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
  constexpr std::array kAscii = {"_", ".", "-", "=", "+", "*", "%", "#"};
  if (values.empty()) return "";
  const std::vector<double> means = means_of_neighbours(values, cells);
  const auto [low, high] = std::ranges::minmax(means);
  std::string line;
  for (const double mean : means) {
    const double height = high > low ? (mean - low) / (high - low) : 0.5;
    const auto level = static_cast<std::size_t>(std::lround(height * static_cast<double>(kBlocks.size() - 1)));
    line += unicode ? kBlocks.at(level) : kAscii.at(level);
  }
  return line;
}

RunView::RunView(RunViewConfig config)
    : config_(std::move(config)),
      screen_(config_.screen),
      ends_({config_.now()}),
      next_draw_(ends_.front()),
      next_line_(ends_.front()),
      step_(config_.done) {}

void RunView::at(std::string phase) {
  phase_ = std::move(phase);
  if (config_.now() >= next_draw_) draw();
}

void RunView::add(const StepMetrics& metrics) {
  count(metrics.step);
  phase_.clear();
  for (const auto& [name, value] : metrics.values) {
    values_[name] = value;
    if (name == config_.curve.metric && std::isfinite(value)) curve_.push_back(value);
  }
  draw();
  const bool last = step_ == config_.steps;
  if (config_.now() < next_line_ && !last) return;
  next_line_ = config_.now() + std::chrono::duration_cast<steady_clock::duration>(duration<double>(config_.line_s));
  const std::string line = plain_line(metrics);
  if (screen_.live()) {
    base::log::note(line);
  } else {
    base::log::info("{}", line);
  }
}

void RunView::count(std::int64_t step) {
  // The first step has the start of everything in it; the recent ones tell what a step takes now.
  if (step == config_.done + 2 || ends_.size() > kRecentSteps) ends_.pop_front();
  if (step == config_.done) ends_.clear();
  ends_.push_back(config_.now());
  step_ = step;
}

std::string RunView::left() const {
  if (ends_.size() < 2) return "";
  const double step_s = duration<double>(ends_.back() - ends_.front()).count() / static_cast<double>(ends_.size() - 1);
  return "  " + base::duration_text(step_s * static_cast<double>(config_.steps - step_)) + " left";
}

std::string RunView::plain_line(const StepMetrics& metrics) const {
  const std::map<std::string, double> values(metrics.values.begin(), metrics.values.end());
  std::string line = fmt::format("step {}/{}", metrics.step, config_.steps);
  for (const ShownRow& row : config_.rows) {
    const std::string text = shown(row, values);
    if (!text.empty()) line += "  " + text;
  }
  return line + left();
}

std::vector<std::string> RunView::screen_lines() const {
  const double share = config_.steps == 0 ? 1.0 : static_cast<double>(step_) / static_cast<double>(config_.steps);
  const int full = static_cast<int>(std::clamp(share, 0.0, 1.0) * kBarCells);
  std::vector<std::string> lines = {fmt::format("{}  step {}/{}  [{:#<{}}{:.<{}}]{}  {}", config_.kind, step_,
                                                config_.steps, "", full, "", kBarCells - full, left(), config_.folder)};
  for (const ShownRow& row : config_.rows) {
    const std::string text = shown(row, values_);
    if (!text.empty()) lines.push_back(labelled(row.label, text));
  }
  if (curve_.size() > 1) {
    lines.push_back(
        labelled(config_.curve.label,
                 fmt::format("{}  {:.{}f} to {:.{}f}", sparkline(curve_, kCurveCells, screen_.terminal().unicode),
                             curve_.front(), config_.curve.decimals, curve_.back(), config_.curve.decimals)));
  }
  lines.push_back(labelled("now", phase_));
  return lines;
}

void RunView::draw() {
  screen_.draw(screen_lines());
  next_draw_ = config_.now() + kRedraw;
}

}  // namespace tritonrl::runlog
