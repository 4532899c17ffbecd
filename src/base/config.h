#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

// TOML into structs. A component declares its keys once, and the same declaration reads and writes them:
//   void declare(ConfigFields& fields, RlConfig& config) {
//     fields.field("alpha", config.alpha);
//     fields.require(config.alpha >= 0.0, "alpha", "must not be negative");
//     fields.section("clip", [&](ConfigFields& clip) { clip.field("low", config.clip_low); });
//   }
namespace tritonrl::base {

// The types a key may have. An optional stays empty when the key is not there, and is then not written.
using ConfigSlot = std::variant<bool*, int*, std::int64_t*, std::uint64_t*, float*, double*, std::string*,
                                std::optional<std::int64_t>*, std::optional<double>*, std::optional<std::string>*,
                                std::vector<std::int64_t>*, std::vector<double>*, std::vector<std::string>*>;

class ConfigFields {
 public:
  using Declaration = std::function<void(ConfigFields&)>;

  virtual ~ConfigFields() = default;

  // A key that keeps its present value, the default, unless the file gives another.
  template <typename T>
  void field(const std::string& name, T& value) {
    slot(name, ConfigSlot(&value));
  }

  // A key with a fixed set of values: choice("policy", policy, {{"strict", Policy::kStrict}, ...}).
  template <typename E>
  void choice(const std::string& name, E& value, const std::vector<std::pair<std::string, E>>& choices) {
    std::vector<std::string> words;
    std::size_t index = 0;
    for (const auto& [word, meaning] : choices) {
      if (meaning == value) index = words.size();
      words.push_back(word);
    }
    choose(name, words, index);
    value = choices[index].second;
  }

  // A [name] table.
  virtual void section(const std::string& name, const Declaration& declare) = 0;

  // A [[name]] array of tables: list("stage", stages, [](ConfigFields& fields, Stage& stage) {...}).
  template <typename T, typename Declare>
  void list(const std::string& name, std::vector<T>& items, const Declare& declare) {
    sections(
        name, items.size(), [&](std::size_t count) { items.assign(count, T{}); },
        [&](ConfigFields& fields, std::size_t index) { declare(fields, items[index]); });
  }

  // Refuses the value of `name`, once read, unless `holds`: "`name` `problem`".
  virtual void require(bool holds, const std::string& name, const std::string& problem) = 0;

 protected:
  virtual void slot(const std::string& name, ConfigSlot slot) = 0;
  virtual void choose(const std::string& name, const std::vector<std::string>& words, std::size_t& index) = 0;
  virtual void sections(const std::string& name, std::size_t count, const std::function<void(std::size_t)>& resize,
                        const std::function<void(ConfigFields&, std::size_t)>& declare) = 0;
};

// A TOML file, and the command line's overrides on top of it.
class ConfigSource {
 public:
  static ConfigSource from_file(const std::filesystem::path& path);
  static ConfigSource from_text(std::string_view text, const std::string& name);
  ~ConfigSource();
  ConfigSource(ConfigSource&&) noexcept;
  ConfigSource& operator=(ConfigSource&&) noexcept;

  // "rl.alpha=0.3": the value is TOML, or else a string without its quotes. Items of lists go by number:
  // "stage.0.steps".
  void override_field(std::string_view assignment);

  // Fills what `declare` names. InputError, with file and line or the override, for a wrong type, an unfit value, or
  // a key that `declare` does not name (and then the nearest that it does).
  void read(const ConfigFields::Declaration& declare) const;

 private:
  struct State;
  class Reader;
  explicit ConfigSource(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

// What `declare` names, as TOML that reads back equal.
std::string config_text(const ConfigFields::Declaration& declare);

}  // namespace tritonrl::base
