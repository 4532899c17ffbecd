#pragma once

#include <vector>

#include "task/task.h"

namespace tritonrl::task {

// The task with inputs of one axis more (a first one, of 2) and of one less (without the first), as tasks of their own
// with ids such as "softmax@3d", after the rank of the first input. Whether the reference takes them is not known yet.
// None where get_inputs() does more than return a list of torch.rand(...) and the like.
std::vector<Task> with_other_ranks(const Task& task);

}  // namespace tritonrl::task
