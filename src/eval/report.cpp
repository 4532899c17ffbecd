#include "eval/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "analysis/response.h"
#include "base/error.h"
#include "base/file.h"
#include "base/json.h"
#include "eval/evaluation_section.h"
#include "eval/line_chart.h"
#include "eval/page/style.css.h"
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

// What is drawn together, in this order; metrics that are not here get a chart of their own behind these.
struct Chart {
  std::string title;
  std::vector<std::string> metrics = {};
};
const std::vector<Chart>& known_charts() {
  static const std::vector<Chart> charts = {
      {"reward", {"reward/correct", "reward/speedup"}},
      {"share of responses", {"verify/valid", "verify/compiled", "verify/correct", "verify/fast_1"}},
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

std::string chart_of(const std::vector<RunRecords>& runs, const Chart& chart) {
  std::vector<Series> all;
  for (const auto& run : runs) {
    for (const auto& metric : chart.metrics) {
      const std::string short_name = metric.substr(metric.find('/') + 1);
      const std::string group = metric.substr(0, metric.find('/'));
      const std::string own = group == "plan" || group == "code" ? group : short_name;
      Series series = series_of(run, metric, runs.size() == 1 ? own : run.name + " " + own);
      if (!series.points.empty()) all.push_back(std::move(series));
    }
  }
  return line_chart(all, {.title = chart.title});
}

std::string charts(const std::vector<RunRecords>& runs) {
  std::set<std::string> drawn = {"time"};
  std::string html;
  for (const Chart& chart : known_charts()) {
    html += chart_of(runs, chart);
    drawn.insert(chart.metrics.begin(), chart.metrics.end());
  }
  std::set<std::string> others;
  Chart rules{.title = "rejections by rule, a step"};
  std::map<std::string, double> totals;
  for (const auto& run : runs) {
    for (const auto& step : run.steps) {
      for (const auto& [name, value] : step.values) {
        if (name.starts_with("rule/")) {
          totals[name] += value;
        } else if (!drawn.contains(name)) {
          others.insert(name);
        }
      }
    }
  }
  std::vector<std::pair<double, std::string>> order;
  for (const auto& [rule, count] : totals) order.emplace_back(-count, rule);
  std::ranges::sort(order);
  for (std::size_t i = 0; i < std::min<std::size_t>(order.size(), 6); ++i) rules.metrics.push_back(order[i].second);
  html += chart_of(runs, rules);
  for (const auto& name : others) html += chart_of(runs, {.title = name, .metrics = {name}});
  return "<div class='charts'>" + html + "</div>";
}

// The response with plan and code apart, the stronger the further their advantages are from 0.
std::string coloured(const runlog::SampleRecord& sample) {
  const auto split = analysis::split_response(sample.response, "ModelNew");
  const auto advantage = [&](char token_class) {
    const std::size_t place = sample.classes.find(token_class);
    return place < sample.advantages.size() ? static_cast<double>(sample.advantages[place]) : 0.0;
  };
  const auto part = [](const char* name, std::string_view text, double value) {
    return fmt::format("<span class='{}' style='--w:{:.2f}' title='{}, advantage {:+.3f}'>{}</span>", name,
                       0.06 + 0.3 * std::min(std::abs(value), 1.0), name, value, html_text(text));
  };
  const std::string_view text = sample.response;
  return part("plan", split.plan.of(text), advantage('p')) + part("code", text.substr(split.plan.end), advantage('c'));
}

std::string evidence(const Json& verdict) {
  std::string html;
  if (!verdict.is_object() || !verdict.contains("layers")) return html;
  for (const Json& layer : verdict.at("layers")) {
    if (!layer.contains("findings")) continue;
    for (const Json& finding : layer.at("findings")) {
      html += fmt::format("<div class='small'>{} line {}: {} <i>{}</i></div>", html_text(layer.value("name", "")),
                          finding.value("line", 0), html_text(finding.value("message", "")),
                          html_text(finding.value("rule", "")));
    }
  }
  return html;
}

std::string sample_html(const runlog::SampleRecord& sample) {
  const bool accepted = sample.verdict.is_object() && sample.verdict.value("accepted", false);
  const Json reason = sample.verdict.is_object() ? sample.verdict.value("reason", Json()) : Json();
  const std::string verdict =
      accepted ? fmt::format("<b class='good'>accepted</b>, {:.2f}x", sample.reward_speedup)
               : fmt::format("<b class='bad'>{}</b>", reason.is_string() ? reason.get<std::string>() : "rejected");
  return fmt::format("<details><summary>{} #{}: {}</summary>{}<pre>{}</pre></details>", html_text(sample.task),
                     sample.sample, verdict, evidence(sample.verdict), coloured(sample));
}

// A few of the first step and of the last.
std::string samples(const RunRecords& run) {
  const auto steps = runlog::sample_steps(run.folder);
  if (steps.empty()) return "";
  std::string html = "<h2>Samples of " + html_text(run.name) +
                     "</h2><p class='small'>Plan and code have a colour each, the "
                     "stronger the further the advantage is from 0.</p>";
  std::vector<std::int64_t> shown = {steps.front()};
  if (steps.size() > 1) shown.push_back(steps.back());
  constexpr std::size_t kShown = 12;
  for (const std::int64_t step : shown) {
    const auto all = runlog::read_samples(runlog::samples_file(run.folder, step));
    html += fmt::format("<h3>Step {}</h3>", step);
    const std::size_t stride = std::max<std::size_t>(1, all.size() / kShown);
    for (std::size_t i = 0; i < all.size() && i < kShown * stride; i += stride) html += sample_html(all[i]);
  }
  return html;
}

std::string evaluation(const fs::path& folder) {
  const fs::path file = folder / "eval.json";
  const base::Place where{.file = file.string(), .line = 1};
  return evaluation_section(name_of(folder), base::parse_json(base::read_file(file), where), where);
}

// Of the folders under eval/.
std::string evaluations_of(const RunRecords& run) {
  std::error_code none;
  std::vector<fs::path> folders;
  for (const auto& entry : fs::directory_iterator(run.folder / "eval", none)) {
    if (fs::exists(entry.path() / "eval.json")) folders.push_back(entry.path());
  }
  std::ranges::sort(folders);
  std::string html;
  for (const auto& folder : folders) html += evaluation(folder);
  return html.empty() ? html : "<h2>Evaluations of " + html_text(run.name) + "</h2>" + html;
}

}  // namespace

std::string report_page(const std::vector<fs::path>& folders, const std::vector<fs::path>& evaluations) {
  std::vector<RunRecords> runs;
  std::string names;
  for (const auto& folder : folders) {
    runs.push_back(read_run(folder));
    names += (names.empty() ? "" : ", ") + runs.back().name;
  }
  std::string html = fmt::format(
      "<!doctype html><html lang='en'><head><meta charset='utf-8'><meta name='viewport' content='width=device-width'>"
      "<title>{}</title><style>{}</style></head><body><h1>{}</h1>",
      html_text(names), kStyle, html_text(names));
  if (!evaluations.empty()) html += "<h2>Evaluations</h2>";
  for (const auto& folder : evaluations) html += evaluation(folder);
  for (const auto& run : runs) {
    html += fmt::format("<p class='small'>{}: {} steps</p>", html_text(run.name),
                        run.steps.empty() ? 0 : run.steps.back().step);
    html += evaluations_of(run);
  }
  html += "<h2>Curves</h2>" + charts(runs);
  for (const auto& run : runs) html += samples(run);
  for (const auto& run : runs) {
    if (!fs::exists(run.folder / "config.toml")) continue;
    html += fmt::format("<details><summary>configuration of {}</summary><pre>{}</pre></details>", html_text(run.name),
                        html_text(base::read_file(run.folder / "config.toml")));
  }
  return html + "</body></html>\n";
}

}  // namespace tritonrl::eval
