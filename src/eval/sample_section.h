#pragma once

#include <string>

#include "runlog/sample_record.h"

namespace tritonrl::eval {

// A response to read, folded: plan and code in a colour each, with their advantages, and what the verifier found.
std::string sample_section(const runlog::SampleRecord& sample);

}  // namespace tritonrl::eval
