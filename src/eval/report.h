#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace tritonrl::eval {

// One self-contained HTML page about one run, or several side by side: curves of all metrics, the verdict mix by rule
// over time, samples with plan and code coloured by advantage and the verdict's evidence, evaluations. Reads run
// folders only. InputError where a folder is no run.
std::string report_page(const std::vector<std::filesystem::path>& runs);

}  // namespace tritonrl::eval
