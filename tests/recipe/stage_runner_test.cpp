#include "recipe/stage_runner.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "tests/base/temporary_folder.h"

namespace tritonrl::recipe {
namespace {

using testing::ElementsAre;

class StageRunner : public testing::Test {
 protected:
  int run(const Recipe& recipe) {
    ran_.clear();
    return run_stages(recipe, {.run =
                                   [&](const std::vector<std::string>& arguments) {
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
                       {.name = "sft", .arguments = {"sft"}, .config = second_config},
                       {.name = "rl", .arguments = {"rl"}, .config = ""}}};
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

}  // namespace
}  // namespace tritonrl::recipe
