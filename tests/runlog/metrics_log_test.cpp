#include "runlog/metrics_log.h"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <limits>
#include <string>

#include "base/error.h"
#include "base/file.h"
#include "tests/base/temporary_folder.h"

namespace tritonrl::runlog {
namespace {

StepMetrics reward(std::int64_t step, double value) { return {.step = step, .values = {{"reward/mean", value}}}; }

std::vector<std::int64_t> steps_of(const std::filesystem::path& path) {
  std::vector<std::int64_t> steps;
  for (const auto& metrics : read_metrics(path)) steps.push_back(metrics.step);
  return steps;
}

TEST(MetricsLog, ReadsBackWhatWasAdded) {
  const tests::TemporaryFolder folder;
  const auto path = folder.path() / "metrics.jsonl";
  MetricsLog log(path, -1);
  log.add(reward(1, 0.1));
  log.add(reward(2, std::numeric_limits<double>::quiet_NaN()));
  log.sync();
  const auto read = read_metrics(path);
  ASSERT_EQ(read.size(), 2U);
  EXPECT_EQ(read[0].values.back(), (std::pair<std::string, double>("reward/mean", 0.1)));
  EXPECT_TRUE(std::isnan(read[1].values.back().second));
}

TEST(MetricsLog, GoesOnAfterTheResumedStep) {
  const tests::TemporaryFolder folder;
  const auto path = folder.path() / "metrics.jsonl";
  {
    MetricsLog log(path, -1);
    for (int step = 1; step <= 5; ++step) log.add(reward(step, step));
  }
  std::ofstream(path, std::ios::app) << R"({"step": 6, "rew)";
  MetricsLog log(path, 3);
  EXPECT_EQ(steps_of(path), (std::vector<std::int64_t>{1, 2, 3}));
  log.add(reward(4, 44));
  EXPECT_EQ(steps_of(path), (std::vector<std::int64_t>{1, 2, 3, 4}));
}

TEST(MetricsLog, CutsATornLastLine) {
  const tests::TemporaryFolder folder;
  const auto path = folder.path() / "metrics.jsonl";
  std::ofstream(path) << "{\"step\": 1, \"a\": 2}\n{\"step\": 2, \"a\": ";
  EXPECT_EQ(steps_of(path), (std::vector<std::int64_t>{1}));
  const MetricsLog log(path, 2);
  EXPECT_EQ(base::read_file(path), "{\"step\": 1, \"a\": 2}\n");
}

TEST(MetricsLog, RefusesAFileOfSomethingElse) {
  const tests::TemporaryFolder folder;
  const auto path = folder.path() / "metrics.jsonl";
  std::ofstream(path) << "{\"loss\": 1}\n";
  EXPECT_THROW(MetricsLog(path, 1), base::InputError);
}

}  // namespace
}  // namespace tritonrl::runlog
