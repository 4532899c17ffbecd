#pragma once

#include "apps/command.h"

namespace tritonrl::apps {

// What goes with training and needs no libtorch; nothing where the training half is not built.
void add_report_command(CLI::App& program, Run& run);
void add_train_command(CLI::App& program, Run& run);

}  // namespace tritonrl::apps
