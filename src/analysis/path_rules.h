#pragma once

#include <vector>

#include "analysis/findings.h"
#include "analysis/interpreter.h"
#include "analysis/static_check.h"

namespace tritonrl::analysis {

// The rules that look at whole calls of the entries: what was launched, what torch did, what came back.
void apply_path_rules(Interpreter& interpreter, const std::vector<Value*>& entries, const CheckOptions& options,
                      Findings& findings);

// The rules on kernels and handlers that need no entry.
void apply_library_rules(Interpreter& interpreter, Findings& findings);

}  // namespace tritonrl::analysis
