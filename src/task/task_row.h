#pragma once

#include "base/json.h"
#include "task/task.h"

namespace tritonrl::task {

// The task of one JSONL row, its fields and their types checked, its source not yet. InputError at the row's place.
Task read_task_row(const base::Json& row, const base::Place& where);

}  // namespace tritonrl::task
