#include "apps/data_command.h"

namespace tritonrl::apps {

void add_data_command(CLI::App& program, Run& run) {
  auto* data = program.add_subcommand("data", "Make training data: tasks and responses to them.");
  data->require_subcommand(1);
  data->footer("Example: tritonrl data make --tasks 20 --out build/teacher");
  add_data_make(*data, run);
}

}  // namespace tritonrl::apps
