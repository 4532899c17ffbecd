#include "apps/run_commands.h"

namespace tritonrl::apps {

// The verifying half alone makes no runs.
void add_report_command(CLI::App& /*program*/, Run& /*run*/) {}
void add_train_command(CLI::App& /*program*/, Run& /*run*/) {}

}  // namespace tritonrl::apps
