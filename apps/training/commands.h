#pragma once

#include "apps/command.h"

namespace tritonrl::apps {

void add_model_command(CLI::App& program, Run& run);
void add_sft_command(CLI::App& program, Run& run);
void add_rl_command(CLI::App& program, Run& run);
void add_eval_command(CLI::App& program, Run& run);
// Of `model`.
void add_generate(CLI::App& model, Run& run);

}  // namespace tritonrl::apps
