#pragma once

#include <iosfwd>
#include <string>

#include "apps/run_record.h"
#include "base/json.h"
#include "base/terminal.h"

namespace tritonrl::apps {

// As the user would type it: without the folder that they are in.
std::string shown_path(const std::string& file);

// Findings as a good compiler prints them, `most` at the most, and a last line that adds up. Sources are read again.
void print_run(std::ostream& out, const std::string& script, const RunRecords& records, std::size_t most,
               const base::Terminal& terminal);

// A table of the kernels, then for each kernel one of its lines. Times are modelled on `device`, and say so.
void print_profile(std::ostream& out, const RunRecords& records, const std::string& device);

base::Json finding_json(const RunFinding& finding);
base::Json profile_json(const RunRecords& records, const std::string& device);

}  // namespace tritonrl::apps
