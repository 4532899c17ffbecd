#include "eval/evaluation_section.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <utility>
#include <vector>

#include "base/error.h"
#include "eval/line_chart.h"

namespace tritonrl::eval {
namespace {

using base::Json;

std::string number(const Json& value) { return value.is_number() ? fmt::format("{:.3f}", value.get<double>()) : "-"; }

std::string gain_number(const Json& value) {
  return value.is_number() ? fmt::format("{:+.3f}", value.get<double>()) : "-";
}

// {"value", "low", "high"} as one cell.
std::string interval_cell(const Json& interval) {
  if (!interval.is_object() || !interval.at("value").is_number()) return "<td>-</td>";
  return fmt::format("<td>{} <span class='small'>{} to {}</span></td>", number(interval.at("value")),
                     number(interval.at("low")), number(interval.at("high")));
}

std::string cell_of(const Json& scores, const std::string& figure) {
  const auto& figures = scores.at("figures");
  return figures.contains(figure) ? interval_cell(figures.at(figure)) : "<td></td>";
}

std::string figures_table(const Json& levels) {
  std::string html = "<table><tr><th></th>";
  for (const auto& [name, scores] : levels.items()) {
    html += fmt::format("<th>{} <span class='small'>{} tasks, {} samples</span></th>", html_text(name),
                        scores.at("tasks").get<std::int64_t>(), scores.at("samples").get<std::int64_t>());
  }
  html += "</tr>";
  for (const auto& [figure, value] : levels.at("all").at("figures").items()) {
    html += fmt::format("<tr><td>{}</td>", html_text(figure));
    for (const auto& [name, scores] : levels.items()) html += cell_of(scores, figure);
    html += "</tr>";
  }
  return html + "</table>";
}

std::string failures_table(const Json& failures) {
  std::vector<std::pair<std::int64_t, std::string>> rules;
  for (const auto& [rule, count] : failures.items()) rules.emplace_back(count.get<std::int64_t>(), rule);
  if (rules.empty()) return "";
  std::ranges::stable_sort(rules, std::greater(), &std::pair<std::int64_t, std::string>::first);
  std::string html = "<p>Rejected, by rule:</p><table>";
  for (const auto& [count, rule] : rules) {
    html += fmt::format("<tr><td>{}</td><td>{}</td></tr>", html_text(rule), count);
  }
  return html + "</table>";
}

std::string choice_table(const Json& choice) {
  constexpr const char* kShown[] = {"valid@1", "correct@1", "fast_1@1", "mean_speedup@1"};
  std::string html = fmt::format("<p>The temperature was chosen on {}:</p><table><tr><th>temperature</th>",
                                 html_text(choice.at("suite").get<std::string>()));
  for (const char* figure : kShown) html += fmt::format("<th>{}</th>", figure);
  html += "</tr>";
  for (const Json& row : choice.at("temperatures")) {
    const double temperature = row.at("temperature").get<double>();
    html += fmt::format("<tr><td>{:g}{}</td>", temperature,
                        temperature == choice.at("chosen").get<double>() ? " <b class='good'>chosen</b>" : "");
    for (const char* figure : kShown) html += cell_of(row, figure);
    html += "</tr>";
  }
  return html + "</table>";
}

std::string gains_table(const Json& against) {
  std::string html = "<p>Gain, paired by task:</p><table>";
  for (const auto& [figure, value] : against.items()) {
    const bool sure = value.at("low").is_number() && value.at("low").get<double>() > 0;
    html += fmt::format(
        "<tr><td>{}</td><td>{} → {}</td><td{}>{}</td><td class='small'>{} to {}</td><td class='small'>{} "
        "tasks</td></tr>",
        html_text(figure), number(value.at("first")), number(value.at("second")), sure ? " class='good'" : "",
        gain_number(value.at("gain")), gain_number(value.at("low")), gain_number(value.at("high")),
        value.value("tasks", std::int64_t{0}));
  }
  return html + "</table>";
}

std::string swaps_text(const Json& swaps) {
  return fmt::format(
      "<p>Where the plan's schedule was replaced by another one, the code followed in {} of {} cases: {} <span "
      "class='small'>{} to {}</span></p>",
      swaps.at("followed").get<std::int64_t>(), swaps.at("cases").get<std::int64_t>(), number(swaps.at("share")),
      number(swaps.at("low")), number(swaps.at("high")));
}

std::string one_evaluation(const std::string& name, const Json& report) {
  std::string title = name;
  if (report.contains("sampling")) {
    title += fmt::format(", temperature {:g}", report.at("sampling").at("temperature").get<double>());
  }
  std::string html = fmt::format("<h3>{}</h3>", html_text(title));
  if (report.contains("against")) html += gains_table(report.at("against"));
  if (report.contains("choice")) html += choice_table(report.at("choice"));
  html += figures_table(report.at("levels"));
  if (report.contains("plan_swaps")) html += swaps_text(report.at("plan_swaps"));
  return html + failures_table(report.at("levels").at("all").at("failures"));
}

}  // namespace

std::string evaluation_section(const std::string& name, const Json& report, const base::Place& where) {
  try {
    if (!report.contains("temperatures")) return one_evaluation(name, report);
    std::string html;
    for (const Json& one : report.at("temperatures")) html += one_evaluation(name, one);
    return html;
  } catch (const Json::exception& error) {
    throw base::InputError(where, fmt::format("is no evaluation: {}", error.what()),
                           "write it again: tritonrl eval --out");
  }
}

}  // namespace tritonrl::eval
