#pragma once

#include <algorithm>
#include <string>
#include <string_view>

#include "analysis/response.h"
#include "analysis/static_check.h"
#include "base/text.h"

namespace tritonrl::tests {

// What holds for every report on every text, or the sentence that does not; empty if all do.
inline std::string broken_invariant(const analysis::StaticReport& report, std::string_view text,
                                    const analysis::CheckOptions& options) {
  using analysis::Severity;
  if (report.layers.empty() || report.layers.size() > 2) return "a report has one or two layers";
  if (report.layers[0].layer != analysis::Layer::kSyntax) return "the first layer is syntax";
  if (report.accepted() != (report.reason() == nullptr)) return "accepted means that there is no reason against it";
  if (report.accepted() && report.layers.size() != 2) return "what is accepted went through every layer";
  const base::LineIndex lines(text);
  for (std::size_t i = 0; i < report.layers.size(); ++i) {
    const auto& layer = report.layers[i];
    const bool rejects =
        std::ranges::any_of(layer.findings, [](const auto& each) { return each.severity == Severity::kReject; });
    if (layer.passed == rejects) return "a layer passes when it has no rejection";
    if (!layer.passed && i + 1 != report.layers.size()) return "layers stop at the first that rejects";
    std::size_t line_before = 1;
    for (const auto& finding : layer.findings) {
      const analysis::Rule& rule = analysis::rule(finding.rule);
      const std::string what = " (" + std::string(finding.rule) + ": " + finding.message + ")";
      if (rule.layer != layer.layer) return "a rule speaks in its own layer" + what;
      if (rule.needs_entry && !options.entry) return "without an entry, no rule that needs one" + what;
      if (finding.message.empty() || !base::is_valid_utf8(finding.message)) return "a message is text" + what;
      if (finding.where.line < line_before) return "findings come in source order" + what;
      line_before = finding.where.line;
      if (finding.where.line > lines.line_count()) return "a finding stands on a line of the text" + what;
      const std::string_view line = lines.line_text(finding.where.line);
      const auto characters = static_cast<std::size_t>(
          std::ranges::count_if(line, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
      // One past the line, and one more for a carriage return, which belongs to its end.
      if (finding.where.column < 1 || finding.where.column > characters + 2)
        return "a finding stands inside its line" + what;
      if (finding.length < 1 || finding.length > line.size() + 2) return "a finding underlines its own line" + what;
    }
  }
  return {};
}

// The same for a response's parts.
inline std::string broken_invariant(const analysis::Response& response, std::string_view text) {
  if (response.plan.begin != 0 || response.plan.end > text.size()) return "the plan begins the text";
  if (!response.code) return {};
  if (response.code->begin < response.plan.end) return "the code follows the plan";
  if (response.code->begin > response.code->end || response.code->end > text.size())
    return "the code lies inside the text";
  if (response.blocks == 0) return "code stands in a block";
  return {};
}

}  // namespace tritonrl::tests
