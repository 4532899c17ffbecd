#include "eval/report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "base/error.h"
#include "base/file.h"
#include "eval/line_chart.h"
#include "runlog/metrics_log.h"
#include "runlog/run_folder.h"
#include "runlog/sample_record.h"
#include "tests/base/temporary_folder.h"

namespace tritonrl::eval {
namespace {

using testing::HasSubstr;
using testing::Not;

void write_run(const std::filesystem::path& path) {
  const runlog::RunFolder folder(path);
  runlog::MetricsLog metrics(folder.metrics(), -1);
  for (int step = 1; step <= 20; ++step) {
    metrics.add(
        {.step = step,
         .values = {{"reward/correct", 0.05 * step}, {"rule/wrong-result", 3}, {"my/own", NAN}, {"plan/entropy", 1}}});
  }
  runlog::write_samples(
      folder.samples(1),
      {{.task = "level1/<3>",
        .level = 1,
        .response = "<think>tile</think>\n```python\nclass ModelNew: a < b\n```",
        .token_ids = {1, 2},
        .classes = "pc",
        .advantages = {0.5F, -0.25F},
        .finish = "stop",
        .verdict = {{"accepted", false}, {"reason", "wrong-result"}, {"layers", base::Json::array()}}}});
}

TEST(Report, ShowsCurvesAndSamplesOfARun) {
  const tests::TemporaryFolder folder;
  write_run(folder.path() / "first");
  const std::string page = report_page({folder.path() / "first"});
  EXPECT_THAT(page, HasSubstr("rejections by rule"));
  EXPECT_THAT(page, HasSubstr("plan, advantage +0.500"));
  EXPECT_THAT(page, HasSubstr("code, advantage -0.250"));
  EXPECT_THAT(page, HasSubstr("class ModelNew: a &lt; b"));
  EXPECT_THAT(page, HasSubstr("level1/&lt;3&gt;"));
  EXPECT_THAT(page, Not(HasSubstr("my/own"))) << "nothing but gaps is no curve";
}

TEST(Report, LoadsNothingFromElsewhere) {
  const tests::TemporaryFolder folder;
  write_run(folder.path() / "first");
  const std::string page = report_page({folder.path() / "first"});
  for (const char* reference : {"http://", "https://", "src=", "@import", "url("})
    EXPECT_THAT(page, Not(HasSubstr(reference)));
}

TEST(Report, ComparesRuns) {
  const tests::TemporaryFolder folder;
  write_run(folder.path() / "first");
  write_run(folder.path() / "second");
  EXPECT_THAT(report_page({folder.path() / "first", folder.path() / "second"}), HasSubstr("second correct"));
}

TEST(Report, RefusesWhatIsNoRun) {
  const tests::TemporaryFolder folder;
  EXPECT_THROW(report_page({folder.path()}), base::InputError);
}

TEST(LineChart, OfOnePointOrNoneIsDrawnOrNot) {
  EXPECT_THAT(line_chart({{.name = "a", .points = {{1, 2}}}}, {.title = "t"}), HasSubstr("<path"));
  EXPECT_EQ(line_chart({{.name = "a", .points = {{1, NAN}}}}, {.title = "t"}), "");
}

}  // namespace
}  // namespace tritonrl::eval
