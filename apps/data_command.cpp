#include "apps/data_command.h"

namespace tritonrl::apps {

void add_data_command(CLI::App& program, Run& run) {
  auto* data = program.add_subcommand("data", "Make training data: tasks and responses to them.");
  data->require_subcommand(1);
  data->footer("Example: tritonrl data make --tasks 20 --out build/teacher");
  add_data_make(*data, run);
  add_data_distill(*data, run);
  add_import_command(*data, run);
  add_data_curate(*data, run);
  add_data_split(*data, run);
  add_data_stats(*data, run);
}

}  // namespace tritonrl::apps
