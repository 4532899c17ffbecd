#include "verify/candidate.h"

#include <gtest/gtest.h>

#include "reference_process_test.h"

namespace tritonrl::verify {
namespace {

using CandidateTest = ReferenceProcessTest;

TEST_F(CandidateTest, AnotherProcessKnowsNothingOfTheLast) {
  const std::string code = R"(
import builtins
import torch
if hasattr(builtins, "seen"):
    raise RuntimeError("was here before")
builtins.seen = True
class ModelNew(torch.nn.Module):
    def forward(self, x):
        return x + 1
)";
  CandidateProcess candidate([this] { return start("tritonrl_harness.guest:main"); });
  const std::uint64_t first = candidate.process().number();
  candidate.begin();
  EXPECT_FALSE(candidate.import(code, "ModelNew"));
  EXPECT_TRUE(candidate.import(code, "ModelNew")) << "the same process remembers";
  candidate.start_again();
  candidate.begin();
  EXPECT_NE(candidate.process().number(), first);
  EXPECT_FALSE(candidate.import(code, "ModelNew"));
}

}  // namespace
}  // namespace tritonrl::verify
