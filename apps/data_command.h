#pragma once

#include <CLI/CLI.hpp>

#include <string>

#include "apps/command.h"

namespace tritonrl::apps {

// The subcommands of `tritonrl data`, each in a file of its own.
void add_data_make(CLI::App& data, Run& run);
void add_data_distill(CLI::App& data, Run& run);
void add_data_curate(CLI::App& data, Run& run);
void add_data_split(CLI::App& data, Run& run);
void add_data_stats(CLI::App& data, Run& run);
void add_import_command(CLI::App& parent, Run& run);  // of `tritonrl tasks` too

// The key for endpoints: $TRITONRL_API_KEY, else $OPENAI_API_KEY, else none.
std::string api_key();

}  // namespace tritonrl::apps
