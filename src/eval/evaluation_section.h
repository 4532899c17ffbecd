#pragma once

#include <string>

#include "base/json.h"

namespace tritonrl::eval {

// An eval.json as HTML: figures by level, how the temperature was chosen, the gain over what it was compared with,
// failures by rule. `where` is the file, for what it lacks.
std::string evaluation_section(const std::string& name, const base::Json& report, const base::Place& where);

}  // namespace tritonrl::eval
