#pragma once

#include <variant>

#include "base/json.h"
#include "data/problem.h"
#include "task/task.h"

namespace tritonrl::data {

// A row of KernelBook ("python_code", with "entry_point" or "module_name", "uuid", "repo_name") as a task: the entry is
// called Model, and get_init_inputs gives the constructor's arguments in order instead of [[positional], {keyword}].
// The task's text is not yet checked.
std::variant<task::Task, Problem> task_of_kernelbook(const base::Json& row, const base::Place& where);

}  // namespace tritonrl::data
