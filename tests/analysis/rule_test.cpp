#include "analysis/rule.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>

namespace tritonrl::analysis {
namespace {

TEST(Rules, HaveKebabCaseIdsThatDiffer) {
  std::set<std::string_view> ids;
  for (const Rule& each : all_rules()) {
    EXPECT_TRUE(ids.insert(each.id).second) << each.id << " twice";
    EXPECT_FALSE(each.id.empty() || each.id.front() == '-' || each.id.back() == '-') << each.id;
    EXPECT_EQ(each.id.find("--"), std::string_view::npos) << each.id;
    EXPECT_TRUE(std::ranges::all_of(each.id, [](char c) {
      return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-';
    })) << each.id;
  }
  EXPECT_GE(ids.size(), 40U);
}

TEST(Rules, SayWhatTheyMeanInOneClause) {
  std::set<std::string_view> sentences;
  for (const Rule& each : all_rules()) {
    EXPECT_GE(each.sentence.size(), 10U) << each.id;
    EXPECT_NE(each.sentence.back(), '.') << each.id;
    EXPECT_TRUE(sentences.insert(each.sentence).second) << each.id << " says what another says";
  }
}

TEST(Rules, AreFoundById) {
  EXPECT_EQ(rule("torch-compute").layer, Layer::kFunctionality);
  EXPECT_TRUE(rule("torch-compute").needs_entry);
  EXPECT_EQ(rule("syntax-error").layer, Layer::kSyntax);
  EXPECT_FALSE(rule("syntax-error").needs_entry);
}

TEST(RulesDeathTest, AbortForAnIdThatIsNone) { EXPECT_DEATH(rule("no-such-rule"), "there is no such rule"); }

TEST(Rules, HaveAVersionOfTwelveDigits) {
  EXPECT_EQ(rules_version().size(), 12U);
  EXPECT_EQ(rules_version().find_first_not_of("0123456789abcdef"), std::string_view::npos);
}

}  // namespace
}  // namespace tritonrl::analysis
