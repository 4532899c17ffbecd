#pragma once

#include <vector>

#include "pysource/syntax_tree.h"
#include "task/task.h"

namespace tritonrl::task {

// The integer constants of the module that get_inputs or get_init_inputs use, directly or through other constants and
// helper functions, in the order of the source: N = 4096, H = W = 512, D, H = 16, 32, and shape = (16, 32) as shape[0]
// and shape[1]. What is computed from other constants, or bound by more than plain assignments, is not among them.
std::vector<Dimension> find_dimensions(const pysource::SyntaxTree& reference);

// InputError unless every dimension of the task can be found in its source, with the value it names.
void check_dimensions(const Task& task, const pysource::SyntaxTree& reference);

}  // namespace tritonrl::task
