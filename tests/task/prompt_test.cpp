#include "task/prompt.h"

#include <gtest/gtest.h>

namespace tritonrl::task {
namespace {

TEST(Prompt, ForTrainingStatesTheSizesAtWhichSpeedIsJudged) {
  Task task;
  task.source = "class Model: pass\n";
  task.dims = {{"M", 4096}, {"N", 513}};
  const std::string prompt = make_prompt(task, PromptKind::kTraining);
  EXPECT_NE(prompt.find("judged at M = 4096, N = 513."), std::string::npos);
  EXPECT_NE(prompt.find("```python\nclass Model: pass\n```"), std::string::npos);
  EXPECT_EQ(prompt.find("{{"), std::string::npos);
}

TEST(Prompt, TakesNothingInATaskForAField) {
  Task task;
  task.source = "x = '{{sizes}}'\n";
  EXPECT_NE(make_prompt(task, PromptKind::kEvaluation).find("x = '{{sizes}}'"), std::string::npos);
}

struct Example {
  const char* text;
  std::size_t pieces;
};

class CountPieces : public testing::TestWithParam<Example> {};

TEST_P(CountPieces, SplitsAsQwenDoes) { EXPECT_EQ(count_pieces(GetParam().text), GetParam().pieces); }

INSTANTIATE_TEST_SUITE_P(Texts, CountPieces,
                         testing::Values(Example{"", 0}, Example{"hello world", 2}, Example{"don't", 2},
                                         Example{"123", 3}, Example{"a = b + 1\n", 7}, Example{"x  y", 3},
                                         Example{"    return x\n", 4}, Example{"f(x):\n\n", 3}, Example{"\n\n\n", 1},
                                         Example{"caf\xC3\xA9 au lait", 3}, Example{"tl.load(p, mask=m)", 7}));

}  // namespace
}  // namespace tritonrl::task
