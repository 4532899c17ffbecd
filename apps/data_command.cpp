#include "apps/data_command.h"

#include <cstdlib>

namespace tritonrl::apps {

std::string api_key() {
  for (const char* name : {"TRITONRL_API_KEY", "OPENAI_API_KEY"}) {
    const char* value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe): no thread runs yet
    if (value != nullptr && *value != '\0') return value;
  }
  return {};
}

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
