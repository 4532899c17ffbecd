#include "recipe/stage_runner.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <latch>
#include <mutex>

#include "tests/base/temporary_folder.h"

namespace tritonrl::recipe {
namespace {

using testing::ElementsAre;

class StageRunner : public testing::Test {
 protected:
  int run(const Recipe& recipe) {
    ran_.clear();
    return run_stages(recipe, {.run =
                                   [&](const std::vector<std::string>& arguments, const std::filesystem::path&) {
                                     ran_.push_back(arguments.front());
                                     return arguments.front() == failing_ ? 3 : 0;
                                   },
                               .stopped = [&] { return stopped_; },
                               .say = [](const std::string&) {},
                               .version = version_});
  }

  Recipe recipe(const std::string& second_config = "a = 1\n") const {
    return {.folder = folder_.path() / "run",
            .stages = {{.name = "data", .arguments = {"data"}, .config = ""},
                       {.name = "sft", .arguments = {"sft"}, .config = second_config, .after = {0}},
                       {.name = "rl", .arguments = {"rl"}, .config = "", .after = {0, 1}}}};
  }

  tests::TemporaryFolder folder_;
  std::vector<std::string> ran_;
  std::string failing_;
  std::string version_ = "1";
  bool stopped_ = false;
};

TEST_F(StageRunner, SkipsWhatIsDone) {
  EXPECT_EQ(run(recipe()), 0);
  EXPECT_THAT(ran_, ElementsAre("data", "sft", "rl"));
  EXPECT_EQ(run(recipe()), 0);
  EXPECT_THAT(ran_, ElementsAre());
}

TEST_F(StageRunner, RunsAgainWhatChangedAndAllBehindIt) {
  run(recipe());
  std::ofstream(folder_.path() / "run/sft/old") << "x";
  EXPECT_EQ(run(recipe("a = 2\n")), 0);
  EXPECT_THAT(ran_, ElementsAre("sft", "rl"));
  EXPECT_FALSE(std::filesystem::exists(folder_.path() / "run/sft/old"));
  version_ = "2";
  run(recipe("a = 2\n"));
  EXPECT_THAT(ran_, ElementsAre("data", "sft", "rl"));
}

TEST_F(StageRunner, GoesOnWithAStageThatFailed) {
  failing_ = "sft";
  EXPECT_EQ(run(recipe()), 3);
  EXPECT_THAT(ran_, ElementsAre("data", "sft"));
  std::ofstream(folder_.path() / "run/sft/checkpoint") << "x";
  failing_ = "";
  EXPECT_EQ(run(recipe()), 0);
  EXPECT_THAT(ran_, ElementsAre("sft", "rl"));
  EXPECT_TRUE(std::filesystem::exists(folder_.path() / "run/sft/checkpoint"));
}

TEST_F(StageRunner, DoesNotTakeAStoppedStageForDone) {
  stopped_ = true;
  EXPECT_EQ(run(recipe()), 0);
  EXPECT_THAT(ran_, ElementsAre("data"));
  stopped_ = false;
  run(recipe());
  EXPECT_THAT(ran_, ElementsAre("data", "sft", "rl"));
}

// Both wait for the other to begin: in turn they would wait for ever.
TEST_F(StageRunner, RunsStagesThatDoNotNeedEachOtherAtATime) {
  const Recipe recipe{.folder = folder_.path() / "run",
                      .stages = {{.name = "data", .arguments = {"data"}},
                                 {.name = "left", .arguments = {"left"}, .after = {0}},
                                 {.name = "right", .arguments = {"right"}, .after = {0}},
                                 {.name = "end", .arguments = {"end"}, .after = {1, 2}}}};
  std::latch both(2);
  std::mutex mutex;
  std::vector<std::string> ran;
  const auto run_one = [&](const std::vector<std::string>& arguments, const std::filesystem::path& log) {
    EXPECT_EQ(log, folder_.path() / "run" / (arguments.front() + ".log"));
    if (arguments.front() == "left" || arguments.front() == "right") both.arrive_and_wait();
    const std::scoped_lock lock(mutex);
    ran.push_back(arguments.front());
    return 0;
  };
  const RunnerParts parts{
      .run = run_one, .stopped = [] { return false; }, .say = [](const std::string&) {}, .version = "1", .jobs = 3};
  EXPECT_EQ(run_stages(recipe, parts), 0);
  ASSERT_EQ(ran.size(), 4U);
  EXPECT_EQ(ran.front(), "data");
  EXPECT_EQ(ran.back(), "end");
}

TEST_F(StageRunner, RunsAgainOnlyWhatNeedsTheStageThatChanged) {
  Recipe recipe{.folder = folder_.path() / "run",
                .stages = {{.name = "left", .arguments = {"left"}, .config = "a = 1\n"},
                           {.name = "right", .arguments = {"right"}},
                           {.name = "of_left", .arguments = {"of_left"}, .after = {0}}}};
  run(recipe);
  recipe.stages[0].config = "a = 2\n";
  run(recipe);
  EXPECT_THAT(ran_, ElementsAre("left", "of_left"));
}

TEST_F(StageRunner, BeginsNothingAfterAFailure) {
  failing_ = "left";
  const Recipe recipe{
      .folder = folder_.path() / "run",
      .stages = {{.name = "left", .arguments = {"left"}}, {.name = "right", .arguments = {"right"}, .after = {}}}};
  EXPECT_EQ(run(recipe), 3);
  EXPECT_THAT(ran_, ElementsAre("left"));
}

TEST_F(StageRunner, OfSeveralJobsSaysWhereAFailureIsExplained) {
  std::vector<std::string> said;
  const Recipe recipe{.folder = folder_.path() / "run", .stages = {{.name = "left", .arguments = {"left"}}}};
  const RunnerParts parts{.run = [](const auto&, const auto&) { return 3; },
                          .stopped = [] { return false; },
                          .say = [&](const std::string& line) { said.push_back(line); },
                          .version = "1",
                          .jobs = 2};
  EXPECT_EQ(run_stages(recipe, parts), 3);
  EXPECT_THAT(said.back(), testing::HasSubstr("left ended with status 3"));
  EXPECT_THAT(said.back(), testing::HasSubstr((folder_.path() / "run/left.log").string()));
}

}  // namespace
}  // namespace tritonrl::recipe
