#pragma once

#include <filesystem>
#include <vector>

#include "base/json.h"
#include "verify/verifier.h"

namespace tritonrl::eval {

// What KernelBench's own scripts read, in a folder for each level: level_L_problem_P_sample_S_kernel.py with the code,
// and eval_results.json. P is the number that a task's id ends in ("level1/23"), or else its place among the level's
// tasks, from 1; problems.json says which is which.
void write_kernelbench_files(const std::filesystem::path& folder, const std::vector<verify::Candidate>& candidates,
                             const std::vector<base::Json>& verdicts);

}  // namespace tritonrl::eval
