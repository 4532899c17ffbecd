#include "apps/tokenizer_command.h"

namespace tritonrl::apps {

// The verifying half alone has no tokenizer.
void add_tokenizer_command(CLI::App& /*program*/, Run& /*run*/) {}

}  // namespace tritonrl::apps
