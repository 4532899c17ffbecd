#pragma once

#include <iosfwd>
#include <string_view>

#include "analysis/static_check.h"
#include "base/terminal.h"

namespace tritonrl::apps {

// Prints a file's findings as a good compiler does: place, severity, message and rule, the source line, a caret.
void print_findings(std::ostream& out, std::string_view file, std::string_view source,
                    const analysis::StaticReport& report, const base::Terminal& terminal);

}  // namespace tritonrl::apps
