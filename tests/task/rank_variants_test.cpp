#include "task/rank_variants.h"

#include <gtest/gtest.h>

namespace tritonrl::task {
namespace {

Task task_with(const std::string& inputs) {
  Task task;
  task.id = "t";
  task.source =
      "import torch\nN = 8\nclass Model(torch.nn.Module):\n    def forward(self, x, y):\n        return x + y\n"
      "def get_inputs():\n    " +
      inputs + "\ndef get_init_inputs():\n    return []\n";
  return task;
}

TEST(RankVariants, GiveEveryInputAnAxisMoreOrLess) {
  const auto tasks = with_other_ranks(task_with("return [torch.rand(4, N), torch.randn([4, N])]"));
  ASSERT_EQ(tasks.size(), 2U);
  EXPECT_EQ(tasks[0].id, "t@3d");
  EXPECT_NE(tasks[0].source.find("[torch.rand(2, 4, N), torch.randn([2, 4, N])]"), std::string::npos);
  EXPECT_EQ(tasks[1].id, "t@1d");
  EXPECT_NE(tasks[1].source.find("[torch.rand(N), torch.randn([N])]"), std::string::npos);
}

TEST(RankVariants, AVectorOnlyGrows) {
  EXPECT_EQ(with_other_ranks(task_with("return [torch.rand(N), torch.rand(4, N)]")).size(), 1U);
}

TEST(RankVariants, ThereAreNoneWhereInputsAreMadeInAnotherWay) {
  EXPECT_TRUE(with_other_ranks(task_with("return [torch.rand(N), 3]")).empty());
  EXPECT_TRUE(with_other_ranks(task_with("return [torch.rand(*SHAPE)]")).empty());
  EXPECT_TRUE(with_other_ranks(task_with("x = torch.rand(N)\n    return [x, x]")).empty());
}

}  // namespace
}  // namespace tritonrl::task
