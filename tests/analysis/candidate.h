#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "analysis/static_check.h"

namespace tritonrl::tests {

// Imports, and a kernel k(x, o, n, B) that doubles.
inline constexpr std::string_view kHeader =
    "import functools\n"
    "import torch\n"
    "import torch.nn as nn\n"
    "import triton\n"
    "import triton.language as tl\n"
    "@triton.jit\n"
    "def k(x, o, n, B: tl.constexpr):\n"
    "    i = tl.program_id(0) * B + tl.arange(0, B)\n"
    "    tl.store(o + i, tl.load(x + i, mask=i < n) * 2, mask=i < n)\n";

// The line of the first statement of a candidate's forward.
inline constexpr std::size_t kFirstBodyLine = 14;

// The header and a ModelNew whose forward(self, x) has this body; `top` stands before the class.
std::string candidate(std::string_view forward, std::string_view init = "pass", std::string_view top = "");

std::vector<std::string> rejections(const analysis::StaticReport& report);
std::vector<std::string> suspicions(const analysis::StaticReport& report);

// Everything that a report says but the time it took, a line a finding.
std::string describe(const analysis::StaticReport& report);

}  // namespace tritonrl::tests
