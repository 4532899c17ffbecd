#include "eval/sample_section.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "analysis/response.h"
#include "base/json.h"
#include "eval/line_chart.h"

namespace tritonrl::eval {
namespace {

using base::Json;

// Of the first token of a class: a response has one advantage for each.
std::optional<double> advantage_of(const runlog::SampleRecord& sample, char token_class) {
  const std::size_t place = sample.classes.find(token_class);
  if (place >= sample.advantages.size()) return std::nullopt;
  return static_cast<double>(sample.advantages[place]);
}

std::string chip(std::string_view name, std::optional<double> advantage) {
  if (!advantage) return "";
  const char* sign = *advantage > 0 ? "good" : *advantage < 0 ? "bad" : "small";
  return fmt::format("<span class='chip {}' style='--w:0.25'>{} <b class='{}'>{:+.3f}</b></span> ", name, name, sign,
                     *advantage);
}

// The stronger the further the advantage is from 0.
std::string part(std::string_view name, std::string_view text, std::optional<double> advantage) {
  const double value = advantage.value_or(0);
  return fmt::format("<span class='{}' style='--w:{:.2f}' title='{}, advantage {:+.3f}'>{}</span>", name,
                     0.06 + 0.3 * std::min(std::abs(value), 1.0), name, value, html_text(text));
}

std::string layer_chips(const Json& layers) {
  std::string html;
  for (const Json& layer : layers) {
    const bool passed = layer.value("passed", false);
    html += fmt::format("<span class='chip {}'>{} {}</span> ", passed ? "good" : "bad", passed ? "✓" : "✗",
                        html_text(layer.value("name", "")));
  }
  return html;
}

std::string findings(const Json& layers) {
  std::string html;
  for (const Json& layer : layers) {
    if (!layer.contains("findings")) continue;
    for (const Json& finding : layer.at("findings")) {
      const auto line = finding.value("line", 0);
      html += fmt::format("<div class='small'><b class='bad'>{}</b> {}{}</div>", html_text(finding.value("rule", "")),
                          line > 0 ? fmt::format("line {}: ", line) : "", html_text(finding.value("message", "")));
    }
  }
  return html;
}

// What was run, and how near the results were.
std::string trials(const Json& layers) {
  for (const Json& layer : layers) {
    const auto evidence = layer.find("evidence");
    if (layer.value("name", "") != "correct" || evidence == layer.end() || !evidence->contains("trials")) continue;
    std::string html;
    for (const Json& trial : evidence->at("trials")) {
      html += fmt::format("{}{} at {} {}", html.empty() ? "" : "; ", html_text(trial.value("distribution", "")),
                          html_text(trial.value("sizes", "")), html_text(trial.value("outcome", "")));
    }
    return fmt::format(
        "<details class='inner'><summary class='small'>{} trials, worst error {:.3g} times what rounding explains"
        "</summary><div class='small'>{}</div></details>",
        evidence->at("trials").size(), evidence->value("worst_error_in_spreads", 0.0), html);
  }
  return "";
}

std::string speed(const Json& verdict) {
  const auto found = verdict.find("speedup");
  if (found == verdict.end() || !found->is_object()) return "";
  return fmt::format("<div class='small'>{:.2f}x, {}: {:.4g} µs in PyTorch, {:.4g} µs here</div>",
                     found->value("value", 0.0), html_text(found->value("kind", "")), found->value("reference_us", 0.0),
                     found->value("candidate_us", 0.0));
}

std::string outcome(const runlog::SampleRecord& sample) {
  const Json& verdict = sample.verdict;
  if (!verdict.is_object()) return "not judged";
  if (verdict.value("accepted", false)) {
    const auto speedup = verdict.find("speedup");
    const bool known = speedup != verdict.end() && speedup->is_object();
    return fmt::format("<b class='good'>accepted{}</b>",
                       known ? fmt::format(", {:.2f}x", speedup->value("value", 0.0)) : "");
  }
  const Json reason = verdict.value("reason", Json());
  return fmt::format("<b class='bad'>{}</b>", reason.is_string() ? html_text(reason.get<std::string>()) : "rejected");
}

}  // namespace

std::string sample_section(const runlog::SampleRecord& sample, const SampleView& view) {
  const auto plan = advantage_of(sample, 'p');
  const auto code = advantage_of(sample, 'c');
  std::string html =
      fmt::format("<details{}><summary>{} #{} {} {}{}</summary>", view.open ? " open" : "", html_text(sample.task),
                  sample.sample, outcome(sample), chip("plan", plan), chip("code", code));
  if (sample.verdict.is_object() && sample.verdict.contains("layers")) {
    const Json& layers = sample.verdict.at("layers");
    html += "<p>" + layer_chips(layers) + "</p>" + findings(layers) + trials(layers) + speed(sample.verdict);
  }
  if (!sample.prompt.empty()) {
    html += fmt::format("<details class='inner'><summary class='small'>what was asked</summary><pre>{}</pre></details>",
                        html_text(sample.prompt));
  }
  const auto split = analysis::split_response(sample.response, "ModelNew");
  const std::string_view text = sample.response;
  return html + "<pre>" + part("plan", split.plan.of(text), plan) + part("code", text.substr(split.plan.end), code) +
         "</pre></details>";
}

}  // namespace tritonrl::eval
