#pragma once

#include <CLI/CLI.hpp>

#include "apps/command.h"

namespace tritonrl::apps {

// The subcommands of `tritonrl data`, each in a file of its own.
void add_data_make(CLI::App& data, Run& run);

}  // namespace tritonrl::apps
