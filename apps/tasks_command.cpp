#include <fmt/format.h>

#include <iostream>
#include <memory>
#include <string>

#include "analysis/reference_profile.h"
#include "apps/command.h"
#include "apps/data_command.h"
#include "apps/verifier_setup.h"
#include "base/error.h"
#include "base/json.h"
#include "base/progress.h"
#include "task/suite.h"

namespace tritonrl::apps {
namespace {

struct TasksConfig {
  std::string suite;
  std::string task;
  bool json = false;
  unsigned jobs = 0;
};

int list_tasks(const TasksConfig& config) {
  const auto suite = task::Suite::open(config.suite);
  for (const auto& entry : suite.entries()) {
    if (config.json) {
      std::cout << base::json_line({{"id", entry.id}, {"level", entry.level}, {"name", entry.name}}) << '\n';
    } else {
      std::cout << fmt::format("{:<24} level {}  {}\n", entry.id, entry.level, entry.name);
    }
  }
  return base::kExitDone;
}

std::string dims_text(const std::vector<task::Dimension>& dims) {
  std::string text;
  for (const auto& dim : dims) text += fmt::format("{}{}={}", text.empty() ? "" : ", ", dim.name, dim.value);
  return text;
}

int show_task(const TasksConfig& config) {
  const auto task = task::load_task(config.task);
  if (config.json) {
    std::cout << task::task_row(task) << '\n';
    return base::kExitDone;
  }
  const auto profile = analysis::profile_reference(task.source);
  std::string operators;
  for (const auto& name : profile.main_operators) operators += (operators.empty() ? "" : ", ") + name;
  if (profile.only_moves_data) operators = "none: it only moves data";
  std::cout << fmt::format("task        {}\nlevel       {}\norigin      {}\nprecision   {}\n", task.id, task.level,
                           task.origin, task::precision_name(task.precision));
  std::cout << fmt::format("dimensions  {}\n", task.fixed_shape() ? "none: the shape is fixed" : dims_text(task.dims));
  for (const auto& variant : task.variants) std::cout << fmt::format("variant     {}\n", dims_text(variant));
  std::cout << fmt::format("operators   {}\n\n{}", operators, task.source);
  if (!task.source.ends_with('\n')) std::cout << '\n';
  return base::kExitDone;
}

// The tasks of a suite, or one task.
std::vector<std::shared_ptr<const task::Task>> load_all(const std::string& argument) {
  std::vector<std::shared_ptr<const task::Task>> tasks;
  const bool one =
      argument.ends_with(".py") || argument.find(':') != std::string::npos || argument.find('#') != std::string::npos;
  if (one) {
    tasks.push_back(std::make_shared<task::Task>(task::load_task(argument)));
    return tasks;
  }
  const auto suite = task::Suite::open(argument);
  for (const auto& entry : suite.entries()) tasks.push_back(std::make_shared<task::Task>(suite.load(entry)));
  return tasks;
}

int admit_tasks(const TasksConfig& config) {
  const auto tasks = load_all(config.suite);
  verify::VerifierConfig setup = local_verifier("auto");
  if (config.jobs != 0) setup.jobs = config.jobs;
  verify::Verifier verifier(std::move(setup));
  base::Progress progress("admit", tasks.size());
  std::size_t refused = 0;
  std::size_t failed = 0;
  verifier.admit(tasks, [&](std::size_t n, const base::Json& report) {
    const bool error = report.contains("error");
    failed += error ? 1 : 0;
    refused += !error && !report.at("admitted").get<bool>() ? 1 : 0;
    if (config.json) {
      std::cout << base::json_line(report) << '\n' << std::flush;
    } else if (error) {
      std::cout << fmt::format("{:<32} not tried  {}\n", tasks[n]->id, report.at("error").get<std::string>());
    } else if (report.at("admitted").get<bool>()) {
      std::cout << fmt::format("{:<32} admitted\n", tasks[n]->id);
    } else {
      std::cout << fmt::format("{:<32} refused    {}: {}\n", tasks[n]->id, report.at("reason").get<std::string>(),
                               report.at("message").get<std::string>());
    }
    progress.advance();
  });
  progress.finish();
  if (!config.json) {
    std::cout << fmt::format("{} tasks: {} admitted, {} refused, {} not tried\n", tasks.size(),
                             tasks.size() - refused - failed, refused, failed);
  }
  if (failed > 0) return base::kExitHostFailed;
  return refused > 0 ? base::kExitRejected : base::kExitDone;
}

}  // namespace

void add_tasks_command(CLI::App& program, Run& run) {
  auto config = std::make_shared<TasksConfig>();
  auto* command = program.add_subcommand("tasks", "Look at suites of tasks.");
  command->require_subcommand(1);
  command->footer("Example: tritonrl tasks ls tests/cases/tasks");

  auto* list = command->add_subcommand("ls", "List a suite's tasks.");
  list->add_option("SUITE", config->suite, "A folder of KernelBench files or of levelN/ folders, or a .jsonl file")
      ->required();
  list->add_flag("--json", config->json, "One JSON object a line");
  list->footer("Example: tritonrl tasks ls tests/cases/tasks");
  list->callback([&run, config] { run = [config] { return list_tasks(*config); }; });

  auto* show = command->add_subcommand("show", "Show a task: its sizes, its main operators, its source.");
  show->add_option("TASK", config->task, "A KernelBench file, SUITE:ID or FILE.jsonl#ID")->required();
  show->add_flag("--json", config->json, "As one row of a JSONL suite");
  show->footer("Example: tritonrl tasks show tests/cases/tasks:softmax");
  show->callback([&run, config] { run = [config] { return show_task(*config); }; });

  auto* admit =
      command->add_subcommand("admit", "Say which tasks can judge: zeros, constants and the like must fail on them.");
  admit->add_option("SUITE", config->suite, "A suite, or one task")->required();
  admit->add_option("--jobs", config->jobs, "Tasks at a time (default: as many as cores)");
  admit->add_flag("--json", config->json, "One JSON object a line");
  admit->footer("Example: tritonrl tasks admit tests/cases/tasks:softmax");
  admit->callback([&run, config] { run = [config] { return admit_tasks(*config); }; });

  add_import_command(*command, run);
}

}  // namespace tritonrl::apps
