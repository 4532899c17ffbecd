#include "task/suite.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <system_error>
#include <utility>

#include "base/file.h"
#include "base/json.h"
#include "base/text.h"
#include "task/dimensions.h"
#include "task/reference.h"
#include "task/task_row.h"

namespace tritonrl::task {
namespace {

namespace fs = std::filesystem;
using base::InputError;

// Sources of up to 1 MiB, each byte of which JSON may write in six.
constexpr std::size_t kMaxRowBytes = std::size_t{8} << 20;

std::optional<int> leading_number(std::string_view text, std::string_view& rest) {
  int number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || number < 0 || text.starts_with('-')) return std::nullopt;
  rest = text.substr(static_cast<std::size_t>(end - text.data()));
  return number;
}

// 1 for a folder called "level1".
std::optional<int> level_of(const fs::path& folder) {
  const std::string name = folder.filename().string();
  std::string_view rest;
  if (!name.starts_with("level")) return std::nullopt;
  const auto number = leading_number(std::string_view(name).substr(5), rest);
  return number && rest.empty() ? number : std::nullopt;
}

// Whatever a trailing slash, "." or ".." hides of a folder's name.
fs::path with_name(const fs::path& folder) {
  std::error_code ignored;
  fs::path full = fs::canonical(folder, ignored);
  return ignored ? folder : full;
}

// The entry of a task file, by its own name and its folder's.
Suite::Entry entry_of(const fs::path& file) {
  const std::string stem = file.stem().string();
  const fs::path folder = with_name(file.has_parent_path() ? file.parent_path() : fs::path("."));
  Suite::Entry entry{.id = stem, .level = level_of(folder).value_or(0), .name = stem, .where = {.file = file.string()}};
  if (!level_of(folder)) return entry;
  std::string_view rest;
  const auto number = leading_number(stem, rest);
  const bool numbered = number && (rest.empty() || rest.starts_with('_'));
  entry.id = fmt::format("level{}/{}", entry.level, numbered ? std::to_string(*number) : stem);
  if (numbered && rest.size() > 1) entry.name = rest.substr(1);
  return entry;
}

void require_regular(const fs::path& file) {
  std::error_code failure;
  const fs::file_status status = fs::status(file, failure);
  if (fs::is_regular_file(status)) return;
  throw InputError({.file = file.string()},
                   fs::is_directory(status)                    ? "is a folder where a task file was expected"
                   : status.type() == fs::file_type::not_found ? "is a symbolic link to nothing"
                   : failure                                   ? "cannot be examined: " + failure.message()
                                                               : "is not a regular file",
                   "remove it from the suite, or replace it by a file");
}

std::vector<fs::path> list_folder(const fs::path& folder) {
  std::error_code failure;
  std::vector<fs::path> paths;
  auto item = fs::directory_iterator(folder, failure);
  for (; !failure && item != fs::directory_iterator(); item.increment(failure)) {
    if (!item->path().filename().string().starts_with('.')) paths.push_back(item->path());
  }
  if (failure)
    throw InputError({.file = folder.string()}, "cannot be listed: " + failure.message(), "check its permissions");
  return paths;
}

void add_task_files(const fs::path& folder, std::vector<Suite::Entry>& entries) {
  for (const fs::path& path : list_folder(folder)) {
    if (path.extension() != ".py" || path.filename() == "__init__.py") continue;
    require_regular(path);
    entries.push_back(entry_of(path));
  }
}

std::vector<std::string> ids_of(const std::vector<Suite::Entry>& entries) {
  std::vector<std::string> ids;
  ids.reserve(entries.size());
  for (const Suite::Entry& entry : entries) ids.push_back(entry.id);
  return ids;
}

// Checks the text of a task, whose other fields are there.
Task checked(Task task, bool find_dims) {
  const pysource::SyntaxTree tree = parse_reference(task.source, task.where);
  if (find_dims) task.dims = find_dimensions(tree);
  check_dimensions(task, tree);
  return task;
}

std::string examples_of(const Suite& suite) {
  std::vector<std::string> ids = ids_of(suite.entries());
  const bool more = ids.size() > 3;
  if (more) ids.resize(3);
  return fmt::format("{}{}", fmt::join(ids, ", "), more ? ", ..." : "");
}

[[noreturn]] void refuse_whole_suite(const fs::path& path, char separator) {
  const Suite suite = Suite::open(path);
  throw InputError(
      {.file = path.string()}, fmt::format("holds {} tasks where one was expected", suite.entries().size()),
      fmt::format("choose one as {}{}ID, with ID one of {}", path.string(), separator, examples_of(suite)));
}

// Splits at the first separator that follows an existing path.
std::optional<std::pair<fs::path, std::string>> split_suite_and_id(std::string_view argument, char separator) {
  for (std::size_t at = argument.find(separator); at != std::string_view::npos; at = argument.find(separator, at + 1)) {
    std::error_code ignored;
    const fs::path suite(argument.substr(0, at));
    if (!suite.empty() && fs::exists(suite, ignored)) return std::pair(suite, std::string(argument.substr(at + 1)));
  }
  return std::nullopt;
}

bool is_rows_file(const fs::path& path) { return path.extension() == ".jsonl"; }

}  // namespace

