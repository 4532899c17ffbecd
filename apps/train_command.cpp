#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <filesystem>
#include <iostream>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "apps/interrupt.h"
#include "apps/run_commands.h"
#include "base/error.h"
#include "base/file.h"
#include "base/log.h"
#include "base/temporary_folder.h"
#include "recipe/recipe.h"
#include "recipe/stage_runner.h"
#include "tritonrl_version.h"

namespace tritonrl::apps {
namespace {

struct TrainArguments {
  std::string recipe;
  std::vector<std::string> overrides;
  unsigned jobs = 1;
  bool plan = false;
  std::string shapes = {};
  std::string device_memory = {};
  std::string price = {};
};

// How a stage ended. It hears of an interrupt that only this process got.
int wait_for(pid_t stage) {
  using namespace std::chrono_literals;
  int status = 0;
  bool told = false;
  pid_t ended = 0;
  while ((ended = ::waitpid(stage, &status, WNOHANG)) == 0) {
    if (interrupted() && !std::exchange(told, true)) pass_interrupt_on(stage);
    std::this_thread::sleep_for(20ms);
  }
  if (ended < 0) throw base::HostError::from_errno("wait for a stage", errno);
  return status;
}

// This program again, in a process of its own: what a stage held is given back when it ends.
int run_program(const std::vector<std::string>& arguments, const std::filesystem::path& log) {
  std::vector<std::string> words = {"tritonrl"};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> argv;
  argv.reserve(words.size() + 1);
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
  const int status = wait_for(child);
  if (WIFEXITED(status)) return WEXITSTATUS(status);
  throw base::HostError("a stage was killed by signal " + std::to_string(WTERMSIG(status)));
}

// Each sft and rl stage's own plan; the first status that is not 0.
int plan(const TrainArguments& arguments, const recipe::Recipe& recipe) {
  const base::TemporaryFolder folder("tritonrl-plan");  // nothing is written where the recipe's configs would be
  int status = base::kExitDone;
  for (const recipe::Stage& stage : recipe.stages) {
    const std::string& command = stage.arguments.front();
    const bool planned = (command == "sft" || command == "rl") && !stage.config.empty();
    std::cout << stage.name << ": " << command << (planned ? "\n" : ", not planned\n") << std::flush;
    if (!planned) continue;
    const std::string own_config = recipe.config_of(stage).string();
    const std::filesystem::path config = folder.path() / (stage.name + ".toml");
    base::write_file_atomically(config, stage.config);
    std::vector<std::string> words = stage.arguments;
    std::ranges::replace(words, own_config, config.string());
    words.emplace_back("--plan");
    for (const auto& [option, value] :
         {std::pair("--shapes", &arguments.shapes), std::pair("--device-memory", &arguments.device_memory),
          std::pair("--price", &arguments.price)}) {
      if (!value->empty()) words.insert(words.end(), {option, *value});
    }
    const int ended = run_program(words, {});
    if (status == base::kExitDone) status = ended;
    std::cout << '\n';
  }
  return status;
}

int train(const TrainArguments& arguments) {
  const auto recipe = recipe::read_recipe(arguments.recipe, arguments.overrides);
  if (arguments.plan) return plan(arguments, recipe);
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
  auto* planned = command->add_flag("--plan", arguments->plan,
                                    "Say what each sft and rl stage would take of memory and time, and run nothing");
  command
      ->add_option("--shapes", arguments->shapes,
                   "With --plan: a folder whose config.json stands for that of models that stages make")
      ->needs(planned);
  command->add_option("--device-memory", arguments->device_memory, "With --plan: for a GPU with so many GiB")
      ->needs(planned);
  command->add_option("--price", arguments->price, "With --plan: of an hour of the GPU")->needs(planned);
  command->footer("Example: tritonrl train recipes/smoke.toml");
  command->callback([&run, arguments] { run = [arguments] { return train(*arguments); }; });
}

}  // namespace tritonrl::apps
