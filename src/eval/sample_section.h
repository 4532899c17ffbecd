#pragma once

#include <string>

#include "runlog/sample_record.h"

namespace tritonrl::eval {

struct SampleView {
  bool open = false;
};

// A response to read, folded unless open: plan and code in a colour each, with their advantages, and what the verifier
// found.
std::string sample_section(const runlog::SampleRecord& sample, const SampleView& view = {});

}  // namespace tritonrl::eval
