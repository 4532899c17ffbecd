#include "recipe/recipe.h"

#include <toml++/toml.h>

#include <algorithm>
#include <set>
#include <sstream>

#include "base/error.h"
#include "base/file.h"
#include "base/text.h"

namespace tritonrl::recipe {
namespace {

using base::InputError;
using base::Place;

Place place_of(const std::string& file, const toml::node& node) {
  return {.file = file, .line = node.source().begin.line, .column = node.source().begin.column};
}

void check_keys(const toml::table& table, const std::vector<std::string>& known, const std::string& file) {
  for (const auto& [key, node] : table) {
    const std::string name(key.str());
    if (std::ranges::find(known, name) != known.end()) continue;
    const auto nearest = base::nearest_name(name, known);
    throw InputError(place_of(file, node), "unknown key '" + base::printable(name) + "'",
                     nearest ? "did you mean '" + *nearest + "'?" : "");
  }
}

std::string text_at(const toml::table& table, const char* key, const std::string& file, const Place& where) {
  const toml::node* node = table.get(key);
  if (node == nullptr) throw InputError(where, std::string("has no '") + key + "'");
  if (!node->is_string()) throw InputError(place_of(file, *node), std::string("'") + key + "' should be a string");
  return node->as_string()->get();
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
    text.replace(at, from.size(), to);
  return text;
}

struct Names {
  std::string folder;
  std::string out;
  std::string config;
  std::int64_t seed;

  std::string fill(const std::string& text) const {
    return replaced(replaced(replaced(replaced(text, "{folder}", folder), "{out}", out), "{config}", config), "{seed}",
                    std::to_string(seed));
  }
};

void fill_strings(toml::node& node, const Names& names) {
  if (auto* text = node.as_string()) {
    *text = names.fill(text->get());
  } else if (auto* table = node.as_table()) {
    for (auto&& [key, inner] : *table) {
      if (inner.value<std::string>() == "{seed}") {
        table->insert_or_assign(key, names.seed);  // a number, as configs want it
      } else {
        fill_strings(inner, names);
      }
    }
  } else if (auto* array = node.as_array()) {
    for (auto& inner : *array) fill_strings(inner, names);
  }
}

// "optimizer.lr=1e-4" into a stage's config.
void put(toml::table& config, std::string_view path, const std::string& value, const std::string& assignment) {
  toml::table* place = &config;
  auto parts = base::split(path, '.');
  for (std::size_t i = 0; i + 1 < parts.size(); ++i) {
    if (place->get(parts[i]) == nullptr) place->insert(parts[i], toml::table());
    place = place->get(parts[i])->as_table();
    if (place == nullptr) throw InputError({.file = "override '" + assignment + "'"}, "names a field inside a value");
  }
  try {
    const toml::table parsed = toml::parse("x = " + value);
    place->insert_or_assign(parts.back(), *parsed.get("x"));
  } catch (const toml::parse_error&) {
    place->insert_or_assign(parts.back(), value);
  }
}

// Splits "NAME.PATH=VALUE", "folder=VALUE" or "seed=VALUE".
void apply_override(toml::table& root, const std::string& assignment) {
  const std::size_t equals = assignment.find('=');
  const std::string path = assignment.substr(0, equals);
  if (equals != std::string::npos && path == "folder") {
    root.insert_or_assign("folder", assignment.substr(equals + 1));
    return;
  }
  if (equals != std::string::npos && path == "seed") return put(root, path, assignment.substr(equals + 1), assignment);
  const std::size_t dot = path.find('.');
  std::vector<std::string> names;
  if (auto* stages = root["stage"].as_array();
      stages != nullptr && equals != std::string::npos && dot != std::string::npos) {
    for (auto& node : *stages) {
      auto* stage = node.as_table();
      if (stage == nullptr) continue;
      const auto name = (*stage)["name"].value_or(std::string());
      names.push_back(name);
      if (name != path.substr(0, dot)) continue;
      if (!(*stage)["config"].is_table()) stage->insert_or_assign("config", toml::table());
      put(*(*stage)["config"].as_table(), std::string_view(path).substr(dot + 1), assignment.substr(equals + 1),
          assignment);
      return;
    }
  }
  const auto nearest = base::nearest_name(path.substr(0, dot), names);
  throw InputError({.file = "override '" + base::printable(assignment) + "'"}, "names no stage of this recipe",
                   nearest ? "did you mean '" + *nearest + "'?" : "write for example sft.optimizer.lr=1e-4");
}

std::int64_t seed_of(const toml::table& root, const std::string& file) {
  const toml::node* node = root.get("seed");
  if (node == nullptr) return 0;
  if (!node->is_integer() || node->as_integer()->get() < 0)
    throw InputError(place_of(file, *node), "'seed' should be a whole number, 0 or more");
  return node->as_integer()->get();
}

Stage read_stage(toml::table& table, const Recipe& recipe, const std::string& file, const Place& where) {
  check_keys(table, {"name", "run", "config"}, file);
  Stage stage{.name = text_at(table, "name", file, where)};
  const bool plain = !stage.name.empty() && std::ranges::all_of(stage.name, [](unsigned char c) {
    return std::isalnum(c) != 0 || c == '-' || c == '_';
  });
  if (!plain) throw InputError(where, "a stage's name has letters, digits, '-' and '_' only");
  const Names names{.folder = recipe.folder.string(),
                    .out = recipe.out_of(stage).string(),
                    .config = recipe.config_of(stage).string(),
                    .seed = recipe.seed};
  const auto* arguments = table["run"].as_array();
  if (arguments == nullptr || arguments->empty())
    throw InputError(where, "'run' should be a list: the command and its arguments");
  for (const auto& argument : *arguments) {
    if (!argument.is_string()) throw InputError(place_of(file, argument), "arguments are strings");
    stage.arguments.push_back(names.fill(argument.as_string()->get()));
  }
  if (auto* config = table["config"].as_table()) {
    fill_strings(*config, names);
    std::ostringstream text;
    text << *config << '\n';
    stage.config = text.str();
  }
  return stage;
}

}  // namespace

Recipe read_recipe(const std::filesystem::path& path, const std::vector<std::string>& overrides) {
  const std::string file = path.string();
  toml::table root;
  try {
    root = toml::parse(base::read_file(path), file);
  } catch (const toml::parse_error& error) {
    throw InputError({.file = file, .line = error.source().begin.line, .column = error.source().begin.column},
                     "not TOML: " + base::printable(error.description(), 200));
  }
  for (const auto& assignment : overrides) apply_override(root, assignment);
  check_keys(root, {"folder", "seed", "stage"}, file);
  Recipe recipe{.folder = text_at(root, "folder", file, {.file = file}), .seed = seed_of(root, file)};
  auto* stages = root["stage"].as_array();
  if (stages == nullptr || stages->empty()) throw InputError({.file = file}, "has no [[stage]]");
  std::set<std::string> names;
  for (auto& node : *stages) {
    const Place where = place_of(file, node);
    if (!node.is_table()) throw InputError(where, "a stage is a table");
    recipe.stages.push_back(read_stage(*node.as_table(), recipe, file, where));
    if (!names.insert(recipe.stages.back().name).second)
      throw InputError(where, "two stages are called '" + recipe.stages.back().name + "'");
  }
  return recipe;
}

}  // namespace tritonrl::recipe
