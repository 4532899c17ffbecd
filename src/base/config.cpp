#include "base/config.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <map>
#include <type_traits>

#include <toml++/toml.h>

#include "base/error.h"
#include "base/file.h"
#include "base/text.h"

namespace tritonrl::base {
namespace {

constexpr std::size_t kMaxConfigBytes = std::size_t{4} << 20;

std::string type_name(const toml::node& node) {
  switch (node.type()) {
    case toml::node_type::table:
      return "a table";
    case toml::node_type::array:
      return "an array";
    case toml::node_type::string:
      return "a string";
    case toml::node_type::integer:
      return "an integer";
    case toml::node_type::floating_point:
      return "a number with a fraction";
    case toml::node_type::boolean:
      return "a boolean";
    case toml::node_type::date:
    case toml::node_type::time:
    case toml::node_type::date_time:
      return "a date or time";
    case toml::node_type::none:
      break;
  }
  bug("a parsed TOML node has a type");
}

template <typename T>
std::string expected_name() {
  if constexpr (std::is_same_v<T, bool>)
    return "true or false";
  else if constexpr (std::is_same_v<T, std::string>)
    return "a string";
  else if constexpr (std::is_integral_v<T>)
    return "an integer";
  else
    return "a number";
}

toml::table parse_toml(std::string_view text, const std::string& name) {
  if (const auto offset = first_invalid_utf8(text)) {
    const Position at = LineIndex(text).position(*offset);
    throw InputError({.file = name, .line = at.line, .column = at.column}, "not UTF-8 text", "save it as UTF-8");
  }
  try {
    return toml::parse(text, name);
  } catch (const toml::parse_error& error) {
    const auto begin = error.source().begin;
    throw InputError({.file = name, .line = begin.line, .column = begin.column},
                     "not TOML: " + printable(error.description(), 200), "repair the line");
  }
}

std::optional<std::size_t> list_index(std::string_view text) {
  std::size_t index = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), index);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return index;
}

}  // namespace

struct ConfigSource::State {
  struct Override {
    std::string assignment;  // as the user wrote it
    std::string value;       // what follows '='
  };

  std::string name;
  toml::table root;
  std::map<std::string, Override> overrides;  // by dotted path

  // The override that set `path`, or a part of it.
  const Override* override_of(const std::string& path) const {
    for (const auto& [key, entry] : overrides) {
      const bool within = key.starts_with(path) && (key.size() == path.size() || key[path.size()] == '.');
      const bool around = path.starts_with(key) && (key.size() == path.size() || path[key.size()] == '.');
      if (within || around) return &entry;
    }
    return nullptr;
  }

  // An override leaves nodes without a source position.
  Place place(const std::string& path, const toml::node* node) const {
    if (node != nullptr && node->source().begin.line > 0) {
      return {.file = name, .line = node->source().begin.line, .column = node->source().begin.column};
    }
    if (const Override* entry = override_of(path)) return {.file = "override '" + entry->assignment + "'"};
    return {.file = name};
  }
};

// Reads one table of the source; unknown keys are found once all known ones are declared.
class ConfigSource::Reader final : public ConfigFields {
 public:
  Reader(const State& source, const toml::table* table, std::string path)
      : source_(source), table_(table), path_(std::move(path)) {}

  void section(const std::string& name, const Declaration& declare) override {
    const toml::node* node = find(name);
    if (node != nullptr && !node->is_table()) refuse_type(name, "a table", *node);
    read_table(node == nullptr ? nullptr : node->as_table(), path_of(name), declare);
  }

  void require(bool holds, const std::string& name, const std::string& problem) override {
    if (!holds) refuse(name, problem);
  }

