#include "apps/training/commands.h"

#include "apps/training_library.h"

extern "C" [[gnu::visibility("default")]] void tritonrl_add_training_commands(CLI::App* program,
                                                                              tritonrl::apps::Run* run) {
  tritonrl::apps::add_model_command(*program, *run);
  tritonrl::apps::add_sft_command(*program, *run);
  tritonrl::apps::add_rl_command(*program, *run);
  tritonrl::apps::add_eval_command(*program, *run);
}

static_assert(std::is_same_v<decltype(&tritonrl_add_training_commands), tritonrl::apps::AddTrainingCommands>);
