#include "tests/analysis/candidate.h"

#include "base/text.h"

namespace tritonrl::tests {
namespace {

std::string indented(std::string_view text) {
  std::string out;
  for (const std::string_view line : base::split(text, '\n')) out += "        " + std::string(line) + "\n";
  return out;
}

std::vector<std::string> rules_of(const analysis::StaticReport& report, analysis::Severity severity) {
  std::vector<std::string> rules;
  for (const auto& layer : report.layers)
    for (const auto& finding : layer.findings)
      if (finding.severity == severity) rules.emplace_back(finding.rule);
  return rules;
}

}  // namespace

std::string candidate(std::string_view forward, std::string_view init, std::string_view top) {
  return std::string(kHeader) + std::string(top) + "class ModelNew(nn.Module):\n    def __init__(self):\n" +
         indented("super().__init__(); " + std::string(init)) + "    def forward(self, x):\n" + indented(forward);
}

std::vector<std::string> rejections(const analysis::StaticReport& report) {
  return rules_of(report, analysis::Severity::kReject);
}

std::vector<std::string> suspicions(const analysis::StaticReport& report) {
  return rules_of(report, analysis::Severity::kSuspect);
}

std::string describe(const analysis::StaticReport& report) {
  std::string text;
  for (const auto& layer : report.layers) {
    text += layer.layer == analysis::Layer::kSyntax ? "syntax" : "functionality";
    text += layer.passed ? ": passed\n" : ": rejected\n";
    for (const auto& finding : layer.findings) {
      text += std::to_string(finding.where.line) + ":" + std::to_string(finding.where.column) + "+" +
              std::to_string(finding.length) + " " +
              (finding.severity == analysis::Severity::kReject ? "reject " : "suspect ") + std::string(finding.rule) +
              ": " + finding.message + "\n";
    }
  }
  return text;
}

}  // namespace tritonrl::tests
