#include "analysis/findings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tritonrl::analysis {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class FindingsTest : public testing::Test {
 protected:
  static pysource::SyntaxTree parse(std::string_view source) {
    return std::get<pysource::SyntaxTree>(pysource::SyntaxTree::parse(source));
  }
  pysource::NodeId statement(std::size_t index) const { return tree_.kid(tree_.root(), index); }

  // "line:column rule!" for a rejection, with ? for a suspicion.
  std::vector<std::string> shown() const {
    std::vector<std::string> lines;
    for (const Finding& each : findings_.in_source_order(tree_)) {
      lines.push_back(std::to_string(each.where.line) + ":" + std::to_string(each.where.column) + " " +
                      std::string(each.rule) + (each.severity == Severity::kReject ? "!" : "?"));
    }
    return lines;
  }

  const pysource::SyntaxTree tree_ = parse("a()\nb(); c()\nd(\n  e)\nä = f()\n");
  Findings findings_;
};

TEST_F(FindingsTest, AreNoneAtFirst) {
  EXPECT_THAT(shown(), IsEmpty());
  EXPECT_FALSE(findings_.has("reflection"));
}

TEST_F(FindingsTest, ComeInSourceOrder) {
  findings_.add("reflection", Severity::kReject, statement(3), "");
  findings_.add("clock-access", Severity::kReject, statement(0), "");
  findings_.add("dynamic-code", Severity::kReject, statement(2), "");
  EXPECT_THAT(shown(), ElementsAre("1:1 clock-access!", "2:6 dynamic-code!", "3:1 reflection!"));
}

TEST_F(FindingsTest, PutRejectionsBeforeSuspicionsOnALine) {
  findings_.add("call-state", Severity::kSuspect, statement(1), "");
  findings_.add("reflection", Severity::kReject, statement(2), "");
  EXPECT_THAT(shown(), ElementsAre("2:6 reflection!", "2:1 call-state?"));
}

TEST_F(FindingsTest, AreOneARuleAndLine) {
  findings_.add("reflection", Severity::kReject, statement(1), "first");
  findings_.add("reflection", Severity::kReject, statement(2), "second");
  findings_.add("reflection", Severity::kReject, statement(1), "again");
  EXPECT_THAT(shown(), ElementsAre("2:1 reflection!"));
  EXPECT_EQ(findings_.in_source_order(tree_)[0].message, "first");
}

TEST_F(FindingsTest, KeepTheGraverOfTwoOnALine) {
  findings_.add("writes-input", Severity::kSuspect, statement(1), "perhaps");
  findings_.add("writes-input", Severity::kReject, statement(2), "certainly");
  EXPECT_THAT(shown(), ElementsAre("2:6 writes-input!"));
  findings_.add("copy-kernel", Severity::kSuspect, statement(0), "perhaps");
  findings_.add("copy-kernel", Severity::kReject, statement(0), "certainly");
  EXPECT_THAT(shown(), ElementsAre("1:1 copy-kernel!", "2:6 writes-input!"));
}

TEST_F(FindingsTest, UnderlineNoMoreThanTheLine) {
  findings_.add("reflection", Severity::kReject, statement(3), "");
  findings_.add("reflection", Severity::kReject, statement(0), "");
  const auto found = findings_.in_source_order(tree_);
  EXPECT_EQ(found[0].length, 3U);
  EXPECT_EQ(found[1].length, 2U) << "d( and not the lines after it";
}

TEST_F(FindingsTest, CountColumnsInCharacters) {
  findings_.add("reflection", Severity::kReject, tree_.kid(statement(4), 1), "");
  EXPECT_THAT(shown(), ElementsAre("5:5 reflection!"));
}

TEST_F(FindingsTest, StandOnTheFirstLineForTheWholeFile) {
  const auto empty = parse("");
  findings_.add("no-kernel", Severity::kReject, empty.root(), "");
  const auto found = findings_.in_source_order(empty);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].where, (base::Position{1, 1}));
  EXPECT_GE(found[0].length, 1U);
}

}  // namespace
}  // namespace tritonrl::analysis
