#pragma once

#include "apps/command.h"

namespace tritonrl::apps {

// `tritonrl report`; nothing where the training half is not built.
void add_report_command(CLI::App& program, Run& run);

}  // namespace tritonrl::apps
