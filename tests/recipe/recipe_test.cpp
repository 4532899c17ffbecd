#include "recipe/recipe.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "base/error.h"
#include "tests/base/temporary_folder.h"

namespace tritonrl::recipe {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

const char* const kText = R"(folder = "runs/x"
[[stage]]
name = "data"
run = ["data", "make", "--out", "{out}"]
[[stage]]
name = "sft"
run = ["sft", "{config}"]
[stage.config.run]
folder = "{out}"
[stage.config.optimizer]
lr = 0.001
)";

Recipe read(const std::string& text, const std::vector<std::string>& overrides = {}) {
  const tests::TemporaryFolder folder;
  const auto path = folder.path() / "recipe.toml";
  std::ofstream(path) << text;
  return read_recipe(path, overrides);
}

std::string problem(const std::string& text, const std::vector<std::string>& overrides = {}) {
  try {
    read(text, overrides);
  } catch (const base::InputError& error) {
    return error.what();
  }
  return "";
}

TEST(Recipe, FillsInItsFolders) {
  const Recipe recipe = read(kText);
  EXPECT_THAT(recipe.stages[0].arguments, ElementsAre("data", "make", "--out", "runs/x/data"));
  EXPECT_THAT(recipe.stages[1].arguments, ElementsAre("sft", "runs/x/sft.toml"));
  EXPECT_THAT(recipe.stages[1].config, HasSubstr("runs/x/sft'"));
}

TEST(Recipe, TakesOverridesByStage) {
  const Recipe recipe = read(kText, {"folder=runs/y", "sft.optimizer.lr=0.5", "sft.run.device=cpu"});
  EXPECT_EQ(recipe.folder, "runs/y");
  EXPECT_THAT(recipe.stages[1].config, HasSubstr("lr = 0.5"));
  EXPECT_THAT(recipe.stages[1].config, HasSubstr("device = 'cpu'"));
}

TEST(Recipe, ASeedIsTextInArgumentsAndANumberInConfigs) {
  const std::string text = R"(folder = "x"
seed = 7
[[stage]]
name = "sft"
run = ["sft", "{config}", "--seed", "{seed}"]
[stage.config.run]
seed = "{seed}"
)";
  EXPECT_THAT(read(text).stages[0].arguments, ElementsAre("sft", "x/sft.toml", "--seed", "7"));
  EXPECT_THAT(read(text).stages[0].config, HasSubstr("seed = 7"));
  EXPECT_THAT(read(text, {"seed=8"}).stages[0].config, HasSubstr("seed = 8"));
  EXPECT_THAT(problem(text, {"seed=-1"}), HasSubstr("'seed' should be a whole number"));
  EXPECT_THAT(problem(text, {"seed=x"}), HasSubstr("'seed' should be a whole number"));
}

TEST(Recipe, RefusesWhatItDoesNotKnow) {
  EXPECT_THAT(problem(kText, {"stf.optimizer.lr=1"}), HasSubstr("did you mean 'sft'"));
  EXPECT_THAT(problem("folder = \"x\"\n[[stage]]\nnam = \"a\"\n"), HasSubstr("did you mean 'name'"));
  EXPECT_THAT(problem("folder = \"x\"\n"), HasSubstr("no [[stage]]"));
  EXPECT_THAT(problem("[[stage]]\nname = \"a\"\nrun = [\"x\"]\n"), HasSubstr("'folder'"));
  EXPECT_THAT(problem("folder = \"x\"\n[[stage]]\nname = \"../a\"\nrun = [\"x\"]\n"), HasSubstr("letters"));
  EXPECT_THAT(problem("folder = "), HasSubstr("not TOML"));
  EXPECT_THAT(problem(std::string(kText) + "[[stage]]\nname = \"sft\"\nrun = [\"x\"]\n"), HasSubstr("two stages"));
}

}  // namespace
}  // namespace tritonrl::recipe
