#include "recipe/recipe.h"

#include <toml++/toml.h>

#include <algorithm>
#include <map>
#include <optional>
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

// Words in braces, and what they stand for.
struct Names {
  std::map<std::string, std::string> values;
  std::set<std::string> chosen = {};  // those that are numbers in configs, where they look like one

  std::string fill(std::string text) const {
    for (const auto& [name, value] : values) text = replaced(std::move(text), '{' + name + '}', value);
    return text;
  }
  // Of a text that is one chosen word.
  std::optional<toml::table> number(const std::string& text) const {
    const bool word = text.size() > 2 && text.front() == '{' && text.back() == '}';
    if (!word || !chosen.contains(text.substr(1, text.size() - 2))) return std::nullopt;
    try {
      toml::table parsed = toml::parse("x = " + fill(text));
      if (parsed.get("x")->is_number()) return parsed;
    } catch (const toml::parse_error&) {  // a word
    }
    return std::nullopt;
  }
};

void fill_strings(toml::node& node, const Names& names) {
  if (auto* text = node.as_string()) {
    *text = names.fill(text->get());
  } else if (auto* table = node.as_table()) {
    for (auto&& [key, inner] : *table) {
      if (const auto number = names.number(inner.value_or(std::string()))) {
        table->insert_or_assign(key, *number->get("x"));
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

// What stages are repeated over, by name.
using Lists = std::map<std::string, std::vector<std::string>>;

Lists read_lists(const toml::table& root, const std::string& file) {
  Lists lists;
  const toml::node* node = root.get("each");
  if (node == nullptr) return lists;
  const Place where = place_of(file, *node);
  if (!node->is_table()) throw InputError(where, "'each' should be a table of lists");
  for (const auto& [key, values] : *node->as_table()) {
    const std::string name(key.str());
    if (name == "folder" || name == "out" || name == "config")
      throw InputError(place_of(file, values), "'" + name + "' has a meaning already");
    auto& list = lists[name];
    if (const auto* array = values.as_array()) {
      for (const auto& value : *array) {
        if (const auto text = value.value<std::string>(); text && name != "seed") list.push_back(*text);
        if (value.is_integer()) list.push_back(std::to_string(value.as_integer()->get()));
      }
    }
    if (list.empty())
      throw InputError(place_of(file, values), name == "seed" ? "should be a list of whole numbers"
                                                              : "should be a list of words or whole numbers");
  }
  return lists;
}

using Choice = std::map<std::string, std::string>;

// Every choice of a value for each of the lists that `text` names in braces and `made` does not have.
std::vector<Choice> choices_for(const std::string& text, const Lists& lists, const Choice& made = {}) {
  std::vector<Choice> choices = {made};
  for (const auto& [name, values] : lists) {
    if (made.contains(name) || text.find('{' + name + '}') == std::string::npos) continue;
    std::vector<Choice> longer;
    for (const Choice& choice : choices) {
      for (const std::string& value : values) {
        longer.push_back(choice);
        longer.back()[name] = value;
      }
    }
    choices = std::move(longer);
  }
  return choices;
}

// `over`: fields that replace those of `config`, and are added to it.
void merge(toml::table& config, const toml::table& over) {
  for (const auto& [key, node] : over) {
    auto* inner = config.get(key) == nullptr ? nullptr : config.get(key)->as_table();
    if (inner != nullptr && node.is_table()) {
      merge(*inner, *node.as_table());
    } else {
      config.insert_or_assign(key, node);
    }
  }
}

std::vector<std::size_t> stages_named(const toml::node& names, const Recipe& recipe, const Lists& lists,
                                      const Choice& choice, const std::string& file) {
  std::vector<std::size_t> found;
  const auto* array = names.as_array();
  if (array == nullptr) throw InputError(place_of(file, names), "'after' should be a list of stages");
  for (const auto& node : *array) {
    const auto pattern = node.value_or(std::string());
    for (const Choice& made : choices_for(pattern, lists, choice)) {
      const std::string name = Names{.values = made}.fill(pattern);
      const auto stage = std::ranges::find(recipe.stages, name, &Stage::name);
      if (stage == recipe.stages.end())
        throw InputError(place_of(file, node), "there is no stage '" + base::printable(name) + "' before this one");
      found.push_back(static_cast<std::size_t>(stage - recipe.stages.begin()));
    }
  }
  return found;
}

Stage read_stage(toml::table table, const Recipe& recipe, const Lists& lists, const Choice& choice,
                 const std::string& file, const Place& where) {
  Names names{.values = choice, .chosen = {"seed"}};
  for (const auto& [list, value] : choice) names.chosen.insert(list);
  Stage stage{.name = names.fill(text_at(table, "name", file, where))};
  const bool plain = !stage.name.empty() && std::ranges::all_of(stage.name, [](unsigned char c) {
    return std::isalnum(c) != 0 || c == '-' || c == '_';
  });
  if (!plain) throw InputError(where, "a stage's name has letters, digits, '-' and '_' only");
  names.values.insert({{"folder", recipe.folder.string()},
                       {"out", recipe.out_of(stage).string()},
                       {"config", recipe.config_of(stage).string()},
                       {"seed", std::to_string(recipe.seed)}});  // unless it was chosen
  const auto* arguments = table["run"].as_array();
  if (arguments == nullptr || arguments->empty())
    throw InputError(where, "'run' should be a list: the command and its arguments");
  for (const auto& argument : *arguments) {
    if (!argument.is_string()) throw InputError(place_of(file, argument), "arguments are strings");
    stage.arguments.push_back(names.fill(argument.as_string()->get()));
  }
  if (auto* config = table["config"].as_table()) {
    for (const auto& [list, value] : choice) {
      if (const auto* over = table["config_of"][value].as_table()) merge(*config, *over);
    }
    fill_strings(*config, names);
    std::ostringstream text;
    text << *config << '\n';
    stage.config = text.str();
  }
  if (const toml::node* after = table.get("after")) {
    stage.after = stages_named(*after, recipe, lists, choice, file);
  } else {
    for (std::size_t i = 0; i < recipe.stages.size(); ++i) stage.after.push_back(i);
  }
  return stage;
}

void check_stage(const toml::table& table, const Lists& lists, const std::string& file) {
  check_keys(table, {"name", "run", "config", "config_of", "after"}, file);
  const auto* config_of = table["config_of"].as_table();
  if (config_of == nullptr) return;
  for (const auto& [key, node] : *config_of) {
    const std::string value(key.str());
    const bool known = std::ranges::any_of(
        lists, [&](const auto& list) { return std::ranges::find(list.second, value) != list.second.end(); });
    if (!known) throw InputError(place_of(file, node), "no list of [each] has '" + base::printable(value) + "'");
  }
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
  check_keys(root, {"folder", "seed", "each", "stage"}, file);
  Recipe recipe{.folder = text_at(root, "folder", file, {.file = file}), .seed = seed_of(root, file)};
  auto* stages = root["stage"].as_array();
  if (stages == nullptr || stages->empty()) throw InputError({.file = file}, "has no [[stage]]");
  const Lists lists = read_lists(root, file);
  std::set<std::string> names;
  for (auto& node : *stages) {
    const Place where = place_of(file, node);
    if (!node.is_table()) throw InputError(where, "a stage is a table");
    const toml::table& table = *node.as_table();
    check_stage(table, lists, file);
    for (const Choice& choice : choices_for(text_at(table, "name", file, where), lists)) {
      recipe.stages.push_back(read_stage(table, recipe, lists, choice, file, where));
      if (!names.insert(recipe.stages.back().name).second)
        throw InputError(where, "two stages are called '" + recipe.stages.back().name + "'");
    }
  }
  return recipe;
}

}  // namespace tritonrl::recipe
