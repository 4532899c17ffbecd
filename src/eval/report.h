#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "eval/arm.h"

namespace tritonrl::eval {

// One self-contained HTML page about one run, or several side by side: curves of all metrics, the verdict mix by rule
// over time, samples with plan and code coloured by advantage and the verdict's evidence, the evaluations in a run's
// eval/ and those of `evaluations`, which stand first; or about an experiment's arms, without any run. Reads folders
// only. InputError where one is no run, or holds no evaluation.
std::string report_page(const std::vector<std::filesystem::path>& runs,
                        const std::vector<std::filesystem::path>& evaluations = {}, const std::vector<Arm>& arms = {});

// Of its curves those that show what was learned (rewards, verdicts, losses), as one SVG file for documents.
std::string curves_svg(const std::vector<std::filesystem::path>& runs);

}  // namespace tritonrl::eval
