#include "eval/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <ranges>
#include <set>

#include "base/error.h"
#include "base/file.h"
#include "base/json.h"
#include "eval/arm_section.h"
#include "eval/drawing.h"
#include "eval/evaluation_section.h"
#include "eval/line_chart.h"
#include "eval/page/chart.css.h"
#include "eval/page/style.css.h"
#include "eval/sample_section.h"
#include "runlog/metrics_log.h"
#include "runlog/run_folder.h"
#include "runlog/sample_record.h"

namespace tritonrl::eval {
namespace {

namespace fs = std::filesystem;
using base::Json;

struct RunRecords {
  std::string name;
  fs::path folder;
  std::vector<runlog::StepMetrics> steps;
};

constexpr std::size_t kOfLearning = 4;  // of known_charts(): the first. The others are about how it was learned

// What is drawn together, in this order; metrics that are not here get a chart of their own behind these.
struct Chart {
  std::string title;
  std::vector<std::string> metrics = {};
};
const std::vector<Chart>& known_charts() {
  static const std::vector<Chart> charts = {
      {"reward", {"reward/correct", "reward/speedup"}},
      {"share of responses", {"verify/valid", "verify/compiled", "verify/correct", "verify/fast_1"}},
      {"dev tasks", {"dev/pass@1", "dev/pass@2", "dev/pass@4", "dev/pass@8", "dev/pass@16", "dev/valid", "dev/fast_1"}},
      {"loss", {"loss/train", "loss/dev"}},
      {"spread of rewards in a group", {"plan/advantage_spread", "code/advantage_spread"}},
      {"share of groups without spread",
       {"plan/groups_without_spread", "code/groups_without_spread", "groups/without_spread"}},
      {"entropy", {"plan/entropy", "code/entropy"}},
      {"divergence from the start", {"plan/kl", "code/kl"}},
      {"clip fraction", {"plan/clip_fraction", "code/clip_fraction"}},
      {"tokens of a response", {"completions/mean_length", "completions/plan_length"}},
      {"share of responses ",
       {"completions/clipped_ratio", "completions/unique_code", "completions/no_plan", "completions/no_code"}},
      {"plan and code agree", {"completions/plan_code_agreement"}},
      {"seconds of a step", {"time/rollout", "time/verify", "time/update", "time/step"}},
      {"tokens a second", {"perf/tokens_per_s"}},
      {"share of peak", {"perf/mfu"}},
  };
  return charts;
}

std::string name_of(const fs::path& folder) {
  const fs::path own = folder.lexically_normal();
  return (own.filename().empty() ? own.parent_path() : own).filename().string();
}

RunRecords read_run(const fs::path& folder) {
  const fs::path metrics = folder / "metrics.jsonl";
  if (!fs::exists(metrics)) {
    throw base::InputError({.file = folder.string()}, "is no run's folder: it has no metrics.jsonl",
                           "give the folder that run.folder names");
  }
  return {.name = name_of(folder), .folder = folder, .steps = runlog::read_metrics(metrics)};
}

Series series_of(const RunRecords& run, const std::string& metric, std::string name) {
  Series series{.name = std::move(name)};
  for (const auto& step : run.steps) {
    for (const auto& [known, value] : step.values) {
      if (known == metric) series.points.emplace_back(static_cast<double>(step.step), value);
    }
  }
  return series;
}

constexpr const char* kPlanColour = "#7c3aed";  // as in page/chart.css
constexpr const char* kCodeColour = "#2563eb";

std::string chart_of(const std::vector<RunRecords>& runs, const Chart& chart) {
  std::vector<Series> all;
  for (const auto& run : runs) {
    for (const auto& metric : chart.metrics) {
      const std::string short_name = metric.substr(metric.find('/') + 1);
      const std::string group = metric.substr(0, metric.find('/'));
      const std::string own = group == "plan" || group == "code" ? group : short_name;
      Series series = series_of(run, metric, runs.size() == 1 ? own : run.name + " " + own);
      if (runs.size() == 1 && own == "plan") series.colour = kPlanColour;
      if (runs.size() == 1 && own == "code") series.colour = kCodeColour;
      if (!series.points.empty()) all.push_back(std::move(series));
    }
  }
  return line_chart(all, {.title = chart.title});
}

double value_of(const runlog::StepMetrics& step, const std::string& metric) {
  const auto found = std::ranges::find(step.values, metric, [](const auto& value) { return value.first; });
  return found == step.values.end() ? 0.0 : static_cast<double>(found->second);
}

// What became of a step's responses: accepted, or rejected by the commonest rules and all others.
std::string verdict_mix(const RunRecords& run, const std::string& title) {
  constexpr std::size_t kShown = 6;
  std::map<std::string, double> totals;
  for (const auto& step : run.steps) {
    for (const auto& [name, value] : step.values) {
      if (name.starts_with("rule/")) totals[name] += value;
    }
  }
  if (totals.empty()) return "";
  std::vector<std::pair<double, std::string>> rules;
  rules.reserve(totals.size());
  for (const auto& [rule, count] : totals) rules.emplace_back(-count, rule);
  std::ranges::sort(rules);
  rules.resize(std::min(rules.size(), kShown));

  std::vector<Series> shares = {{.name = "accepted"}};
  for (const auto& [count, rule] : rules) shares.push_back({.name = rule.substr(rule.find('/') + 1)});
  if (totals.size() > kShown) shares.push_back({.name = "other rules", .colour = "#9ca3af"});
  for (const auto& step : run.steps) {
    const auto x = static_cast<double>(step.step);
    const double accepted = value_of(step, "verify/correct");
    double rejections = 0;
    for (const auto& [rule, count] : totals) rejections += value_of(step, rule);
    double left = 1 - accepted;
    shares.front().points.emplace_back(x, accepted);
    for (std::size_t n = 0; n < rules.size(); ++n) {
      const double share = rejections == 0 ? 0 : (1 - accepted) * value_of(step, rules[n].second) / rejections;
      shares[n + 1].points.emplace_back(x, share);
      left -= share;
    }
    if (totals.size() > kShown) shares.back().points.emplace_back(x, std::max(0.0, left));
  }
  return line_chart(shares, {.title = title, .piled = true});
}

// The first of the charts that are known, where there is something to draw.
std::vector<std::string> drawings(const std::vector<RunRecords>& runs, std::size_t count) {
  std::vector<std::string> all;
  for (const Chart& chart : known_charts() | std::views::take(count)) {
    all.push_back(chart_of(runs, chart));
    if (chart.title != "share of responses") continue;
    for (const auto& run : runs) {
      all.push_back(verdict_mix(run, runs.size() == 1 ? "verdicts by rule" : "verdicts by rule, " + run.name));
    }
  }
  std::erase(all, "");
  return all;
}

std::string charts(const std::vector<RunRecords>& runs) {
  std::string html;
  for (const std::string& drawing : drawings(runs, known_charts().size())) html += drawing;
  std::set<std::string> drawn = {"time"};
  for (const Chart& chart : known_charts()) drawn.insert(chart.metrics.begin(), chart.metrics.end());
  std::set<std::string> others;
  for (const auto& run : runs) {
    for (const auto& step : run.steps) {
      for (const auto& [name, value] : step.values) {
        if (!name.starts_with("rule/") && !drawn.contains(name)) others.insert(name);
      }
    }
  }
  std::string further;
  for (const auto& name : others) further += chart_of(runs, {.title = name, .metrics = {name}});
  html = "<div class='charts'>" + html + "</div>";
  if (further.empty()) return html;
  return html + "<details><summary>further metrics</summary><div class='charts'>" + further + "</div></details>";
}

double speedup_of(const runlog::SampleRecord& sample) {
  if (!sample.verdict.is_object() || !sample.verdict.value("accepted", false)) return 0;
  const auto speedup = sample.verdict.find("speedup");
  return speedup == sample.verdict.end() || !speedup->is_object() ? 0.0 : speedup->value("value", 0.0);
}

// A few of the first step and of the last; of those the fastest kernel is open.
std::string samples(const RunRecords& run) {
  const auto steps = runlog::sample_steps(run.folder);
  if (steps.empty()) return "";
  std::string html =
      "<h2>Samples of " + html_text(run.name) +
      "</h2><p class='small'>Each opens. <span class='chip plan' style='--w:0.25'>plan</span> and <span "
      "class='chip code' style='--w:0.25'>code</span> have a colour each, the stronger the further their "
      "advantage is from 0.</p>";
  std::vector<std::int64_t> shown = {steps.front()};
  if (steps.size() > 1) shown.push_back(steps.back());
  constexpr std::size_t kShown = 12;
  for (const std::int64_t step : shown) {
    const auto all = runlog::read_samples(runlog::samples_file(run.folder, step));
    html += fmt::format("<h3>Step {}</h3>", step);
    const std::size_t stride = std::max<std::size_t>(1, all.size() / kShown);
    std::vector<const runlog::SampleRecord*> chosen;
    for (std::size_t i = 0; i < all.size() && i < kShown * stride; i += stride) chosen.push_back(&all[i]);
    const auto fastest = std::ranges::max_element(chosen, {}, [](const auto* sample) { return speedup_of(*sample); });
    for (auto one = chosen.begin(); one != chosen.end(); ++one) {
      html += sample_section(**one, {.open = step == shown.back() && one == fastest});
    }
  }
  return html;
}

NamedReport read_evaluation(const fs::path& folder) {
  const base::Place where{.file = (folder / "eval.json").string(), .line = 1};
  return {.name = name_of(folder), .report = base::parse_json(base::read_file(where.file), where), .where = where};
}

// Those given, then those in the runs' eval/ folders.
std::string evaluations(const std::vector<fs::path>& given, const std::vector<RunRecords>& runs) {
  std::vector<NamedReport> reports;
  reports.reserve(given.size());
  for (const auto& folder : given) reports.push_back(read_evaluation(folder));
  for (const RunRecords& run : runs) {
    std::vector<fs::path> folders;
    std::error_code none;
    for (const auto& entry : fs::directory_iterator(run.folder / "eval", none)) {
      if (fs::exists(entry.path() / "eval.json")) folders.push_back(entry.path());
    }
    std::ranges::sort(folders);
    for (const auto& folder : folders) {
      reports.push_back(read_evaluation(folder));
      if (runs.size() > 1) reports.back().name = run.name + " " + reports.back().name;
    }
  }
  const std::string html = evaluation_section(reports);
  return html.empty() ? html : "<h2>Evaluations</h2>" + html;
}

}  // namespace

std::string curves_svg(const std::vector<fs::path>& folders) {
  constexpr std::size_t kColumns = 2;
  const ChartConfig size;
  std::vector<RunRecords> runs;
  std::ranges::transform(folders, std::back_inserter(runs), read_run);
  const auto all = drawings(runs, kOfLearning);
  std::string content;
  for (std::size_t n = 0; n < all.size(); ++n) {
    content += fmt::format("<g class='panel' transform='translate({} {})'>{}</g>",
                           static_cast<std::size_t>(size.width) * (n % kColumns),
                           static_cast<std::size_t>(size.height) * (n / kColumns), all[n]);
  }
  const std::size_t lines = (all.size() + kColumns - 1) / kColumns;
  return svg_file(static_cast<double>(kColumns) * size.width, static_cast<double>(lines) * size.height, content);
}

std::string report_page(const std::vector<fs::path>& folders, const std::vector<fs::path>& evaluated,
                        const std::vector<Arm>& arms) {
  std::vector<RunRecords> runs;
  std::string names;
  for (const auto& folder : folders) {
    runs.push_back(read_run(folder));
    names += (names.empty() ? "" : ", ") + runs.back().name;
  }
  for (const Arm& arm : arms) names += (names.empty() ? "" : ", ") + arm.name;
  std::string html = fmt::format(
      "<!doctype html><html lang='en'><head><meta charset='utf-8'><meta name='viewport' content='width=device-width'>"
      "<title>{}</title><style>{}{}</style></head><body><h1>{}</h1>",
      html_text(names), kChartStyle, kStyle, html_text(names));
  for (const auto& run : runs) {
    html += fmt::format("<p class='small'>{}: {} steps</p>", html_text(run.name),
                        run.steps.empty() ? 0 : run.steps.back().step);
  }
  html += arm_section(arms);
  html += evaluations(evaluated, runs);
  if (!runs.empty()) html += "<h2>Curves</h2>" + charts(runs);
  for (const auto& run : runs) html += samples(run);
  for (const auto& run : runs) {
    if (!fs::exists(run.folder / "config.toml")) continue;
    html += fmt::format("<details><summary>configuration of {}</summary><pre>{}</pre></details>", html_text(run.name),
                        html_text(base::read_file(run.folder / "config.toml")));
  }
  return html + "</body></html>\n";
}

}  // namespace tritonrl::eval
