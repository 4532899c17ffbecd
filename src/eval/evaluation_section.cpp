#include "eval/evaluation_section.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "base/error.h"
#include "eval/line_chart.h"

namespace tritonrl::eval {
namespace {

using base::Json;

bool is_share(const std::string& figure) { return figure.find("speedup") == std::string::npos; }

std::string figure_text(const std::string& figure, const Json& value) {
  if (!value.is_number()) return "-";
  return is_share(figure) ? fmt::format("{:.1f} %", 100 * value.get<double>())
                          : fmt::format("{:.3f}", value.get<double>());
}

// A difference: points of shares, a factor of the geometric mean, else as it is.
std::string gain_text(const std::string& figure, const Json& value) {
  if (!value.is_number()) return "-";
  if (figure == "geometric_speedup") return fmt::format("×{:.3f}", std::exp(value.get<double>()));
  return is_share(figure) ? fmt::format("{:+.1f} points", 100 * value.get<double>())
                          : fmt::format("{:+.3f}", value.get<double>());
}

std::string interval_text(const std::string& figure, const Json& value, const auto& text) {
  return fmt::format("{} to {}", text(figure, value.at("low")), text(figure, value.at("high")));
}

std::string cell(const Json& scores, const std::string& figure) {
  const Json& figures = scores.at("figures");
  const auto found = figures.find(figure);
  if (found == figures.end()) return "<td></td>";
  if (!found->at("value").is_number()) return "<td>-</td>";
  return fmt::format("<td>{} <span class='small'>{}</span></td>", figure_text(figure, found->at("value")),
                     interval_text(figure, *found, figure_text));
}

// The figures of all, in the order of the first that has them.
std::vector<std::string> figure_names(const std::vector<const Json*>& scores) {
  std::vector<std::string> names;
  for (const Json* one : scores) {
    for (const auto& [name, value] : one->at("figures").items()) {
      if (std::ranges::find(names, name) == names.end()) names.push_back(name);
    }
  }
  return names;
}

// Of one of the "levels" or "slices".
std::string figures_table(const std::vector<NamedReport>& reports, const char* kind, const std::string& part) {
  std::vector<const Json*> scores;
  std::string head;
  for (const NamedReport& one : reports) {
    const auto parts = one.report.find(kind);
    if (parts == one.report.end() || !parts->contains(part)) continue;
    scores.push_back(&parts->at(part));
    head +=
        fmt::format("<th>{}<br><span class='small'>{} tasks, {} samples</span></th>", html_text(one.name),
                    scores.back()->at("tasks").get<std::int64_t>(), scores.back()->at("samples").get<std::int64_t>());
  }
  std::string html = "<table><tr><th></th>" + head + "</tr>";
  for (const std::string& figure : figure_names(scores)) {
    html += fmt::format("<tr><td>{}</td>", html_text(figure));
    for (const Json* one : scores) html += cell(*one, figure);
    html += "</tr>";
  }
  return html + "</table>";
}

std::string part_tables(const std::vector<NamedReport>& reports, const char* kind) {
  std::set<std::string> parts;
  for (const NamedReport& one : reports) {
    if (!one.report.contains(kind)) continue;
    for (const auto& [part, scores] : one.report.at(kind).items()) parts.insert(part);
  }
  parts.erase("all");
  std::string html;
  for (const std::string& part : parts) {
    html +=
        fmt::format("<details><summary>{}</summary>{}</details>", html_text(part), figures_table(reports, kind, part));
  }
  return html;
}

std::string failures_table(const std::vector<NamedReport>& reports) {
  std::map<std::string, std::int64_t> totals;
  std::string head;
  for (const NamedReport& one : reports) {
    head += fmt::format("<th>{}</th>", html_text(one.name));
    for (const auto& [rule, count] : one.report.at("levels").at("all").at("failures").items()) {
      totals[rule] += count.get<std::int64_t>();
    }
  }
  if (totals.empty()) return "";
  std::vector<std::pair<std::string, std::int64_t>> rules(totals.begin(), totals.end());
  std::ranges::stable_sort(rules, std::greater(), &std::pair<std::string, std::int64_t>::second);
  std::string html = "<h3>Rejected, by rule</h3><table><tr><th></th>" + head + "</tr>";
  for (const auto& [rule, total] : rules) {
    html += fmt::format("<tr><td>{}</td>", html_text(rule));
    for (const NamedReport& one : reports) {
      html += fmt::format("<td>{}</td>", one.report.at("levels").at("all").at("failures").value(rule, std::int64_t{0}));
    }
    html += "</tr>";
  }
  return html + "</table>";
}

std::string choice_table(const NamedReport& one) {
  if (!one.report.contains("choice")) return "";
  const Json& choice = one.report.at("choice");
  constexpr const char* kShown[] = {"valid@1", "correct@1", "fast_1@1", "mean_speedup@1"};
  std::string html = fmt::format("<h3>{}: the temperature was chosen on {}</h3><table><tr><th>temperature</th>",
                                 html_text(one.name), html_text(choice.at("suite").get<std::string>()));
  for (const char* figure : kShown) html += fmt::format("<th>{}</th>", figure);
  html += "</tr>";
  for (const Json& row : choice.at("temperatures")) {
    const double temperature = row.at("temperature").get<double>();
    html += fmt::format("<tr><td>{:g}{}</td>", temperature,
                        temperature == choice.at("chosen").get<double>() ? " <b class='good'>chosen</b>" : "");
    for (const char* figure : kShown) html += cell(row, figure);
    html += "</tr>";
  }
  return html + "</table>";
}

std::string swaps_text(const NamedReport& one) {
  if (!one.report.contains("plan_swaps")) return "";
  const Json& swaps = one.report.at("plan_swaps");
  return fmt::format(
      "<p><b>{}</b>: where the plan's schedule was replaced by another one, the code followed in {} of {} cases, {} "
      "<span class='small'>{}</span></p>",
      html_text(one.name), swaps.at("followed").get<std::int64_t>(), swaps.at("cases").get<std::int64_t>(),
      figure_text("share", swaps.at("share")), interval_text("share", swaps, figure_text));
}

std::string gain_card(const std::string& figure, const Json& value) {
  const bool sure = value.at("low").is_number() && value.at("low").get<double>() > 0;
  return fmt::format(
      "<div class='card'><div class='small'>{}</div><div class='large {}'>{}</div><div>{} → {}</div>"
      "<div class='small'>{}, {} tasks</div></div>",
      html_text(figure), sure ? "good" : "", gain_text(figure, value.at("gain")),
      figure_text(figure, value.at("first")), figure_text(figure, value.at("second")),
      interval_text(figure, value, gain_text), value.value("tasks", std::int64_t{0}));
}

// What most want to know in large, all of it below.
std::string gains(const NamedReport& one) {
  if (!one.report.contains("against")) return "";
  const Json& against = one.report.at("against");
  std::string cards;
  std::string rows;
  for (const auto& [figure, value] : against.items()) {
    const std::string kind = figure.substr(0, figure.find('@'));
    const bool large = kind == "correct" || kind == "fast_1" || kind == "mean_speedup" || kind == "share_of_best";
    if (large && (figure == kind || figure.ends_with("@1"))) cards += gain_card(figure, value);
    rows += fmt::format(
        "<tr><td>{}</td><td>{} → {}</td><td>{}</td><td class='small'>{}</td><td class='small'>{} tasks</td></tr>",
        html_text(figure), figure_text(figure, value.at("first")), figure_text(figure, value.at("second")),
        gain_text(figure, value.at("gain")), interval_text(figure, value, gain_text),
        value.value("tasks", std::int64_t{0}));
  }
  return fmt::format(
      "<h3>{}: the gain, paired by task, with 95 % intervals</h3><div class='cards'>{}</div>"
      "<details><summary>all figures</summary><table>{}</table></details>",
      html_text(one.name), cards, rows);
}

// One for each temperature.
std::vector<NamedReport> taken_apart(const NamedReport& one) {
  std::vector<NamedReport> apart;
  const auto add = [&](const Json& report) {
    std::string name = one.name;
    if (report.contains("sampling")) {
      name += fmt::format(", temperature {:g}", report.at("sampling").at("temperature").get<double>());
    }
    apart.push_back({.name = std::move(name), .report = report, .where = one.where});
  };
  if (one.report.contains("temperatures")) {
    for (const Json& report : one.report.at("temperatures")) add(report);
  } else {
    add(one.report);
  }
  return apart;
}

std::string side_by_side(const std::vector<NamedReport>& reports) {
  std::string html;
  for (const NamedReport& one : reports) html += gains(one);
  html += "<h3>All tasks</h3>" + figures_table(reports, "levels", "all") + part_tables(reports, "levels") +
          part_tables(reports, "slices") + failures_table(reports);
  for (const NamedReport& one : reports) html += swaps_text(one);
  for (const NamedReport& one : reports) html += choice_table(one);
  return html;
}

}  // namespace

std::string evaluation_section(const std::vector<NamedReport>& reports) {
  std::vector<NamedReport> all;
  for (const NamedReport& one : reports) {
    try {
      const auto apart = taken_apart(one);
      side_by_side(apart);
      all.insert(all.end(), apart.begin(), apart.end());
    } catch (const Json::exception& error) {
      throw base::InputError(one.where, fmt::format("is no evaluation: {}", error.what()),
                             "write it again: tritonrl eval --out");
    }
  }
  return all.empty() ? "" : side_by_side(all);
}

}  // namespace tritonrl::eval
