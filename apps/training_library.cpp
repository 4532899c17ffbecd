#include "apps/training_library.h"

#include <dlfcn.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <string_view>
#include <system_error>

#include "base/error.h"

namespace tritonrl::apps {
namespace {

struct TrainingCommand {
  std::string_view name;
  std::string_view summary;
};

constexpr std::array<TrainingCommand, 4> kCommands = {{
    {"model", "Make, describe and try models."},
    {"sft", "Train a model on samples of prompts and responses."},
    {"rl", "Train a model on what the verifier says of its kernels."},
    {"eval", "Judge a model, or samples of one, on a suite of tasks."},
}};

// Never unloaded: libtorch does not survive that.
AddTrainingCommands load() {
  std::error_code error;
  const auto program = std::filesystem::read_symlink("/proc/self/exe", error);
  const auto library = program.parent_path().parent_path() / "lib" / "libtritonrl_training.so";
  void* handle = ::dlopen(library.c_str(), RTLD_LAZY | RTLD_LOCAL);
  if (handle == nullptr) {
    throw base::HostError("cannot load the training half: " + std::string(::dlerror()) + "; `make build` makes it");
  }
  void* symbol = ::dlsym(handle, "tritonrl_add_training_commands");
  if (symbol == nullptr) {
    throw base::HostError(library.string() + " is not of this program's build; `make build` makes it again");
  }
  return reinterpret_cast<AddTrainingCommands>(symbol);
}

}  // namespace

void add_training_commands(CLI::App& program, Run& run, const std::vector<std::string>& arguments) {
  const auto called = [&](const TrainingCommand& command) { return command.name == arguments.front(); };
  if (!arguments.empty() && std::ranges::any_of(kCommands, called)) {
    load()(&program, &run);
    return;
  }
  for (const auto& command : kCommands) program.add_subcommand(std::string(command.name), std::string(command.summary));
}

}  // namespace tritonrl::apps