  void finish() const {
    if (table_ == nullptr) return;
    for (const auto& [key, node] : *table_) {
      const std::string name(key.str());
      if (std::find(known_.begin(), known_.end(), name) != known_.end()) continue;
      // The key's own place, not its value's.
      Place where = source_.place(path_of(name), &node);
      if (where.line > 0)
        where = {.file = where.file, .line = key.source().begin.line, .column = key.source().begin.column};
      const auto nearest = nearest_name(name, known_);
      throw InputError(where, "unknown key '" + printable(path_of(name)) + "'",
                       nearest ? "did you mean '" + path_of(*nearest) + "'?" : "known here: " + known_text());
    }
  }

  static void read_table(const State& source, const toml::table* table, const std::string& path,
                         const Declaration& declare) {
    Reader reader(source, table, path);
    declare(reader);
    reader.finish();
  }

 protected:
  void slot(const std::string& name, ConfigSlot slot) override {
    const toml::node* node = find(name);
    if (node == nullptr) return;
    std::visit([&](auto* value) { read_value(name, *node, *value); }, slot);
  }

  void choose(const std::string& name, const std::vector<std::string>& words, std::size_t& index) override {
    std::string word = words.at(index);
    slot(name, &word);
    const auto found = std::find(words.begin(), words.end(), word);
    if (found == words.end()) {
      const auto nearest = nearest_name(word, words);
      throw InputError(
          source_.place(path_of(name), find(name)),
          fmt::format("'{}' is '{}', which is none of {}", path_of(name), printable(word), fmt::join(words, ", ")),
          nearest ? "did you mean '" + *nearest + "'?" : "");
    }
    index = static_cast<std::size_t>(found - words.begin());
  }

  void sections(const std::string& name, std::size_t /*count*/, const std::function<void(std::size_t)>& resize,
                const std::function<void(ConfigFields&, std::size_t)>& declare) override {
    const toml::node* node = find(name);
    if (node == nullptr) return;
    const toml::array* array = node->as_array();
    if (array == nullptr) refuse_type(name, "an array of tables", *node);
    resize(array->size());
    for (std::size_t i = 0; i < array->size(); ++i) {
      const toml::node& item = *array->get(i);
      if (!item.is_table()) refuse_type(name, "an array of tables", item);
      read_table(item.as_table(), fmt::format("{}.{}", path_of(name), i),
                 [&](ConfigFields& fields) { declare(fields, i); });
    }
  }

 private:
  std::string path_of(const std::string& name) const { return path_.empty() ? name : path_ + "." + name; }

  const toml::node* find(const std::string& name) {
    if (std::find(known_.begin(), known_.end(), name) == known_.end()) known_.push_back(name);
    return table_ == nullptr ? nullptr : table_->get(name);
  }

  void read_table(const toml::table* table, const std::string& path, const Declaration& declare) const {
    read_table(source_, table, path, declare);
  }

  [[noreturn]] void refuse(const std::string& name, const std::string& problem) const {
    const toml::node* node = table_ == nullptr ? nullptr : table_->get(name);
    throw InputError(source_.place(path_of(name), node), "'" + path_of(name) + "' " + problem);
  }

  [[noreturn]] void refuse_type(const std::string& name, const std::string& expected, const toml::node& found) const {
    throw InputError(source_.place(path_of(name), &found),
                     "'" + path_of(name) + "' should be " + expected + ", found " + type_name(found));
  }

  template <typename T>
  void read_value(const std::string& name, const toml::node& node, T& value) {
    if constexpr (std::is_same_v<T, std::string>) {
      // On the command line a bare 5 or true may be meant as text.
      const auto entry = source_.overrides.find(path_of(name));
      if (!node.is_string() && entry != source_.overrides.end()) {
        value = entry->second.value;
        return;
      }
    }
    value = scalar<T>(name, node);
  }

  template <typename T>
  void read_value(const std::string& name, const toml::node& node, std::optional<T>& value) {
    T inner{};
    read_value(name, node, inner);
    value = std::move(inner);
  }

