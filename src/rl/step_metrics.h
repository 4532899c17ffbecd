#pragma once

#include <functional>
#include <optional>
#include <string>

#include "rl/step.h"
#include "runlog/metrics.h"
#include "runlog/sample_record.h"

namespace tritonrl::rl {

// Whether a response's code does what its plan decides; nothing where that cannot be read.
using Agreement = std::function<std::optional<bool>(const std::string& response)>;

// The names of formats.md's list, and each class apart.
runlog::StepMetrics step_metrics(const StepResult& result, const RlConfig& config, const Agreement& agreement,
                                 double peak_flops);

std::vector<runlog::SampleRecord> sample_records(const StepResult& result, const std::vector<Problem>& problems,
                                                 std::int64_t step);

}  // namespace tritonrl::rl
