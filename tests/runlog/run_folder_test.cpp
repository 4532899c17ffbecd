#include "runlog/run_folder.h"

#include <gtest/gtest.h>

#include <fstream>

#include "base/error.h"
#include "tests/base/temporary_folder.h"

namespace tritonrl::runlog {
namespace {

TEST(RunFolder, ForgetsWhatCameAfterTheResumedStep) {
  const tests::TemporaryFolder folder;
  const RunFolder run(folder.path() / "a" / "run");
  for (const int step : {1, 2, 3, 1'000'000}) {
    std::ofstream(run.samples(step)) << "{}\n";
    std::filesystem::create_directories(run.checkpoint(step));
  }
  std::filesystem::create_directories(run.checkpoint(2).string() + ".unfinished");
  EXPECT_EQ(run.checkpoints(), (std::vector<std::int64_t>{1, 2, 3, 1'000'000}));
  run.forget_after(2);
  EXPECT_EQ(run.checkpoints(), (std::vector<std::int64_t>{1, 2}));
  EXPECT_EQ(sample_steps(run.path()), (std::vector<std::int64_t>{1, 2}));
  EXPECT_FALSE(std::filesystem::exists(run.checkpoint(2).string() + ".unfinished"));
  EXPECT_EQ(run.samples(1).filename(), "step-000001.jsonl");
}

TEST(RunFolder, BelongsToOneProcessAtATime) {
  const tests::TemporaryFolder folder;
  const RunFolder run(folder.path() / "run");
  EXPECT_THROW(RunFolder(folder.path() / "run"), base::InputError);
}

TEST(RunFolder, RefusesAPlaceThatIsAFile) {
  const tests::TemporaryFolder folder;
  std::ofstream(folder.path() / "run") << "x";
  EXPECT_THROW(RunFolder(folder.path() / "run"), base::InputError);
}

}  // namespace
}  // namespace tritonrl::runlog
