#include <memory>

#include "apps/data_command.h"
#include "base/error.h"
#include "synth/teacher.h"

namespace tritonrl::apps {
namespace {

struct MakeConfig {
  std::string out;
  synth::TeacherConfig teacher;
};

int make(const MakeConfig& config) {
  throw base::InputError({.file = config.out}, "the embedded teacher has no families yet");
}

}  // namespace

void add_data_make(CLI::App& data, Run& run) {
  auto config = std::make_shared<MakeConfig>();
  auto* command = data.add_subcommand("make", "Make tasks and responses with the embedded teacher.");
  command->add_option("--out", config->out, "A folder: tasks.jsonl and samples.jsonl are written there")->required();
  command->add_option("--tasks", config->teacher.tasks, "How many tasks");
  command->add_option("--samples", config->teacher.samples, "Responses a task");
  command->add_option("--seed", config->teacher.seed, "The same seed makes the same bytes");
  command->footer("Example: tritonrl data make --tasks 20 --out build/teacher");
  command->callback([&run, config] { run = [config] { return make(*config); }; });
}

}  // namespace tritonrl::apps
