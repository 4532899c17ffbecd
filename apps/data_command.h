#pragma once

#include <CLI/CLI.hpp>

#include "apps/command.h"

namespace tritonrl::apps {

// The subcommands of `tritonrl data`, each in a file of its own.
void add_data_make(CLI::App& data, Run& run);
void add_data_distill(CLI::App& data, Run& run);
void add_data_curate(CLI::App& data, Run& run);
void add_data_split(CLI::App& data, Run& run);
void add_data_stats(CLI::App& data, Run& run);
void add_import_command(CLI::App& parent, Run& run);  // of `tritonrl tasks` too

}  // namespace tritonrl::apps
