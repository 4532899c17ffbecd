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
using testing::StartsWith;

void write_run(const std::filesystem::path& path) {
  const runlog::RunFolder folder(path);
  runlog::MetricsLog metrics(folder.metrics(), -1);
  for (int step = 1; step <= 20; ++step) {
    metrics.add({.step = step,
                 .values = {{"reward/correct", 0.05 * step},
                            {"verify/correct", 0.25},
                            {"rule/wrong-result", 3},
                            {"rule/no-code", 1},
                            {"my/own", NAN},
                            {"plan/entropy", 1}}});
  }
  runlog::write_samples(folder.samples(1),
                        {{.task = "level1/<3>",
                          .level = 1,
                          .response = "<think>tile</think>\n```python\nclass ModelNew: a < b\n```",
                          .token_ids = {1, 2},
                          .classes = "pc",
                          .advantages = {0.5F, -0.25F},
                          .finish = "stop",
                          .verdict = base::parse_json(R"({"accepted": false, "reason": "wrong-result", "layers": [
            {"name": "syntax", "passed": true, "findings": [], "evidence": {}},
            {"name": "correct", "passed": false, "findings": [{"rule": "wrong-result", "line": 0, "message": "N<4: off by 3"}],
             "evidence": {"trials": [{"sizes": "N=4", "distribution": "as-given", "outcome": "rejected"}],
                          "worst_error_in_spreads": 12.5}}]})",
                                                      {})}});
}

TEST(Report, DrawsWhatWasLearnedAsAFileOfItsOwn) {
  const tests::TemporaryFolder folder;
  write_run(folder.path() / "first");
  const std::string svg = curves_svg({folder.path() / "first"});
  EXPECT_THAT(svg, StartsWith("<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 860 440'"));
  EXPECT_THAT(svg, HasSubstr(">reward</text>"));
  EXPECT_THAT(svg, HasSubstr(">verdicts by rule</text>"));
  EXPECT_THAT(svg, Not(HasSubstr(">entropy</text>"))) << "that is about how";
  EXPECT_THROW(curves_svg({folder.path()}), base::InputError);
}

TEST(Report, ShowsCurvesAndSamplesOfARun) {
  const tests::TemporaryFolder folder;
  write_run(folder.path() / "first");
  const std::string page = report_page({folder.path() / "first"});
  EXPECT_THAT(page, HasSubstr("verdicts by rule"));
  EXPECT_THAT(page, HasSubstr("<title>accepted 7: 0.25</title>"));
  EXPECT_THAT(page, HasSubstr("<title>wrong-result 7: 0.5625</title>")) << "three of four rejections";
  EXPECT_THAT(page, HasSubstr("plan, advantage +0.500"));
  EXPECT_THAT(page, HasSubstr("code, advantage -0.250"));
  EXPECT_THAT(page, HasSubstr("class ModelNew: a &lt; b"));
  EXPECT_THAT(page, HasSubstr("level1/&lt;3&gt;"));
  EXPECT_THAT(page, HasSubstr("<details open><summary>")) << "one sample of the last step is open";
  EXPECT_THAT(page, Not(HasSubstr("my/own"))) << "nothing but gaps is no curve";
}

TEST(Report, ShowsWhatTheVerifierFoundInASample) {
  const tests::TemporaryFolder folder;
  write_run(folder.path() / "first");
  const std::string page = report_page({folder.path() / "first"});
  EXPECT_THAT(page, HasSubstr("<b class='bad'>wrong-result</b>"));
  EXPECT_THAT(page, HasSubstr("plan <b class='good'>+0.500</b>"));
  EXPECT_THAT(page, HasSubstr("code <b class='bad'>-0.250</b>"));
  EXPECT_THAT(page, HasSubstr("<span class='chip good'>✓ syntax</span> <span class='chip bad'>✗ correct</span>"));
  EXPECT_THAT(page, HasSubstr("N&lt;4: off by 3"));
  EXPECT_THAT(page, HasSubstr("1 trials, worst error 12.5 times what rounding explains"));
  EXPECT_THAT(page, HasSubstr("as-given at N=4 rejected"));
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

const char* const kEvaluation = R"({"suite": "test.jsonl", "sampling": {"temperature": 0.6}, "not_judged": 0,
  "choice": {"suite": "dev<1>.jsonl", "samples": 4, "chosen": 0.6, "temperatures": [
    {"temperature": 1.0, "figures": {"correct@1": {"value": 0.25, "low": 0.125, "high": 0.5}}},
    {"temperature": 0.6, "figures": {"correct@1": {"value": 0.75, "low": 0.5, "high": 1}}}]},
  "levels": {"all": {"tasks": 7, "samples": 28, "failures": {"wrong-result": 3, "torch-compute": 9},
                     "figures": {"correct@1": {"value": 0.5, "low": 0.375, "high": 0.625},
                                 "geometric_speedup": {"value": null, "low": null, "high": null}}}},
  "plan_swaps": {"cases": 200, "followed": 187, "share": 0.935, "low": 0.892, "high": 0.961},
  "against": {"correct@1": {"tasks": 7, "first": 0.25, "second": 0.5, "gain": 0.25, "low": 0.0625, "high": 0.375}}})";

TEST(Report, ShowsEvaluationsAndHowTheTemperatureWasChosen) {
  const tests::TemporaryFolder folder;
  write_run(folder.path() / "first");
  std::filesystem::create_directories(folder.path() / "first/eval/test");
  std::filesystem::create_directories(folder.path() / "elsewhere");
  base::write_file_atomically(folder.path() / "first/eval/test/eval.json", kEvaluation);
  base::write_file_atomically(folder.path() / "elsewhere/eval.json",
                              std::string("{\"temperatures\": [") + kEvaluation + "]}");
  for (const std::string& page : {report_page({folder.path() / "first"}),
                                  report_page({folder.path() / "first"}, {folder.path() / "elsewhere/"})}) {
    EXPECT_THAT(page, HasSubstr("test, temperature 0.6"));
    EXPECT_THAT(page, HasSubstr("chosen on dev&lt;1&gt;.jsonl"));
    EXPECT_THAT(page, HasSubstr("<td>0.6 <b class='good'>chosen</b></td>"));
    EXPECT_THAT(page, HasSubstr("25.0 % <span class='small'>12.5 % to 50.0 %</span>"));
    EXPECT_THAT(page, HasSubstr("<div class='large good'>+25.0 points</div><div>25.0 % → 50.0 %</div>"));
    EXPECT_THAT(page, HasSubstr("+6.2 points to +37.5 points, 7 tasks"));
    EXPECT_THAT(page, HasSubstr("followed in 187 of 200 cases, 93.5 %"));
    EXPECT_THAT(page, HasSubstr("<td>torch-compute</td><td>9</td>"));
  }
  EXPECT_THAT(report_page({folder.path() / "first"}, {folder.path() / "elsewhere/"}),
              HasSubstr("<th>elsewhere, temperature 0.6</th><th>test, temperature 0.6</th>"))
      << "side by side";
  EXPECT_THROW(report_page({folder.path() / "first"}, {folder.path() / "nowhere"}), base::InputError);
}

TEST(Report, RefusesAnEvaluationThatIsNone) {
  const tests::TemporaryFolder folder;
  write_run(folder.path() / "first");
  base::write_file_atomically(folder.path() / "eval.json", R"({"levels": {"all": 3}})");
  EXPECT_THROW(report_page({folder.path() / "first"}, {folder.path()}), base::InputError);
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
