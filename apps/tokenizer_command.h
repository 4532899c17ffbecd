#pragma once

#include "apps/command.h"

namespace tritonrl::apps {

// `tritonrl tokenizer train | encode | decode`; nothing where the training half is not built.
void add_tokenizer_command(CLI::App& program, Run& run);

}  // namespace tritonrl::apps
