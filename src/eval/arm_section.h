#pragma once

#include <string>
#include <vector>

#include "eval/arm.h"

namespace tritonrl::eval {

// An experiment's arms as HTML: a table and a figure of what each gained. Empty where there is none.
std::string arm_section(const std::vector<Arm>& arms);

// The figure alone, as a file.
std::string arms_svg(const std::vector<Arm>& arms);

}  // namespace tritonrl::eval
