#include "task/reference.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "tests/base/temporary_folder.h"
#include "tests/task/reference_text.h"

namespace tritonrl::task {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;
using tests::message_of;
using tests::reference_text;

std::string refusal(const std::string& source, const base::Place& where = {.file = "task.py"}) {
  return message_of<base::InputError>([&] { parse_reference(source, where); });
}

constexpr const char* kAccepted = "(nothing was thrown)";
constexpr const char* kFunctions = "def get_inputs():\n    return []\ndef get_init_inputs():\n    return []\n";

TEST(Reference, AcceptsModelAndInputs) { EXPECT_EQ(refusal(reference_text("N = 4")), kAccepted); }

TEST(Reference, NamesEverythingThatIsMissingAtOnce) {
  EXPECT_EQ(refusal("import torch\n"),
            "task.py: not a task: class Model is missing; function get_inputs is missing; function get_init_inputs is "
            "missing; a task defines class Model with forward, get_inputs() and get_init_inputs()");
  EXPECT_THAT(refusal(""), StartsWith("task.py: not a task: class Model is missing"));
}

TEST(Reference, RefusesModelWithoutForward) {
  const std::string functions = kFunctions;
  EXPECT_THAT(refusal("class Model(nn.Module):\n    pass\n" + functions), HasSubstr("class Model has no forward"));
  EXPECT_THAT(refusal("class Model:\n    def backward(self): pass\n" + functions), HasSubstr("has no forward"));
  EXPECT_THAT(refusal("class A(nn.Module): pass\nclass Model(A): pass\n" + functions), HasSubstr("has no forward"));
  EXPECT_THAT(refusal("class Model(Model): pass\n" + functions), HasSubstr("has no forward"));
}

TEST(Reference, FollowsInheritanceToForward) {
  const std::string functions = kFunctions;
  EXPECT_EQ(refusal("class A(nn.Module):\n    def forward(self, x): return x\nclass Model(A): pass\n" + functions),
            kAccepted);
  EXPECT_EQ(refusal("from m import A\nclass Model(A): pass\n" + functions), kAccepted);
  EXPECT_EQ(refusal("class Model(nn.Sequential): pass\n" + functions), kAccepted);
}

TEST(Reference, AcceptsDefinitionsInsideConditions) {
  EXPECT_EQ(refusal("if True:\n    class Model:\n        def forward(self): pass\ntry:\n    " +
                    std::string("def get_inputs(): return []\nexcept E:\n    pass\nget_init_inputs = lambda: []\n")),
            kAccepted);
}

TEST(Reference, RefusesInputFunctionsThatNeedArguments) {
  const std::string model = "class Model:\n    def forward(self): pass\n";
  EXPECT_THAT(refusal(model + "def get_inputs(n): return []\ndef get_init_inputs(): return []\n"),
              HasSubstr("function get_inputs needs arguments"));
  EXPECT_EQ(refusal(model + "def get_inputs(n=3, *a, **k): return []\ndef get_init_inputs(): return []\n"), kAccepted);
}

TEST(Reference, TellsACandidateFromATask) {
  EXPECT_THAT(refusal("class ModelNew:\n    def forward(self): pass\n"), HasSubstr("this is a candidate"));
}

TEST(Reference, SaysWhereASyntaxErrorIs) {
  EXPECT_THAT(refusal("import torch\nclass Model(:\n    pass\n"), StartsWith("task.py:2:"));
  EXPECT_THAT(refusal("x = \"\xff\"\n"), StartsWith("task.py:1:6: the reference is not Python"));
  EXPECT_THAT(refusal(std::string("x\0", 2)), HasSubstr("the reference is not Python"));
  EXPECT_THAT(refusal("import torch\nclass Model(:\n", {.file = "s.jsonl", .line = 7}),
              StartsWith("s.jsonl:7: line 2, column "));
}

TEST(Reference, BoundsSizeAndNesting) {
  EXPECT_THAT(refusal(std::string(3 << 20, '#')), HasSubstr("the reference is too large"));
  EXPECT_THAT(refusal("x = " + std::string(10'000, '(')), HasSubstr("the reference is not Python"));
}

TEST(Reference, SurvivesAnElifChainOfTenThousand) {
  std::string source = reference_text("N = 4") + "if N == 0:\n    pass\n";
  for (int i = 0; i < 10'000; ++i) source += "elif N == 1:\n    pass\n";
  refusal(source);
}

}  // namespace
}  // namespace tritonrl::task
