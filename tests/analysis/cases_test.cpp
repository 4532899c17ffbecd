#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "analysis/rule.h"
#include "tests/analysis/case_file.h"

namespace tritonrl::analysis {
namespace {

const std::vector<CaseFile>& cases() {
  static const auto all = all_cases();
  return all;
}

std::string describe(const StaticReport& report) {
  std::string text;
  for (const auto& layer : report.layers) {
    for (const auto& finding : layer.findings) {
      text += "  " + std::to_string(finding.where.line) + ": " +
              (finding.severity == Severity::kReject ? "reject " : "suspect ") + std::string(finding.rule) + ": " +
              finding.message + "\n";
    }
  }
  return text.empty() ? "  nothing was found\n" : text;
}

bool has(const StaticReport& report, std::string_view id, Severity severity) {
  return std::ranges::any_of(report.layers, [&](const LayerReport& layer) {
    return std::ranges::any_of(layer.findings,
                               [&](const Finding& each) { return each.rule == id && each.severity == severity; });
  });
}

class Case : public testing::TestWithParam<std::size_t> {};

TEST_P(Case, GetsTheOutcomeItsHeaderExpects) {
  const CaseFile& file = cases()[GetParam()];
  const StaticReport report = check_case(file);
  if (file.expected_rule.empty()) {
    EXPECT_TRUE(report.accepted()) << file.path << " must be accepted, but:\n" << describe(report);
  } else {
    EXPECT_TRUE(has(report, file.expected_rule, Severity::kReject))
        << file.path << " must be rejected by " << file.expected_rule << ", but:\n"
        << describe(report);
  }
  for (const auto& suspect : file.expected_suspects) {
    EXPECT_TRUE(has(report, suspect, Severity::kSuspect))
        << file.path << " must be suspected by " << suspect << ", but:\n"
        << describe(report);
  }
}

INSTANTIATE_TEST_SUITE_P(All, Case, testing::Range<std::size_t>(0, cases().size()), [](const auto& each) {
  std::string name = cases()[each.param].name() + "_" + std::to_string(each.param);
  std::ranges::replace_if(name, [](char c) { return std::isalnum(static_cast<unsigned char>(c)) == 0; }, '_');
  return name;
});

TEST(CaseCollection, IsLargeEnoughInEveryFolder) {
  std::map<std::string, int> count;
  for (const auto& file : cases()) ++count[file.path.parent_path().filename().string()];
  EXPECT_GE(count["honest"], 60);
  EXPECT_GE(count["wrong"], 40);
  EXPECT_GE(count["cheating"] + count["hostile"], 120);
}

TEST(CaseCollection, HasCaughtSimilarAndDisguisedCasesForEveryRule) {
  std::map<std::string, std::set<std::string>> roles;
  for (const auto& file : cases()) roles[file.rule].insert(file.role);
  roles["source-too-large"] = {"caught", "disguised", "similar"};  // made by a test: nobody wants a megabyte here
  for (const Rule& rule : all_rules()) {
    for (const char* role : {"caught", "similar", "disguised"}) {
      EXPECT_TRUE(roles[std::string(rule.id)].contains(role)) << rule.id << " has no " << role << " case";
    }
  }
}

}  // namespace
}  // namespace tritonrl::analysis
