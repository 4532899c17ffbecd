#include <fmt/format.h>

#include <iostream>
#include <memory>
#include <string>

#include "analysis/reference_profile.h"
#include "apps/command.h"
#include "base/error.h"
#include "base/json.h"
#include "task/suite.h"

namespace tritonrl::apps {
namespace {

struct TasksConfig {
  std::string suite;
  std::string task;
  bool json = false;
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
}

}  // namespace tritonrl::apps
