#pragma once

#include <string>
#include <vector>

#include "apps/command.h"

namespace tritonrl::apps {

// The commands that compute with libtorch live in libtritonrl_training.so, which is loaded only when `arguments` call
// one of them: libtorch takes half a second to load, and the commands that judge kernels do without it. Otherwise they
// are added by name alone, for --help. Nothing is added where the training half is not built.
void add_training_commands(CLI::App& program, Run& run, const std::vector<std::string>& arguments);

// What the library exports, as tritonrl_add_training_commands: adds its commands with all their options.
using AddTrainingCommands = void (*)(CLI::App* program, Run* run);

}  // namespace tritonrl::apps
