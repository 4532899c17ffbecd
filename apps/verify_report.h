#pragma once

#include <ostream>

#include "base/json.h"
#include "base/terminal.h"
#include "verify/verifier.h"

namespace tritonrl::apps {

// A verdict for people: the findings with the source line under each, then one line that sums up.
void print_verdict(std::ostream& out, const verify::Candidate& candidate, const base::Json& verdict,
                   const base::Terminal& terminal);

}  // namespace tritonrl::apps