Suite Suite::open(const fs::path& path) {
  std::error_code failure;
  const fs::file_status status = fs::status(path, failure);
  if (fs::is_directory(status)) return open_folder(path);
  if (is_rows_file(path)) return open_rows(path);
  if (status.type() == fs::file_type::not_found) {
    throw InputError({.file = path.string()}, "no such suite", "give a folder of tasks or a .jsonl file");
  }
  throw InputError({.file = path.string()}, "not a suite", "give a folder of tasks or a .jsonl file");
}

Suite Suite::open_rows(const fs::path& path) {
  std::vector<Entry> entries;
  base::JsonLines rows(path, kMaxRowBytes);
  while (const auto row = rows.next()) {
    const Task task = read_task_row(row->value, row->where);
    entries.push_back(
        {.id = task.id, .level = task.level, .name = task.id, .where = row->where, .offset_bytes = row->offset_bytes});
  }
  if (entries.empty()) throw InputError({.file = path.string()}, "holds no tasks", "give one task a line");
  return {path, std::move(entries), true};
}

Suite Suite::open_folder(const fs::path& path) { return {path, list(path), false}; }

Suite::ById Suite::index_of(const std::vector<Entry>& entries) {
  ById seen;
  for (std::size_t n = 0; n < entries.size(); ++n) {
    const Entry& entry = entries[n];
    const auto [first, fresh] = seen.emplace(entry.id, n);
    if (!fresh) {
      throw InputError(entry.where,
                       fmt::format("task id '{}' is taken by {}", entry.id, entries[first->second].where.text()),
                       "give each task an id of its own");
    }
  }
  return seen;
}

std::vector<Suite::Entry> Suite::list(const fs::path& path) {
  std::vector<Entry> entries;
  for (const fs::path& inner : list_folder(path)) {
    std::error_code ignored;
    if (level_of(inner) && fs::is_directory(inner, ignored)) add_task_files(inner, entries);
  }
  if (entries.empty()) add_task_files(path, entries);
  if (entries.empty()) {
    throw InputError(
        {.file = path.string()}, "holds no tasks",
        "a suite is a folder with level1/, level2/... of .py files, a folder of .py files, or a .jsonl file");
  }
  std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
    return a.id != b.id ? base::natural_less(a.id, b.id) : a.where.file < b.where.file;
  });
  return entries;
}

const Suite::Entry& Suite::find(std::string_view id) const {
  if (const auto known = by_id_.find(id); known != by_id_.end()) return entries_[known->second];
  for (const Entry& entry : entries_) {
    // "level1/23_Softmax", with or without .py, as the file is called.
    const fs::path file(entry.where.file);
    const std::string stem = file.stem().string();
    const std::string named = entry.level > 0 ? fmt::format("level{}/{}", entry.level, stem) : stem;
    if (!rows_ && (named == id || named + ".py" == id)) return entry;
  }
  const auto nearest = base::nearest_name(id, ids_of(entries_));
  throw InputError({.file = path_.string()}, fmt::format("no task '{}' in this suite", base::printable(id)),
                   nearest ? "did you mean '" + *nearest + "'?" : "its tasks are " + examples_of(*this));
}

Task Suite::load(const Entry& entry) const {
  if (!rows_) return load_task_file(entry.where.file);
  base::JsonLines rows(path_, kMaxRowBytes);
  rows.seek(entry.where, entry.offset_bytes);
  const auto row = rows.next();
  if (!row) throw InputError(entry.where, "the row is gone: the file changed while it was read", "try again");
  Task task = read_task_row(row->value, row->where);
  if (task.id != entry.id) throw InputError(entry.where, "the file changed while it was read", "try again");
  return checked(std::move(task), false);
}

Task load_task_file(const fs::path& path) {
  Task task;
  task.source = base::read_file(path, pysource::kMaxSourceBytes);
  Suite::Entry entry = entry_of(path);
  task.id = std::move(entry.id);
  task.level = entry.level;
  task.origin = path.string();
  task.where = {.file = path.string()};
  return checked(std::move(task), true);
}

Task load_task(std::string_view argument) {
  const fs::path path(argument);
  std::error_code ignored;
  if (fs::is_directory(path, ignored)) refuse_whole_suite(path, ':');
  if (fs::exists(path, ignored)) {
    if (is_rows_file(path)) refuse_whole_suite(path, '#');
    return load_task_file(path);
  }
  for (const char separator : {'#', ':'}) {
    const auto parts = split_suite_and_id(argument, separator);
    if (!parts) continue;
    const auto& [suite_path, id] = *parts;
    if (separator == '#' && !is_rows_file(suite_path)) continue;
    const Suite suite = Suite::open(suite_path);
    return suite.load(suite.find(id));
  }
  throw InputError({.file = base::printable(argument, 400)}, "no such task", "give a file, SUITE:ID or FILE.jsonl#ID");
}

}  // namespace tritonrl::task
