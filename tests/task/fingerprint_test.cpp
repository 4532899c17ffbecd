#include "task/fingerprint.h"

#include <gtest/gtest.h>

#include <string>

namespace tritonrl::task {
namespace {

constexpr const char* kPlain = R"(
import torch
import torch.nn as nn
import torch.nn.functional as F

N = 128

class Model(nn.Module):
    """Words."""
    def __init__(self, width):
        super().__init__()
        self.linear = nn.Linear(width, 32)

    def forward(self, x):
        y = self.linear(x)
        return F.relu(y) * 2.0

def get_inputs():
    return [torch.randn(4, N)]

def get_init_inputs():
    return [N]
)";

TEST(Fingerprint, IsTheSameForOtherNamesNumbersImportsAndInputs) {
  const char* twin = R"(
from torch import nn
from torch.nn import functional
import torch

def get_init_inputs():
    return [7]

def get_inputs():
    shape = (3, 7)
    return [torch.rand(*shape)]

SCALE = 3

class Model(nn.Module):
    def __init__(self, features: int) -> None:
        super().__init__()
        self.layer = nn.Linear(features, 99)  # a comment

    def forward(self, given: torch.Tensor):
        hidden = self.layer(given)
        return functional.relu(hidden) * SCALE
)";
  EXPECT_EQ(tree_fingerprint(kPlain), tree_fingerprint(twin));
}

TEST(Fingerprint, DiffersForAnotherOperator) {
  std::string other = kPlain;
  other.replace(other.find("F.relu"), 6, "F.gelu");
  EXPECT_NE(tree_fingerprint(kPlain), tree_fingerprint(other));
}

TEST(Fingerprint, DiffersForAnotherHelper) {
  const std::string first =
      "def help(x):\n    return x + 1\n\nclass Model:\n    def forward(self, x):\n        return help(x)\n";
  std::string second = first;
  second.replace(second.find("x + 1"), 5, "x * x");
  EXPECT_NE(tree_fingerprint(first), tree_fingerprint(second));
}

TEST(Fingerprint, OfTextThatIsNoPythonIsThatOfItsBytes) {
  EXPECT_EQ(tree_fingerprint("def ("), tree_fingerprint("def ("));
  EXPECT_NE(tree_fingerprint("def ("), tree_fingerprint("def (("));
}

TEST(Fingerprint, OfACandidateHeedsNumbersAndNotNames) {
  const std::string first = "BLOCK = 64\nclass ModelNew:\n    def forward(self, x):\n        return launch(x, BLOCK)\n";
  std::string renamed = first;
  for (std::size_t at = renamed.find("BLOCK"); at != std::string::npos; at = renamed.find("BLOCK"))
    renamed.replace(at, 5, "WIDTH");
  std::string larger = first;
  larger.replace(larger.find("64"), 2, "32");
  EXPECT_EQ(code_fingerprint(first, "ModelNew"), code_fingerprint(renamed, "ModelNew"));
  EXPECT_NE(code_fingerprint(first, "ModelNew"), code_fingerprint(larger, "ModelNew"));
}

}  // namespace
}  // namespace tritonrl::task
