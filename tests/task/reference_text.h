#pragma once

#include <string>

namespace tritonrl::tests {

// A reference around the constants and get_inputs that a test is about.
inline std::string reference_text(const std::string& constants, const std::string& inputs = "torch.rand(N)",
                                  const std::string& init_inputs = "") {
  return "import torch\nimport torch.nn as nn\n\n\nclass Model(nn.Module):\n    def forward(self, x):\n"
         "        return torch.relu(x)\n\n\n" +
         constants + "\n\ndef get_inputs():\n    return [" + inputs + "]\n\n\ndef get_init_inputs():\n    return [" +
         init_inputs + "]\n";
}

}  // namespace tritonrl::tests
