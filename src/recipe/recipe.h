#pragma once

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
struct Recipe {
  std::filesystem::path folder;
  std::int64_t seed = 0;
  std::vector<Stage> stages = {};

  std::filesystem::path out_of(const Stage& stage) const { return folder / stage.name; }
  std::filesystem::path config_of(const Stage& stage) const { return folder / (stage.name + ".toml"); }
};

// `overrides`: "folder=runs/other", "seed=2", or a field of a stage's config by the stage's name,
// "sft.optimizer.lr=1e-4". InputError, with file and line, for anything else, unknown keys included.
Recipe read_recipe(const std::filesystem::path& path, const std::vector<std::string>& overrides);

}  // namespace tritonrl::recipe
