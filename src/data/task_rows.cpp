#include "data/task_rows.h"

#include <fmt/format.h>
#include <unistd.h>

#include <map>
#include <optional>

#include "base/json.h"
#include "base/text.h"
#include "data/kernelbook.h"
#include "data/parquet.h"
#include "task/dimensions.h"
#include "task/reference.h"
#include "task/suite.h"
#include "task/task_row.h"

namespace tritonrl::data {
namespace {

namespace fs = std::filesystem;
using base::Json;

constexpr std::size_t kMostRowBytes = std::size_t{16} << 20;

// A task's text, checked as a suite's would be.
TaskRow checked(task::Task task) {
  TaskRow row{.id = task.id, .where = task.where, .content = Problem{}};
  try {
    const auto tree = task::parse_reference(task.source, task.where);
    if (task.dims.empty()) task.dims = task::find_dimensions(tree);
    task::check_dimensions(task, tree);
    row.content = std::move(task);
  } catch (const base::InputError& error) {
    const bool python = error.problem().find("not Python") == std::string::npos;
    row.content = Problem{.reason = python ? "not-a-task" : "not-python", .message = error.problem()};
  }
  return row;
}

// A row of KernelBench's own Parquet files: {"code", "level", "name", "problem_id"}.
task::Task task_of_kernelbench(const Json& row, const base::Place& where) {
  task::Task task;
  task.level = row.value("level", 0);
  task.source = row.at("code").get<std::string>();
  const auto problem = row.find("problem_id");
  const std::string name = row.value("name", "");
  task.id = fmt::format("level{}/{}", task.level, problem == row.end() ? name : problem->dump());
  task.origin = "KernelBench " + name;
  task.where = where;
  return task;
}

TaskRow row_of(const Json& row, const base::Place& where) {
  const auto problem = [&](std::string reason, std::string message) {
    const std::string id = row.is_object() ? row.value("id", "") : "";
    return TaskRow{
        .id = id, .where = where, .content = Problem{.reason = std::move(reason), .message = std::move(message)}};
  };
  try {
    if (row.is_object() && row.contains("python_code")) {
      auto task = task_of_kernelbook(row, where);
      if (auto* why = std::get_if<Problem>(&task)) return problem(std::move(why->reason), std::move(why->message));
      return checked(std::get<task::Task>(std::move(task)));
    }
    if (row.is_object() && row.contains("code")) return checked(task_of_kernelbench(row, where));
    return checked(task::read_task_row(row, where));
  } catch (const base::InputError& error) {
    return problem("bad-row", error.problem());
  } catch (const Json::exception& error) {
    return problem("bad-row", error.what());
  }
}

std::vector<TaskRow> rows_of_jsonl(const fs::path& path) {
  std::vector<TaskRow> rows;
  base::JsonLines lines(path, kMostRowBytes);
  for (;;) {
    try {
      const auto line = lines.next();
      if (!line) break;
      rows.push_back(row_of(line->value, line->where));
    } catch (const base::InputError& error) {
      const bool again = !rows.empty() && rows.back().where.line == error.where().line;  // a line that cannot be passed
      if (error.where().line == 0 || again) throw;
      rows.push_back(
          {.id = "", .where = error.where(), .content = Problem{.reason = "bad-row", .message = error.problem()}});
    }
  }
  return rows;
}

std::vector<TaskRow> rows_of_parquet(const fs::path& path, const TaskRowsConfig& config) {
  const fs::path copy = fs::temp_directory_path() / fmt::format("tritonrl-rows-{}.jsonl", ::getpid());
  const auto remove = [&] {
    std::error_code ignored;
    fs::remove(copy, ignored);
  };
  try {
    parquet_to_jsonl(config.python, config.harness, path, copy);
    auto rows = rows_of_jsonl(copy);
    remove();
    for (TaskRow& row : rows) {  // its lines are the file's rows
      row.where.file = path.string();
      if (auto* task = std::get_if<task::Task>(&row.content)) task->where.file = path.string();
    }
    return rows;
  } catch (...) {
    remove();
    throw;
  }
}

std::vector<TaskRow> rows_of_folder(const fs::path& folder) {
  std::vector<TaskRow> rows;
  for (const auto& entry : task::Suite::list(folder)) {
    try {
      rows.push_back({.id = entry.id, .where = entry.where, .content = task::load_task_file(entry.where.file)});
    } catch (const base::InputError& error) {
      rows.push_back({.id = entry.id,
                      .where = error.where(),
                      .content = Problem{.reason = "not-a-task", .message = error.problem()}});
    }
  }
  return rows;
}

std::vector<TaskRow> read_rows(const fs::path& source, const TaskRowsConfig& config) {
  std::error_code ignored;
  if (fs::is_directory(source, ignored)) return rows_of_folder(source);
  const std::string kind = source.extension().string();
  if (kind == ".parquet") return rows_of_parquet(source, config);
  if (kind == ".jsonl") return rows_of_jsonl(source);
  if (kind == ".py") return {checked(task::load_task_file(source))};
  throw base::InputError({.file = source.string()},
                         fs::exists(source, ignored) ? "not a source of tasks" : "no such file",
                         "give a KernelBench folder, a .parquet or .jsonl file, or a .py file");
}

void mark_repeated_ids(std::vector<TaskRow>& rows) {
  std::map<std::string, base::Place> seen;
  for (TaskRow& row : rows) {
    if (std::holds_alternative<Problem>(row.content)) continue;
    const auto [first, fresh] = seen.emplace(row.id, row.where);
    if (fresh) continue;
    row.content = Problem{.reason = "duplicate-id",
                          .message = fmt::format("task id '{}' is taken by {}", row.id, first->second.text())};
  }
}

}  // namespace

std::vector<TaskRow> read_task_rows(const fs::path& source, const TaskRowsConfig& config) {
  auto rows = read_rows(source, config);
  if (rows.empty()) throw base::InputError({.file = source.string()}, "holds no rows", "give one task a row");
  mark_repeated_ids(rows);
  return rows;
}

}  // namespace tritonrl::data
