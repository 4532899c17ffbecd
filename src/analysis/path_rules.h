#pragma once

#include "analysis/findings.h"
#include "analysis/interpreter.h"
#include "analysis/static_check.h"

namespace tritonrl::analysis {

// The rules that look at a whole run of the entry: what was launched, what torch did, what came back.
void apply_path_rules(Interpreter& interpreter, Value* entry, const CheckOptions& options, Findings& findings);

// The rules on kernels and handlers that need no entry.
void apply_library_rules(Interpreter& interpreter, Findings& findings);

}  // namespace tritonrl::analysis
