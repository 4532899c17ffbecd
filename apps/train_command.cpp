#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <memory>
#include <string>
#include <vector>

#include "apps/interrupt.h"
#include "apps/run_commands.h"
#include "base/error.h"
#include "base/log.h"
#include "recipe/recipe.h"
#include "recipe/stage_runner.h"
#include "tritonrl_version.h"

namespace tritonrl::apps {
namespace {

struct TrainArguments {
  std::string recipe;
  std::vector<std::string> overrides;
  unsigned jobs = 1;
};

// This program again, in a process of its own: what a stage held is given back when it ends.
int run_program(const std::vector<std::string>& arguments, const std::filesystem::path& log) {
  std::vector<std::string> words = {"tritonrl"};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  if (!log.empty()) {
    ::posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, log.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0644);
    ::posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);
  }
  pid_t child = 0;
  const int error = ::posix_spawn(&child, "/proc/self/exe", &actions, nullptr, argv.data(), environ);
  ::posix_spawn_file_actions_destroy(&actions);
  if (error != 0) throw base::HostError::from_errno("start a stage", error);
  int status = 0;
  while (::waitpid(child, &status, 0) < 0) {
    if (errno != EINTR) throw base::HostError::from_errno("wait for a stage", errno);
  }
  if (WIFEXITED(status)) return WEXITSTATUS(status);
  throw base::HostError("a stage was killed by signal " + std::to_string(WTERMSIG(status)));
}

int train(const TrainArguments& arguments) {
  const auto recipe = recipe::read_recipe(arguments.recipe, arguments.overrides);
  watch_interrupts();
  return recipe::run_stages(recipe, {.run = run_program,
                                     .stopped = interrupted,
                                     .say = [](const std::string& line) { base::log::info("{}", line); },
                                     .version = std::string(kVersion),
                                     .jobs = arguments.jobs});
}

}  // namespace

void add_train_command(CLI::App& program, Run& run) {
  auto arguments = std::make_shared<TrainArguments>();
  auto* command = program.add_subcommand("train", "Run the stages of a recipe: data, SFT, RL, evaluations, report.");
  command->add_option("RECIPE", arguments->recipe, "TOML; docs/training.md says how it reads")->required();
  command->add_option("overrides", arguments->overrides,
                      "A field of a stage's config: rl.rl.alpha=0.3; or folder=DIR, seed=N");
  command->add_option("--jobs", arguments->jobs, "Stages at a time, where a recipe has some that need not wait")
      ->check(CLI::PositiveNumber);
  command->footer("Example: tritonrl train recipes/smoke.toml");
  command->callback([&run, arguments] { run = [arguments] { return train(*arguments); }; });
}

}  // namespace tritonrl::apps
