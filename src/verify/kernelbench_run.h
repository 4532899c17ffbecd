#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/json.h"
#include "verify/verifier.h"

namespace tritonrl::verify {

// The candidates of a KernelBench run folder: level_L_problem_P_sample_S_kernel.py, by level, problem and sample.
// `task_of` is asked for "levelL/P". InputError when the folder holds none.
std::vector<Candidate> read_run(const std::filesystem::path& folder,
                                const std::function<std::shared_ptr<const task::Task>(const std::string&)>& task_of);

// KernelBench's own summary, eval_results.json, beside the candidates. Candidates that the machine could not judge are
// left out: a rerun adds them.
void write_eval_results(const std::filesystem::path& folder, const std::vector<Candidate>& candidates,
                        const std::vector<base::Json>& verdicts);

}  // namespace tritonrl::verify
