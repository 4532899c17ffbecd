#include "data/statistics.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "base/error.h"
#include "tests/base/temporary_folder.h"

namespace tritonrl::data {
namespace {

TEST(Statistics, CountLevelsFamiliesVerdictsFaultsAndLengths) {
  const tests::TemporaryFolder folder;
  const auto file = folder.path() / "samples.jsonl";
  std::ofstream(file)
      << R"({"task": "a", "level": 1, "response": "<think>plan it</think>\n```python\nclass ModelNew: pass\n```\n", )"
      << R"("verdict": {"accepted": true}, "provenance": {"family": "softmax", "faults": []}})" << '\n'
      << R"({"task": "b", "level": 2, "response": "no", "verdict": {"accepted": false, "reason": "no-code"}, )"
      << R"("provenance": {"family": "matmul", "faults": ["mask"]}})" << '\n'
      << "garbage\n";
  const Statistics found = count_rows(file, {});
  EXPECT_EQ(found.rows, 2U);
  EXPECT_EQ(found.bad_rows, 1U);
  EXPECT_EQ(found.levels, (Counts{{"1", 1}, {"2", 1}}));
  EXPECT_EQ(found.families, (Counts{{"matmul", 1}, {"softmax", 1}}));
  EXPECT_EQ(found.verdicts, (Counts{{"accepted", 1}, {"no-code", 1}}));
  EXPECT_EQ(found.faults, (Counts{{"mask", 1}, {"none", 1}}));
  EXPECT_EQ(found.lengths.at("response").count(), 2U);
  EXPECT_EQ(found.lengths.at("code").count(), 1U);
  const std::string page = statistics_page(found, "a <title>");
  EXPECT_NE(page.find("a &lt;title>"), std::string::npos);
  EXPECT_NE(page.find("<svg"), std::string::npos);
  EXPECT_EQ(page.find("http"), std::string::npos);
}

TEST(Statistics, OfAFileWithoutRowsAreAnError) {
  const tests::TemporaryFolder folder;
  const auto file = folder.path() / "empty.jsonl";
  std::ofstream(file) << "\n";
  EXPECT_THROW(count_rows(file, {}), base::InputError);
}

TEST(Lengths, HaveQuantilesAndBins) {
  Lengths lengths;
  for (std::size_t n = 1; n <= 100; ++n) lengths.add(n);
  EXPECT_EQ(lengths.quantile(0.5), 51U);
  EXPECT_EQ(lengths.quantile(1), 100U);
  EXPECT_DOUBLE_EQ(lengths.mean(), 50.5);
  std::size_t sum = 0;
  for (const auto& [label, count] : lengths.histogram(12)) sum += count;
  EXPECT_EQ(sum, 100U);
}

}  // namespace
}  // namespace tritonrl::data
