#pragma once

#include <CLI/CLI.hpp>
#include <functional>

namespace tritonrl::apps {

// Adds a command to the program. When the user calls it, `run` is set to what it does; that returns the exit status.
using Run = std::function<int()>;
void add_check_command(CLI::App& program, Run& run);
void add_tasks_command(CLI::App& program, Run& run);
void add_doctor_command(CLI::App& program, Run& run);

}  // namespace tritonrl::apps
