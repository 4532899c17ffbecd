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

const char* const kExperiment = R"(folder = "runs/x"
[each]
seed = [1, 2]
arm = ["plain", "uniform"]
[[stage]]
name = "data"
run = ["data", "make", "--seed", "{seed}"]
[[stage]]
name = "sft-{seed}"
after = ["data"]
run = ["sft", "{config}"]
[stage.config.run]
seed = "{seed}"
[[stage]]
name = "rl-{arm}-{seed}"
after = ["sft-{seed}"]
run = ["rl", "{config}", "{folder}/sft-{seed}"]
[stage.config.rl]
alpha = 1
beta = 0.5
[stage.config_of.uniform.rl]
alpha = 0
[[stage]]
name = "report"
after = ["rl-{arm}-{seed}"]
run = ["report"]
)";

TEST(Recipe, RepeatsAStageOverTheListsThatItsNameHas) {
  const Recipe recipe = read(kExperiment);
  std::vector<std::string> names;
  for (const Stage& stage : recipe.stages) names.push_back(stage.name);
  EXPECT_THAT(names, ElementsAre("data", "sft-1", "sft-2", "rl-plain-1", "rl-plain-2", "rl-uniform-1", "rl-uniform-2",
                                 "report"));
  EXPECT_THAT(recipe.stages[0].arguments, ElementsAre("data", "make", "--seed", "0"));
  EXPECT_THAT(recipe.stages[2].config, HasSubstr("seed = 2"));
  EXPECT_THAT(recipe.stages[4].arguments, ElementsAre("rl", "runs/x/rl-plain-2.toml", "runs/x/sft-2"));
}

TEST(Recipe, AChosenNumberIsOneInConfigs) {
  const Recipe recipe = read(R"(folder = "runs/x"
[each]
steps = [8, 16]
[[stage]]
name = "rl-{steps}"
run = ["rl", "{steps}"]
[stage.config.rl]
steps = "{steps}"
note = "of {steps}"
)");
  ASSERT_EQ(recipe.stages.size(), 2U);
  EXPECT_THAT(recipe.stages[1].arguments, ElementsAre("rl", "16"));
  EXPECT_THAT(recipe.stages[1].config, HasSubstr("steps = 16"));
  EXPECT_THAT(recipe.stages[1].config, HasSubstr("note = 'of 16'"));
}

TEST(Recipe, AnArmHasFieldsOfItsOwnBesideThoseOfAll) {
  const Recipe recipe = read(kExperiment);
  EXPECT_THAT(recipe.stages[3].config, HasSubstr("alpha = 1"));
  EXPECT_THAT(recipe.stages[5].config, HasSubstr("alpha = 0"));
  EXPECT_THAT(recipe.stages[5].config, HasSubstr("beta = 0.5"));
}

TEST(Recipe, AStageNeedsWhatItSaysOrAllBeforeIt) {
  const Recipe recipe = read(kExperiment);
  EXPECT_THAT(recipe.stages[2].after, ElementsAre(0));
  EXPECT_THAT(recipe.stages[6].after, ElementsAre(2));
  EXPECT_THAT(recipe.stages[7].after, ElementsAre(3, 4, 5, 6));
  EXPECT_THAT(read(kText).stages[1].after, ElementsAre(0));
}

TEST(Recipe, NamesWhatIsWrongWithAnExperiment) {
  const auto with = [](const std::string& from, const std::string& to) {
    std::string text = kExperiment;
    text.replace(text.find(from), from.size(), to);
    return problem(text);
  };
  EXPECT_THAT(with("after = [\"data\"]", "after = [\"date\"]"), HasSubstr("there is no stage 'date' before this one"));
  EXPECT_THAT(with("after = [\"data\"]", "after = \"data\""), HasSubstr("'after' should be a list of stages"));
  EXPECT_THAT(with("config_of.uniform", "config_of.uniforn"), HasSubstr("no list of [each] has 'uniforn'"));
  EXPECT_THAT(with("seed = [1, 2]", "seed = [\"one\"]"), HasSubstr("should be a list of whole numbers"));
  EXPECT_THAT(with("seed = [1, 2]", "seed = [1, 1]"), HasSubstr("two stages are called 'sft-1'"));
  EXPECT_THAT(with("arm = [\"plain\", \"uniform\"]", "out = [1]"), HasSubstr("'out' has a meaning already"));
}

TEST(Recipe, EveryOneOfTheRepositoryReads) {
  int read = 0;
  for (const auto& entry : std::filesystem::directory_iterator(TRITONRL_SOURCE_DIR "/recipes")) {
    EXPECT_FALSE(read_recipe(entry.path(), {}).stages.empty()) << entry.path();
    ++read;
  }
  EXPECT_GE(read, 3);
}

}  // namespace
}  // namespace tritonrl::recipe
