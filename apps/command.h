#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <string>
#include <vector>

namespace tritonrl::apps {

// Adds a command to the program. When the user calls it, `run` is set to what it does; that returns the exit status.
using Run = std::function<int()>;
void add_check_command(CLI::App& program, Run& run);
void add_tasks_command(CLI::App& program, Run& run);
void add_verify_command(CLI::App& program, Run& run);
void add_data_command(CLI::App& program, Run& run);
void add_doctor_command(CLI::App& program, Run& run);
void add_sanitize_command(CLI::App& program, Run& run, const std::vector<std::string>& script_arguments);

// Takes from the program's arguments what belongs to the script of `sanitize`: after SCRIPT what is no option of ours,
// and everything after "--".
std::vector<std::string> take_script_arguments(const CLI::App& program, std::vector<std::string>& arguments);

}  // namespace tritonrl::apps
