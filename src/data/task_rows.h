#pragma once

#include <filesystem>
#include <string>
#include <variant>
#include <vector>

#include "base/error.h"
#include "data/problem.h"
#include "task/task.h"

namespace tritonrl::data {

// One row of what people bring: a task whose text was checked, or why it is none.
struct TaskRow {
  std::string id;  // as far as it is known
  base::Place where;
  std::variant<task::Task, Problem> content;
};

struct TaskRowsConfig {
  std::filesystem::path python;   // with pyarrow
  std::filesystem::path harness;  // the folder that holds parquet_rows.py
};

// The tasks of a KernelBench folder, of Parquet or JSONL with rows of KernelBook's, KernelBench's or our own kind, or
// of one file. A bad row is a Problem: not JSON, no entry point, not Python, an id that an earlier row has. InputError
// for what cannot be read as a whole: no such file, truncated Parquet, no rows at all.
std::vector<TaskRow> read_task_rows(const std::filesystem::path& source, const TaskRowsConfig& config);

}  // namespace tritonrl::data
