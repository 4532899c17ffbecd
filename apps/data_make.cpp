#include <fmt/format.h>

#include <filesystem>
#include <iostream>
#include <memory>
#include <set>
#include <string>

#include "apps/data_command.h"
#include "base/error.h"
#include "base/file.h"
#include "base/progress.h"
#include "synth/teacher.h"
#include "task/suite.h"

namespace tritonrl::apps {
namespace {

struct MakeConfig {
  std::string out;
  std::string only;
  synth::TeacherConfig teacher;
  bool count = false;
  bool fault_free = false;
  std::uint64_t draws = 3000;
};

// How many different tasks there are, by level and family, and the largest share that a family must have of a level.
int count_tasks(const MakeConfig& config) {
  constexpr double kMostShare = 0.15;
  for (const auto& [level, families] : synth::count_distinct(config.teacher.seed, config.draws)) {
    std::uint64_t all = 0;
    for (const auto& [family, count] : families) all += count;
    const std::uint64_t kept = synth::balanced_count(families, kMostShare);
    for (const auto& [family, count] : families)
      std::cout << fmt::format("level {}  {:<18} {:>7}\n", level, family, count);
    std::cout << fmt::format("level {}  {:<18} {:>7}   with no family over {:.0f} %: {}\n", level, "all", all,
                             100 * kMostShare, kept);
  }
  return base::kExitDone;
}

std::set<std::string> ids_of(const std::string& suite) {
  std::set<std::string> ids;
  if (suite.empty()) return ids;
  const auto opened = task::Suite::open(suite);
  for (const auto& entry : opened.entries()) ids.insert(entry.id);
  return ids;
}

int make(MakeConfig config) {
  if (config.fault_free) config.teacher.make_no_faults();
  synth::check(config.teacher);
  if (config.count) return count_tasks(config);
  if (config.out.empty())
    throw base::InputError({.file = "data make"}, "nothing says where to write", "give --out FOLDER");
  const std::set<std::string> wanted = ids_of(config.only);
  std::string tasks;
  std::string samples;
  std::uint64_t made_tasks = 0;
  std::uint64_t made_samples = 0;
  base::Progress progress("make", config.teacher.tasks);
  for (std::uint64_t index = 0; index < config.teacher.tasks; ++index) {
    const auto taught = synth::teach(config.teacher, index);
    progress.advance();
    if (!config.only.empty() && !wanted.contains(taught.task.id)) continue;
    tasks += task::task_row(taught.task) + "\n";
    for (const auto& sample : taught.samples) samples += base::json_line(synth::to_json(sample)) + "\n";
    ++made_tasks;
    made_samples += taught.samples.size();
  }
  progress.finish();
  if (made_tasks < wanted.size()) {
    throw base::InputError(
        {.file = config.only},
        fmt::format("{} of its {} tasks are none of these", wanted.size() - made_tasks, wanted.size()),
        "give the --seed, --tasks and choice of families that they were made with");
  }
  const std::filesystem::path folder(config.out);
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) throw base::InputError({.file = config.out}, "cannot be made a folder: " + error.message());
  base::write_file_atomically(folder / "tasks.jsonl", tasks);
  base::write_file_atomically(folder / "samples.jsonl", samples);
  std::cout << fmt::format("{} tasks and {} samples in {}\n", made_tasks, made_samples, config.out);
  return base::kExitDone;
}

}  // namespace

void add_data_make(CLI::App& data, Run& run) {
  auto config = std::make_shared<MakeConfig>();
  auto& teacher = config->teacher;
  auto* command = data.add_subcommand("make", "Make tasks and responses with the embedded teacher.");
  command->add_option("--out", config->out, "A folder: tasks.jsonl and samples.jsonl are written there");
  command->add_option("--tasks", teacher.tasks, "How many tasks")->capture_default_str();
  command->add_option("--samples", teacher.samples, "Responses a task; 0: one for each schedule")
      ->capture_default_str();
  command->add_option("--only", config->only, "Only tasks that this suite holds, made with the same options");
  command->add_option("--seed", teacher.seed, "The same seed makes the same bytes")->capture_default_str();
  command->add_option("--levels", teacher.levels, "Shares of levels 1, 2 and 3")->delimiter(',')->capture_default_str();
  command->add_option("--families", teacher.families, "Only these families")->delimiter(',');
  command->add_flag("--compact", teacher.compact,
                    "Short plans and code in one style, fused, of eight families: for models of a million parameters");
  command->add_flag("--small-sizes", teacher.small_sizes, "Tasks at small sizes: quick to verify without a GPU");
  command->add_option("--slips", teacher.slips, "Share of samples with a slip")->capture_default_str();
  command->add_option("--misconceptions", teacher.misconceptions, "Share of wrong forms in misconceived idioms")
      ->capture_default_str();
  command->add_option("--cheats", teacher.cheats, "Share of samples that cheat")->capture_default_str();
  command->add_option("--cheat-kinds", teacher.cheat_kinds, "Of which kinds: torch, decoy, fallback")
      ->delimiter(',')
      ->capture_default_str();
  command->add_option("--broken-format", teacher.broken_format, "Share of samples in a broken format")
      ->capture_default_str();
  command->add_flag("--fault-free", config->fault_free, "No slips, misconceptions, cheats or broken formats");
  command->add_flag("--count", config->count, "Count distinct tasks instead, sizes and constants erased");
  command->add_option("--draws", config->draws, "With --count: tasks to draw of each family")->capture_default_str();
  command->footer("Example: tritonrl data make --tasks 20 --out build/teacher");
  command->callback([&run, config] { run = [config] { return make(*config); }; });
}

}  // namespace tritonrl::apps
