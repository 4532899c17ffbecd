#include "base/config.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "base/error.h"
#include "tests/base/temporary_folder.h"

namespace tritonrl::base {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using tests::message_of;
using tests::TemporaryFolder;

enum class Policy { kStrict, kCore, kAny };

struct Stage {
  std::string kind = "sft";
  int steps = 10;
  friend bool operator==(const Stage&, const Stage&) = default;
};

struct Settings {
  std::string name = "demo";
  bool resume = false;
  std::uint64_t seed = 1;
  Policy policy = Policy::kStrict;
  std::optional<double> tolerance;
  double alpha = 0.1;
  float clip = 0.2F;
  int group_size = 8;
  std::int64_t tokens = 1 << 20;
  std::vector<std::int64_t> levels = {1, 2};
  std::vector<double> weights;
  std::vector<std::string> suites;
  std::vector<Stage> stages;
  friend bool operator==(const Settings&, const Settings&) = default;
};

void declare(ConfigFields& fields, Settings& settings) {
  fields.field("name", settings.name);
  fields.section("rl", [&](ConfigFields& rl) {
    rl.field("alpha", settings.alpha);
    rl.require(settings.alpha >= 0.0, "alpha", "must not be negative");
    rl.field("group_size", settings.group_size);
    rl.section("loss", [&](ConfigFields& loss) { loss.field("clip", settings.clip); });
  });
  fields.field("resume", settings.resume);
  fields.field("seed", settings.seed);
  fields.choice("policy", settings.policy,
                {{"strict", Policy::kStrict}, {"core", Policy::kCore}, {"any", Policy::kAny}});
  fields.field("tolerance", settings.tolerance);
  fields.field("tokens", settings.tokens);
  fields.field("levels", settings.levels);
  fields.field("weights", settings.weights);
  fields.field("suites", settings.suites);
  fields.list("stage", settings.stages, [](ConfigFields& stage, Stage& value) {
    stage.field("kind", value.kind);
    stage.field("steps", value.steps);
  });
}

Settings read(const std::string& text, const std::vector<std::string>& overrides = {}) {
  ConfigSource source = ConfigSource::from_text(text, "a.toml");
  for (const std::string& assignment : overrides) source.override_field(assignment);
  Settings settings;
  source.read([&](ConfigFields& fields) { declare(fields, settings); });
  return settings;
}

std::string refusal(const std::string& text, const std::vector<std::string>& overrides = {}) {
  return message_of<InputError>([&] { read(text, overrides); });
}

std::string text_of(Settings settings) {
  return config_text([&](ConfigFields& fields) { declare(fields, settings); });
}

TEST(Config, KeepsDefaultsOfWhatIsNotThere) { EXPECT_EQ(read(""), Settings()); }

TEST(Config, ReadsEveryType) {
  const Settings settings = read(R"(
name = "x"
resume = true
seed = 9007199254740993
policy = "core"
tolerance = 1
tokens = -5
levels = [3, 4]
weights = [0.5, 1]
suites = ["a", "b"]
[rl]
alpha = 1e-3
group_size = 16
loss.clip = 0.3
[[stage]]
kind = "rl"
[[stage]]
steps = 3
)");
  EXPECT_EQ(settings.name, "x");
  EXPECT_TRUE(settings.resume);
  EXPECT_EQ(settings.seed, 9007199254740993U);
  EXPECT_EQ(settings.policy, Policy::kCore);
  EXPECT_EQ(settings.tolerance, 1.0);
  EXPECT_EQ(settings.tokens, -5);
  EXPECT_THAT(settings.levels, ElementsAre(3, 4));
  EXPECT_THAT(settings.weights, ElementsAre(0.5, 1.0));
  EXPECT_THAT(settings.suites, ElementsAre("a", "b"));
  EXPECT_EQ(settings.alpha, 1e-3);
  EXPECT_EQ(settings.group_size, 16);
  EXPECT_EQ(settings.clip, 0.3F);
  EXPECT_THAT(settings.stages, ElementsAre(Stage{"rl", 10}, Stage{"sft", 3}));
}

TEST(Config, RefusesUnknownKeyAndNamesTheNearest) {
  EXPECT_EQ(refusal("\n[rl]\nalpah = 0.3"), "a.toml:3:1: unknown key 'rl.alpah'; did you mean 'rl.alpha'?");
  EXPECT_EQ(refusal("sede = 3"), "a.toml:1:1: unknown key 'sede'; did you mean 'seed'?");
  EXPECT_THAT(refusal("[r1.loss]\nclip = 1"), HasSubstr("unknown key 'r1'; did you mean 'rl'?"));
  EXPECT_EQ(refusal("[[stage]]\n[[stage]]\nstep = 3"),
            "a.toml:3:1: unknown key 'stage.1.step'; did you mean 'stage.1.steps'?");
}

TEST(Config, ListsTheKnownKeysWhenNoneIsNear) {
  EXPECT_EQ(refusal("[rl.loss]\ntemperature = 1"), "a.toml:2:1: unknown key 'rl.loss.temperature'; known here: clip");
}

TEST(Config, SaysWhatTypeWasExpectedAndFound) {
  EXPECT_EQ(refusal("seed = \"one\""), "a.toml:1:8: 'seed' should be an integer, found a string");
  EXPECT_EQ(refusal("seed = 1.0"), "a.toml:1:8: 'seed' should be an integer, found a number with a fraction");
  EXPECT_EQ(refusal("name = 5"), "a.toml:1:8: 'name' should be a string, found an integer");
  EXPECT_EQ(refusal("resume = 1"), "a.toml:1:10: 'resume' should be true or false, found an integer");
  EXPECT_EQ(refusal("rl = 3"), "a.toml:1:6: 'rl' should be a table, found an integer");
  EXPECT_EQ(refusal("[rl]\nalpha = true"), "a.toml:2:9: 'rl.alpha' should be a number, found a boolean");
  EXPECT_EQ(refusal("levels = 3"), "a.toml:1:10: 'levels' should be an array, found an integer");
  EXPECT_EQ(refusal("levels = [3, \"x\"]"), "a.toml:1:14: 'levels' should be an integer, found a string");
  EXPECT_EQ(refusal("stage = [1]"), "a.toml:1:10: 'stage' should be an array of tables, found an integer");
  EXPECT_EQ(refusal("name = 2024-01-01"), "a.toml:1:8: 'name' should be a string, found a date or time");
}

TEST(Config, RefusesIntegersOutOfRange) {
  EXPECT_THAT(refusal("seed = -1"), HasSubstr("'seed' cannot be -1: out of range"));
  EXPECT_THAT(refusal("[rl]\ngroup_size = 99999999999"),
              HasSubstr("'rl.group_size' cannot be 99999999999: out of range"));
  EXPECT_THAT(refusal("tokens = 9223372036854775808"), HasSubstr("not TOML"));
}

TEST(Config, RefusesValuesThatAComponentRulesOut) {
  EXPECT_EQ(refusal("[rl]\nalpha = -1"), "a.toml:2:9: 'rl.alpha' must not be negative");
  EXPECT_EQ(refusal("", {"rl.alpha=-1"}), "override 'rl.alpha=-1': 'rl.alpha' must not be negative");
}

TEST(Config, RefusesUnknownChoiceAndNamesTheNearest) {
  EXPECT_EQ(refusal("policy = \"stric\""),
            "a.toml:1:10: 'policy' is 'stric', which is none of strict, core, any; did you mean 'strict'?");
}

TEST(Config, SaysWhereTomlIsBroken) {
  EXPECT_THAT(refusal("name = \"x\"\nseed = = 3"), HasSubstr("a.toml:2:"));
  EXPECT_THAT(refusal("name = \"x"), HasSubstr("not TOML"));
  EXPECT_THAT(refusal("seed = 1\nseed = 2"), HasSubstr("a.toml:2:"));
  EXPECT_THAT(refusal("name = \"\xff\""), HasSubstr("a.toml:1:9: not UTF-8 text"));
  EXPECT_THAT(refusal(std::string("\0\0", 2)), HasSubstr("not TOML"));
  EXPECT_THAT(refusal("levels = " + std::string(100'000, '[')), HasSubstr("not TOML"));
}

TEST(Config, AppliesOverridesOnTop) {
  const Settings settings = read("[rl]\nalpha = 0.5\n[[stage]]\n",
                                 {"rl.alpha=0.3", "seed = 7", "rl.loss.clip=0.25", "levels=[5]", "policy=any",
                                  "resume=true", "suites=[\"x\"]", "stage.0.steps=77", "tolerance=0.01"});
  EXPECT_EQ(settings.alpha, 0.3);
  EXPECT_EQ(settings.seed, 7U);
  EXPECT_EQ(settings.clip, 0.25F);
  EXPECT_THAT(settings.levels, ElementsAre(5));
  EXPECT_EQ(settings.policy, Policy::kAny);
  EXPECT_TRUE(settings.resume);
  EXPECT_THAT(settings.suites, ElementsAre("x"));
  EXPECT_EQ(settings.stages.at(0).steps, 77);
  EXPECT_EQ(settings.tolerance, 0.01);
}

TEST(Config, TakesBareWordsOfAnOverrideAsText) {
  EXPECT_EQ(read("", {"name=runs/x y"}).name, "runs/x y");
  EXPECT_EQ(read("", {"name=5"}).name, "5");
  EXPECT_EQ(read("", {"name=true"}).name, "true");
  EXPECT_EQ(read("", {"name=2024-01-01"}).name, "2024-01-01");
  EXPECT_EQ(read("", {"name=\"quoted\""}).name, "quoted");
  EXPECT_EQ(read("", {"name=a=b"}).name, "a=b");
  EXPECT_EQ(read("name = \"x\"", {"name="}).name, "");
}

TEST(Config, CannotSmuggleKeysThroughAnOverride) { EXPECT_EQ(read("", {"name=\"a\"\nseed = 99"}).seed, 1U); }

TEST(Config, BlamesTheOverrideForItsMistakes) {
  EXPECT_EQ(refusal("[rl]\nalpha = 0.5", {"rl.alpah=0.3"}),
            "override 'rl.alpah=0.3': unknown key 'rl.alpah'; did you mean 'rl.alpha'?");
  EXPECT_EQ(refusal("", {"rl.alpha=abc"}), "override 'rl.alpha=abc': 'rl.alpha' should be a number, found a string");
  EXPECT_EQ(refusal("", {"rx.alpha=1"}), "override 'rx.alpha=1': unknown key 'rx'; did you mean 'rl'?");
  EXPECT_EQ(refusal("", {"levels=[1, x]"}), "override 'levels=[1, x]': 'levels' should be an array, found a string");
  EXPECT_EQ(refusal("", {"levels=[1, \"x\"]"}),
            "override 'levels=[1, \"x\"]': 'levels' should be an integer, found a string");
}

TEST(Config, RefusesMalformedOverrides) {
  for (const char* text : {"", "=", "=3", "alpha", "rl.=3", ".alpha=3", "rl..alpha=3", "name=\xff"}) {
    EXPECT_THAT(refusal("", {text}), HasSubstr("is not of the form key=value")) << text;
  }
  EXPECT_THAT(refusal("seed = 3", {"seed.x=1"}), HasSubstr("'seed' is a value, not a table"));
  EXPECT_THAT(refusal("[[stage]]", {"stage.1.steps=1"}), HasSubstr("'stage' is a list of 1 items"));
  EXPECT_THAT(refusal("[[stage]]", {"stage.steps=1"}), HasSubstr("'stage' is a list of 1 items"));
}

TEST(Config, WritesWhatReadsBackEqual) {
  Settings settings;
  EXPECT_EQ(read(text_of(settings)), settings);
  settings.name = "a \"quoted\" \\ back\nslash\ttab \x01 é";
  settings.alpha = 0.1 + 0.2;
  settings.clip = 1.0F / 3.0F;
  settings.seed = 1234567890123456789U;
  settings.policy = Policy::kAny;
  settings.tolerance = 1e-300;
  settings.levels = {};
  settings.weights = {
      1.0, -0.0, 1e22, 5e-324, std::numeric_limits<double>::max(), std::numeric_limits<double>::infinity()};
  settings.suites = {"", "x"};
  settings.stages = {{"sft", 1}, {"rl", 2}};
  EXPECT_EQ(read(text_of(settings)), settings);
  EXPECT_EQ(text_of(read(text_of(settings))), text_of(settings));
}

TEST(Config, WritesNotANumber) {
  Settings settings;
  settings.weights = {std::nan("")};
  EXPECT_TRUE(std::isnan(read(text_of(settings)).weights.at(0)));
}

TEST(Config, WritesKeysBeforeTablesInDeclaredOrder) {
  Settings settings;
  settings.stages = {{"rl", 2}};
  EXPECT_EQ(text_of(settings),
            "name = \"demo\"\nresume = false\nseed = 1\npolicy = \"strict\"\ntokens = 1048576\nlevels = [1, 2]\n"
            "weights = []\nsuites = []\n\n[rl]\nalpha = 0.1\ngroup_size = 8\n\n[rl.loss]\nclip = 0.2\n\n[[stage]]\n"
            "kind = \"rl\"\nsteps = 2\n");
}

TEST(Config, EmptiesAListThatHasDefaults) {
  std::vector<Stage> stages = {{"sft", 1}};
  const auto declaration = [&](ConfigFields& fields) {
    fields.list("stage", stages, [](ConfigFields& stage, Stage& value) { stage.field("steps", value.steps); });
  };
  ConfigSource::from_text("stage = []", "a.toml").read(declaration);
  EXPECT_THAT(stages, IsEmpty());
  EXPECT_EQ(config_text(declaration), "stage = []\n");
}

TEST(Config, ReadsFilesAndRefusesWhatIsNone) {
  const TemporaryFolder folder;
  int steps = 0;
  const auto declaration = [&](ConfigFields& fields) { fields.field("steps", steps); };
  ConfigSource::from_file(folder.file("a.toml", "steps = 4\n")).read(declaration);
  EXPECT_EQ(steps, 4);
  EXPECT_THAT(message_of<InputError>([&] { ConfigSource::from_file(folder.path()); }), HasSubstr("is a folder"));
  EXPECT_THAT(message_of<InputError>([&] { ConfigSource::from_file(folder.path() / "b.toml"); }),
              HasSubstr("no such file"));
  const auto large = folder.file("large.toml", "");
  std::filesystem::resize_file(large, 100 << 20);
  EXPECT_THAT(message_of<InputError>([&] { ConfigSource::from_file(large); }), HasSubstr("more than the limit"));
}

}  // namespace
}  // namespace tritonrl::base
