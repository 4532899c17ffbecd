#include "analysis/reference_profile.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/file.h"
#include "tests/analysis/case_file.h"

namespace tritonrl::analysis {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

ReferenceProfile profile_of_case(std::string_view name) {
  return profile_reference(base::read_file(cases_folder() / "tasks" / name));
}

std::string reference(const std::string& forward, const std::string& inputs = "torch.rand(4)",
                      const std::string& init = "") {
  return "import torch\nimport torch.nn as nn\nimport torch.nn.functional as F\nclass Model(nn.Module):\n    def "
         "__init__(self, *a):\n"
         "        super().__init__()\n        self.linear = nn.Linear(4, 4)\n    def forward(self, x, *rest):\n       "
         " " +
         forward + "\ndef get_inputs():\n    return [" + inputs + "]\ndef get_init_inputs():\n    return [" + init +
         "]\n";
}

TEST(OperatorFamily, PutsEveryProductTogether) {
  for (const char* name :
       {"@", "torch.matmul", "torch.mm", "torch.bmm", "torch.addmm", "torch.nn.functional.linear", "torch.nn.Linear",
        "torch.einsum", "torch.ops.aten.mm.default", "torch.baddbmm", "mm", "torch.Tensor.matmul"}) {
    EXPECT_EQ(operator_family(name), "matmul") << name;
  }
}

TEST(OperatorFamily, PutsModulesAndFunctionsTogether) {
  EXPECT_EQ(operator_family("torch.nn.Conv2d"), operator_family("torch.nn.functional.conv2d"));
  EXPECT_EQ(operator_family("torch.nn.LayerNorm"), operator_family("torch.nn.functional.layer_norm"));
  EXPECT_EQ(operator_family("torch.nn.Softmax"), operator_family("torch.softmax"));
  EXPECT_EQ(operator_family("torch.relu"), operator_family("torch.relu_"));
  EXPECT_NE(operator_family("torch.softmax"), operator_family("torch.matmul"));
  EXPECT_NE(operator_family("torch.sum"), operator_family("torch.max"));
}

TEST(ReferenceProfile, NamesTheMainOperators) {
  EXPECT_THAT(profile_of_case("matmul.py").main_operators, ElementsAre("matmul"));
  EXPECT_THAT(profile_of_case("softmax.py").main_operators, ElementsAre("softmax"));
  EXPECT_TRUE(profile_of_case("layer_norm.py").main_operators.contains(operator_family("torch.nn.LayerNorm")));
  EXPECT_TRUE(profile_of_case("linear.py").main_operators.contains("matmul"));
}

TEST(ReferenceProfile, NamesEveryOperatorWhenNoneIsMain) {
  EXPECT_FALSE(profile_of_case("relu.py").main_operators.empty());
  EXPECT_FALSE(profile_reference(reference("return x * 2 + 1")).main_operators.empty());
}

TEST(ReferenceProfile, KnowsWhatOnlyMovesData) {
  EXPECT_TRUE(profile_of_case("transpose.py").only_moves_data);
  EXPECT_TRUE(profile_of_case("concat.py").only_moves_data);
  EXPECT_TRUE(profile_reference(reference("return x.clone()")).only_moves_data);
  EXPECT_FALSE(profile_of_case("relu.py").only_moves_data);
  EXPECT_FALSE(profile_reference(reference("return torch.cat([x, x]) + 1")).only_moves_data);
}

TEST(ReferenceProfile, FollowsSubmodulesAndHelpers) {
  EXPECT_TRUE(profile_reference(reference("return self.linear(x)")).main_operators.contains("matmul"));
  EXPECT_TRUE(
      profile_reference(reference("return self.twice(x)\n    def twice(self, x):\n        return F.softmax(x, -1)"))
          .main_operators.contains("softmax"));
}

TEST(ReferenceProfile, CountsInputs) {
  using Kind = ReferenceProfile::ArgumentKind;
  const auto three = profile_reference(reference("return x", "torch.rand(2), torch.ones(3), 5", "1, 2"));
  EXPECT_TRUE(three.inputs_known);
  EXPECT_THAT(three.inputs, ElementsAre(Kind::kTensor, Kind::kTensor, Kind::kOther));
  EXPECT_TRUE(three.init_arguments_known);
  EXPECT_EQ(three.init_arguments, 2U);
}

TEST(ReferenceProfile, DoesNotGuessInputsThatItCannotCount) {
  const auto open = profile_reference(reference("return x", "*[torch.rand(2) for _ in range(int(input()))]"));
  EXPECT_FALSE(open.inputs_known);
}

TEST(ReferenceProfile, IsEmptyForWhatIsNoReference) {
  EXPECT_FALSE(profile_reference("").inputs_known);
  EXPECT_TRUE(profile_reference("class Model(").main_operators.empty());
  EXPECT_TRUE(profile_reference("x = 1").operators.empty());
}

TEST(ReferenceProfile, SurvivesReferencesThatRecurse) {
  EXPECT_NO_THROW(profile_reference(reference("return self.forward(self.forward(x))")));
  EXPECT_NO_THROW(profile_reference("def get_inputs():\n    return get_inputs()\nclass Model(Model):\n    pass\n"));
}

TEST(ReferenceProfile, ListsEveryOperatorOfOneCall) {
  EXPECT_THAT(profile_reference(reference("return F.softmax(self.linear(x), -1)")).operators,
              ElementsAre("matmul", "softmax"));
  EXPECT_THAT(profile_reference(reference("return x @ x @ x")).operators, ElementsAre("matmul", "matmul"));
  EXPECT_THAT(profile_reference(reference("return x.view(2, 2)")).operators, IsEmpty());
}

}  // namespace
}  // namespace tritonrl::analysis