  template <typename T>
  void read_value(const std::string& name, const toml::node& node, std::vector<T>& values) {
    const toml::array* array = node.as_array();
    if (array == nullptr) refuse_type(name, "an array", node);
    values.clear();
    for (const toml::node& item : *array) values.push_back(scalar<T>(name, item));
  }

  template <typename T>
  T scalar(const std::string& name, const toml::node& node) const {
    if constexpr (std::is_same_v<T, bool>) {
      if (const auto* found = node.as_boolean()) return found->get();
    } else if constexpr (std::is_same_v<T, std::string>) {
      if (const auto* found = node.as_string()) return found->get();
    } else if constexpr (std::is_integral_v<T>) {
      if (const auto* found = node.as_integer()) {
        if (!std::in_range<T>(found->get())) refuse(name, fmt::format("cannot be {}: out of range", found->get()));
        return static_cast<T>(found->get());
      }
    } else {
      if (const auto* found = node.as_floating_point()) return static_cast<T>(found->get());
      if (const auto* found = node.as_integer()) return static_cast<T>(found->get());
    }
    refuse_type(name, expected_name<T>(), node);
  }

  std::string known_text() const { return known_.empty() ? "nothing" : fmt::format("{}", fmt::join(known_, ", ")); }

  const State& source_;
  const toml::table* table_;
  std::string path_;
  std::vector<std::string> known_;
};

namespace {

std::string toml_string(std::string_view text) {
  std::string quoted = "\"";
  for (const char c : text) {
    switch (c) {
      case '"':
        quoted += "\\\"";
        break;
      case '\\':
        quoted += "\\\\";
        break;
      case '\n':
        quoted += "\\n";
        break;
      case '\t':
        quoted += "\\t";
        break;
      case '\r':
        quoted += "\\r";
        break;
      default:
        if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) {
          quoted += fmt::format("\\u{:04X}", static_cast<unsigned>(c));
        } else {
          quoted += c;
        }
    }
  }
  return quoted + '"';
}

template <typename T>
std::string toml_value(const T& value) {
  if constexpr (std::is_same_v<T, bool>)
    return value ? "true" : "false";
  else if constexpr (std::is_same_v<T, std::string>)
    return toml_string(value);
  else if constexpr (std::is_integral_v<T>)
    return std::to_string(value);
  else {
    if (std::isnan(value)) return "nan";
    // Shortest text that reads back equal, with a mark that it is no integer.
    std::string text = fmt::format("{}", value);
    return text.find_first_of(".ein") == std::string::npos ? text + ".0" : text;
  }
}

template <typename T>
std::string toml_value(const std::vector<T>& values) {
  std::vector<std::string> texts;
  texts.reserve(values.size());
  for (const T& value : values) texts.push_back(toml_value(value));
  return fmt::format("[{}]", fmt::join(texts, ", "));
}

// Collects a table's keys before its sub-tables: after a [header], TOML has no way back.
class Writer final : public ConfigFields {
 public:
  explicit Writer(std::string path) : path_(std::move(path)) {}

  void section(const std::string& name, const Declaration& declare) override {
    Writer inner(path_of(name));
    declare(inner);
    tables_ += fmt::format("\n[{}]\n{}", path_of(name), inner.text());
  }

  void require(bool /*holds*/, const std::string& /*name*/, const std::string& /*problem*/) override {}

  std::string text() const { return keys_ + tables_; }

 protected:
  void slot(const std::string& name, ConfigSlot slot) override {
    std::visit([&](const auto* value) { write(name, *value); }, slot);
  }

  void choose(const std::string& name, const std::vector<std::string>& words, std::size_t& index) override {
    write(name, words.at(index));
  }

  void sections(const std::string& name, std::size_t count, const std::function<void(std::size_t)>& /*resize*/,
                const std::function<void(ConfigFields&, std::size_t)>& declare) override {
    if (count == 0) write(name, std::vector<std::string>());
    for (std::size_t i = 0; i < count; ++i) {
      Writer inner(path_of(name));
      declare(inner, i);
      tables_ += fmt::format("\n[[{}]]\n{}", path_of(name), inner.text());
    }
  }

