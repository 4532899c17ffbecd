#include "runlog/run_view.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <sstream>

#include "base/file.h"
#include "base/log.h"
#include "tests/base/temporary_folder.h"

namespace tritonrl::runlog {
namespace {

using ::testing::HasSubstr;
using ::testing::MatchesRegex;
using ::testing::Not;

constexpr base::Terminal kTerminal{.interactive = true, .color = false, .unicode = true, .columns = 100};

class RunViewTest : public ::testing::Test {
 protected:
  RunViewTest() { base::log::set_output(out_, {}); }
  ~RunViewTest() override { base::log::reset_output(); }

  RunViewConfig config(const base::Terminal& terminal) {
    return {.kind = "rl",
            .folder = "runs/x",
            .steps = 10,
            .rows = {{"reward", {{.metric = "reward/correct", .label = "code", .decimals = 3}}},
                     {"dev", {{.metric = "dev/pass@1", .label = "pass@1"}}},
                     {"speed", {{.metric = "perf/tokens_per_s", .decimals = 0, .unit = " tokens/s"}}}},
            .curve = {.metric = "reward/correct", .label = "correct"},
            .screen = {.out = &screen_, .terminal = terminal},
            .now = [this] { return now_; }};
  }
  static StepMetrics step(std::int64_t number, double correct) {
    StepMetrics metrics{.step = number};
    metrics.add("reward/correct", correct);
    metrics.add("perf/tokens_per_s", 8412.4);
    return metrics;
  }
  void wait(double seconds) {
    now_ += std::chrono::duration_cast<std::chrono::steady_clock::duration>(std::chrono::duration<double>(seconds));
  }
  std::string taken() {
    std::string text = screen_.str();
    screen_.str("");
    return text;
  }

  std::ostringstream out_;
  std::ostringstream screen_;
  std::chrono::steady_clock::time_point now_;
};

TEST_F(RunViewTest, WritesALineForEachStepWhereNobodyWatches) {
  RunView view(config({}));
  wait(3);
  view.at("responses 1/8");
  view.add(step(1, 0.25));
  EXPECT_THAT(out_.str(), MatchesRegex("[0-9:]+ info step 1/10  code 0.250  8412 tokens/s  27s left\n"));
  EXPECT_EQ(taken(), "");
}

TEST_F(RunViewTest, KnowsTheTimeLeftFromRecentSteps) {
  RunViewConfig long_run = config({});
  long_run.steps = 100;
  RunView view(long_run);
  const auto left_after = [&](int number, double seconds) {
    wait(seconds);
    out_.str("");
    view.add(step(number, 0.5));
    return out_.str();
  };
  EXPECT_THAT(left_after(1, 30), HasSubstr("49m30s left"));
  EXPECT_THAT(left_after(2, 1), HasSubstr("1m38s left")) << "the first step had the start in it";
  for (int number = 3; number <= 40; ++number) left_after(number, 1);
  for (int number = 41; number < 61; ++number) left_after(number, 2);
  EXPECT_THAT(left_after(61, 2), HasSubstr("1m18s left")) << "steps take longer now";
}

TEST_F(RunViewTest, WritesLinesSeldomWhenAskedTo) {
  RunViewConfig seldom = config({});
  seldom.line_s = 30;
  RunView view(seldom);
  for (int number = 1; number <= 10; ++number) {
    wait(10);
    view.add(step(number, 0.5));
  }
  const std::string lines = out_.str();
  EXPECT_EQ(std::ranges::count(lines, '\n'), 4);
  EXPECT_THAT(lines, HasSubstr("step 10/10")) << "the last one always";
}

TEST_F(RunViewTest, DrawsOneScreenInPlace) {
  RunView view(config(kTerminal));
  StepMetrics start;
  start.add("dev/pass@1", 0.125);
  view.add(start);
  wait(4);
  view.add(step(1, 0.25));
  wait(4);
  taken();
  view.add(step(2, 0.75));
  EXPECT_EQ(taken(),
            "\x1b[5A\r\x1b[J"
            "rl  step 2/10  [####....................]  32s left  runs/x\n"
            "reward    code 0.750\n"
            "dev       pass@1 0.12\n"
            "speed     8412 tokens/s\n"
            "correct   ▁█  0.25 to 0.75\n"
            "now       \n");
  EXPECT_EQ(out_.str(), "") << "nothing else at a terminal";
  view.at("responses 3/8");
  EXPECT_EQ(taken(), "") << "too soon to draw again";
  wait(0.2);
  view.at("responses 4/8");
  EXPECT_THAT(taken(), HasSubstr("now       responses 4/8\n"));
}

TEST_F(RunViewTest, HasPlainLinesInTheLogFileInEitherCase) {
  const tests::TemporaryFolder folder;
  const base::log::FileCopy copy(folder.path() / "log.txt");
  RunView view(config(kTerminal));
  view.add(step(1, 0.25));
  EXPECT_THAT(base::read_file(folder.path() / "log.txt"), HasSubstr(" info step 1/10  code 0.250  8412 tokens/s"));
}

TEST_F(RunViewTest, LeavesOutWhatIsNoNumber) {
  RunView view(config({}));
  view.add(step(1, std::nan("")));
  EXPECT_THAT(out_.str(), Not(HasSubstr("code")));
}

TEST(Sparkline, GoesFromLowToHigh) {
  EXPECT_EQ(sparkline({0, 1, 2, 3, 4, 5, 6, 7}, 40, true), "▁▂▃▄▅▆▇█");
  EXPECT_EQ(sparkline({0, 7}, 40, false), "_#");
  EXPECT_EQ(sparkline({1, 1, 9, 9}, 2, true), "▁█");
  EXPECT_EQ(sparkline({3, 3}, 40, true), "▅▅");
  EXPECT_EQ(sparkline({}, 40, true), "");
}

}  // namespace
}  // namespace tritonrl::runlog
