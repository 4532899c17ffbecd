#include "apps/training_library.h"

namespace tritonrl::apps {

// The verifying half alone, or no torch to build with.
void add_training_commands(CLI::App& /*program*/, Run& /*run*/, const std::vector<std::string>& /*arguments*/) {}

}  // namespace tritonrl::apps