 private:
  std::string path_of(const std::string& name) const { return path_.empty() ? name : path_ + "." + name; }

  template <typename T>
  void write(const std::string& name, const T& value) {
    keys_ += fmt::format("{} = {}\n", name, toml_value(value));
  }

  template <typename T>
  void write(const std::string& name, const std::optional<T>& value) {
    if (value) write(name, *value);
  }

  std::string path_;
  std::string keys_;
  std::string tables_;
};

// Walks or makes the tables on the way to the last part of a dotted path, and puts `value` there.
void put(toml::table& root, const std::vector<std::string_view>& parts, const toml::node& value, const Place& where) {
  toml::node* place = &root;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const bool last = i + 1 == parts.size();
    if (toml::table* table = place->as_table()) {
      if (last)
        table->insert_or_assign(parts[i], value);
      else if (table->get(parts[i]) == nullptr)
        table->insert(parts[i], toml::table());
      place = table->get(parts[i]);
      continue;
    }
    toml::array* array = place->as_array();
    const auto index = list_index(parts[i]);
    if (array == nullptr || !index || *index >= array->size()) {
      const std::string around =
          fmt::format("{}", fmt::join(parts.begin(), parts.begin() + static_cast<std::ptrdiff_t>(i), "."));
      throw InputError(where, array == nullptr ? "'" + around + "' is a value, not a table"
                                               : fmt::format("'{}' is a list of {} items", around, array->size()));
    }
    if (last) array->replace(array->cbegin() + static_cast<std::ptrdiff_t>(*index), value);
    place = array->get(*index);
  }
}

}  // namespace

ConfigSource::ConfigSource(std::unique_ptr<State> state) : state_(std::move(state)) {}
ConfigSource::~ConfigSource() = default;
ConfigSource::ConfigSource(ConfigSource&&) noexcept = default;
ConfigSource& ConfigSource::operator=(ConfigSource&&) noexcept = default;

ConfigSource ConfigSource::from_file(const std::filesystem::path& path) {
  return from_text(read_file(path, kMaxConfigBytes), path.string());
}

ConfigSource ConfigSource::from_text(std::string_view text, const std::string& name) {
  auto state = std::make_unique<State>();
  state->name = name;
  state->root = parse_toml(text, name);
  return ConfigSource(std::move(state));
}

void ConfigSource::override_field(std::string_view assignment) {
  const Place where{.file = "override '" + printable(assignment) + "'"};
  const std::size_t equals = assignment.find('=');
  const std::string path(strip(assignment.substr(0, equals)));
  const auto parts = split(path, '.');
  const bool nameless = std::any_of(parts.begin(), parts.end(), [](std::string_view part) { return part.empty(); });
  if (equals == std::string_view::npos || nameless || !is_valid_utf8(assignment)) {
    throw InputError(where, "is not of the form key=value", "write for example rl.alpha=0.3");
  }
  const std::string value(strip(assignment.substr(equals + 1)));
  toml::table parsed;
  try {
    if (value.find('\n') == std::string::npos) parsed = toml::parse("x = " + value);
  } catch (const toml::parse_error&) {
    // Not TOML: a string whose quotes the shell took, or that never had any.
  }
  if (parsed.size() != 1) parsed = toml::table{{"x", value}};
  const toml::node& node = *parsed.get("x");  // its copy carries no source position
  put(state_->root, parts, node, where);
  state_->overrides[path] = {.assignment = printable(assignment), .value = value};
}

void ConfigSource::read(const ConfigFields::Declaration& declare) const {
  Reader::read_table(*state_, &state_->root, "", declare);
}

std::string config_text(const ConfigFields::Declaration& declare) {
  Writer writer("");
  declare(writer);
  const std::string text = writer.text();
  return text.starts_with('\n') ? text.substr(1) : text;
}

}  // namespace tritonrl::base
