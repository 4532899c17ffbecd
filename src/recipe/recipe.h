#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace tritonrl::recipe {

// One command of the program. Everything that it makes stands in a folder of its own.
struct Stage {
  std::string name;
  std::vector<std::string> arguments = {};  // without the program's name
  std::string config = {};                  // TOML that is written for it; empty: none
  std::vector<std::size_t> after = {};      // the stages that it needs, all of them before it
};

// A recipe file:
//   folder = "runs/demo"
//   seed = 1
//   [[stage]]
//   name = "sft"
//   run = ["sft", "{config}"]
//   [stage.config.optimizer]
//   lr = 1e-3
// In `run` and in strings of `config`, {folder} is the recipe's folder, {out} the stage's own folder in it, {config}
// the file that its config was written to, and {seed} the recipe's seed, 0 unless it is given.
//
// Experiments repeat stages:
//   [each]
//   seed = [1, 2, 3]
//   arm = ["plain", "uniform"]
//   [[stage]]
//   name = "rl-{arm}-{seed}"         one for every arm and seed, which {arm} and {seed} then are in all of the stage
//   after = ["sft-{seed}"]           what it needs; without this line, all stages before it
//   [stage.config_of.uniform.rl]     what the config of this arm's has besides
//   credit = "uniform"
// `after` names all of a list where the stage itself is not repeated over it.
struct Recipe {
  std::filesystem::path folder;
  std::int64_t seed = 0;
  std::vector<Stage> stages = {};

  std::filesystem::path out_of(const Stage& stage) const { return folder / stage.name; }
  std::filesystem::path config_of(const Stage& stage) const { return folder / (stage.name + ".toml"); }
  std::filesystem::path log_of(const Stage& stage) const { return folder / (stage.name + ".log"); }
};

// `overrides`: "folder=runs/other", "seed=2", or a field of a stage's config by the stage's name,
// "sft.optimizer.lr=1e-4". InputError, with file and line, for anything else, unknown keys included.
Recipe read_recipe(const std::filesystem::path& path, const std::vector<std::string>& overrides);

}  // namespace tritonrl::recipe
