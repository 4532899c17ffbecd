#include "analysis/response.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

namespace tritonrl::analysis {
namespace {

constexpr std::string_view kEntry = "ModelNew";
constexpr std::string_view kCode = "class ModelNew:\n    pass\n";

std::string fenced(std::string_view code, std::string_view fence = "```", std::string_view info = "python") {
  return std::string(fence) + std::string(info) + "\n" + std::string(code) + std::string(fence) + "\n";
}

// The code that is taken from a response; "(none)" if there is none.
std::string code_of(std::string_view text, std::optional<std::string_view> entry = kEntry) {
  const Response response = split_response(text, entry);
  return response.code ? std::string(response.code->of(text)) : "(none)";
}

std::string plan_of(std::string_view text) { return std::string(split_response(text, kEntry).plan.of(text)); }

TEST(Response, TakesTheOnlyBlock) { EXPECT_EQ(code_of("Here it is:\n\n" + fenced(kCode) + "\nDone.\n"), kCode); }

TEST(Response, TakesTheLastBlockThatDefinesTheEntry) {
  EXPECT_EQ(code_of(fenced("class ModelNew: first = 1\n") + fenced("class ModelNew: second = 2\n") +
                    fenced("print('usage')\n")),
            "class ModelNew: second = 2\n");
}

TEST(Response, TakesTheLastBlockOfAllWithoutAnEntry) {
  EXPECT_EQ(code_of(fenced(kCode) + fenced("x = 1\n"), std::nullopt), "x = 1\n");
}

TEST(Response, CountsCompleteBlocks) {
  EXPECT_EQ(split_response(fenced("a\n") + "text\n" + fenced("b\n"), kEntry).blocks, 2U);
  EXPECT_EQ(split_response("no code at all", kEntry).blocks, 0U);
}

TEST(Response, HasNoCodeWithoutABlockThatDefinesTheEntry) {
  EXPECT_EQ(code_of(fenced("class Other: pass\n")), "(none)");
  EXPECT_EQ(code_of("class ModelNew:\n    pass\n"), "(none)");
  EXPECT_EQ(code_of(""), "(none)");
  EXPECT_EQ(code_of(fenced("x = 'class ModelNew:'\n")), "(none)");
  EXPECT_EQ(code_of(fenced("'''\nclass ModelNew:\n    pass\n'''\n")), "(none)");
  EXPECT_EQ(code_of(fenced("class ModelNewer:\n    pass\n")), "(none)");
  EXPECT_EQ(code_of(fenced("if x:\n    class Other: pass\n")), "(none)");
}

TEST(Response, KnowsEveryWayToDefineTheEntry) {
  for (const char* code :
       {"class ModelNew(nn.Module):\n    pass\n", "def ModelNew(x):\n    pass\n", "async def ModelNew(x):\n    pass\n",
        "ModelNew = Other\n", "@decorated\nclass ModelNew:\n    pass\n", "class  ModelNew : pass\n"}) {
    EXPECT_EQ(code_of(fenced(code)), code);
  }
}

TEST(Response, TakesABlockWhoseSyntaxIsWrongToo) {
  const std::string broken = "class ModelNew(nn.Module):\n    def forward(self, x:\n";
  EXPECT_EQ(code_of(fenced(broken)), broken);
  EXPECT_EQ(code_of(fenced(kCode) + fenced(broken)), broken);
}

// The plan

TEST(Response, EndsThePlanAtTheFirstEndOfThinking) {
  const std::string text = "<think>tile by 128</think>\n" + fenced(kCode) + "</think>\n";
  EXPECT_EQ(plan_of(text), "<think>tile by 128</think>");
  EXPECT_EQ(code_of(text), kCode);
}

TEST(Response, HasAnEmptyPlanWithoutThinking) { EXPECT_EQ(plan_of(fenced(kCode)), ""); }

TEST(Response, TakesAPlanWithoutItsBeginning) {
  EXPECT_EQ(plan_of("tile by 128</think>\n" + fenced(kCode)), "tile by 128</think>");
}

TEST(Response, IgnoresCodeInThePlan) {
  EXPECT_EQ(code_of("<think>\n" + fenced(kCode) + "</think>\nSorry.\n"), "(none)");
  EXPECT_EQ(code_of("<think>\n```python\n</think>\n" + fenced(kCode)), kCode);
}

TEST(Response, HasNoCodeWhenThinkingNeverEnds) { EXPECT_EQ(code_of("<think>\n" + fenced(kCode)), "(none)"); }

TEST(Response, KeepsThePlanBeforeTheCode) {
  const std::string text = "<think>plan</think>" + fenced(kCode);  // a fence on the line where thinking ends
  const Response response = split_response(text, kEntry);
  EXPECT_EQ(response.plan.of(text), "<think>plan</think>");
  EXPECT_TRUE(!response.code || response.code->begin >= response.plan.end);
}

// Fences

TEST(Response, HasNoCodeInABlockThatNeverEnds) {
  const Response response = split_response("```python\n" + std::string(kCode), kEntry);
  EXPECT_FALSE(response.code);
  EXPECT_TRUE(response.unclosed_fence);
  EXPECT_EQ(response.blocks, 0U);
}

TEST(Response, TakesTheCompleteBlockBeforeOneThatNeverEnds) {
  const std::string text = fenced(kCode) + "```python\nclass ModelNew: better = 1\n";
  EXPECT_EQ(code_of(text), kCode);
  EXPECT_TRUE(split_response(text, kEntry).unclosed_fence);
}

TEST(Response, TakesTildeFences) {
  EXPECT_EQ(code_of(fenced(kCode, "~~~")), kCode);
  EXPECT_EQ(code_of("~~~python\n" + std::string(kCode) + "```\n"), "(none)");
}

TEST(Response, ClosesALongFenceWithOneAsLong) {
  const std::string inner = "class ModelNew:\n    '''\n```\ninner\n```\n    '''\n";
  EXPECT_EQ(code_of(fenced(inner, "````")), inner);
  EXPECT_EQ(code_of("```python\n" + std::string(kCode) + "`````\n"), kCode);
  EXPECT_EQ(code_of("````python\n" + std::string(kCode) + "```\n"), "(none)");
}

TEST(Response, DoesNotCloseABlockWithAnotherOpening) {
  const std::string inner = "class ModelNew:\n    x = 1\n```python\n    y = 2\n";
  EXPECT_EQ(code_of("```python\n" + inner + "```\n"), inner);
}

TEST(Response, TakesFencesOfAnyLanguageAndIndent) {
  EXPECT_EQ(code_of(fenced(kCode, "```", "")), kCode);
  EXPECT_EQ(code_of(fenced(kCode, "```", "py")), kCode);
  EXPECT_EQ(code_of(fenced(kCode, "```", " python title=\"a\"")), kCode);
  EXPECT_EQ(code_of("   ```python\n" + std::string(kCode) + "  ```\n"), kCode);
  EXPECT_EQ(code_of("    ```python\n" + std::string(kCode) + "    ```\n"), "(none)") << "that is indented text";
}

TEST(Response, IsNotFooledByInlineCode) {
  EXPECT_EQ(code_of("Use ```x``` and `y`.\n" + fenced(kCode)), kCode);
  EXPECT_EQ(code_of("```class ModelNew: pass```\n"), "(none)");
  EXPECT_EQ(code_of("``\n" + std::string(kCode) + "``\n"), "(none)");
}

TEST(Response, ClosesABlockAtTheEndOfTheText) {
  EXPECT_EQ(code_of("```python\n" + std::string(kCode) + "```"), kCode);
  EXPECT_EQ(code_of("```python\n" + std::string(kCode) + "```   \t"), kCode);
}

TEST(Response, TakesAnEmptyBlock) {
  EXPECT_EQ(code_of("```\n```\n", std::nullopt), "");
  EXPECT_EQ(split_response("```\n```\n", std::nullopt).blocks, 1U);
}

// Bytes

TEST(Response, TakesCarriageReturns) {
  const std::string text = "<think>a</think>\r\n```python\r\nclass ModelNew:\r\n    pass\r\n```\r\n";
  EXPECT_EQ(code_of(text), "class ModelNew:\r\n    pass\r\n");
}

TEST(Response, TakesNulAndInvalidBytes) {
  const std::string code = "class ModelNew:\n    x = '\xFF" + std::string(1, '\0') + "'\n";
  EXPECT_EQ(code_of("\xFE\xFF" + std::string(1, '\0') + "\n" + fenced(code)), code);
}

TEST(Response, IsSplitInOnePassOverMegabytes) {
  const std::string line = "some words about tiles and warps\n";
  std::string text = "<think>";
  while (text.size() < (std::size_t{4} << 20)) text += line;
  text += "</think>\n";
  while (text.size() < (std::size_t{8} << 20)) text += line;
  EXPECT_EQ(code_of(text + fenced(kCode)), kCode);
  EXPECT_EQ(code_of(std::string(std::size_t{8} << 20, '`')), "(none)");
  std::string fences;
  while (fences.size() < (std::size_t{4} << 20)) fences += "```\n";
  EXPECT_EQ(code_of(fences), "(none)");
  std::string thoughts;
  while (thoughts.size() < (std::size_t{4} << 20)) thoughts += "<think></think>";
  EXPECT_EQ(code_of(thoughts + "\n" + fenced(kCode)), kCode);
}

TEST(Response, LooksAtThousandsOfBlocks) {
  std::string text;
  for (int i = 0; i < 20'000; ++i) text += fenced("class ModelNew: x = " + std::to_string(i) + "\n");
  EXPECT_EQ(code_of(text), "class ModelNew: x = 19999\n");
  EXPECT_EQ(split_response(text, kEntry).blocks, 20'000U);
}

TEST(Response, HasSpansInsideTheTextAndInOrder) {
  for (const std::string& text :
       {std::string("</think>"), std::string("```"), std::string("```\n```"), std::string("\n"), fenced(kCode),
        "<think></think>" + fenced(kCode), std::string("</think>\n```\n")}) {
    const Response response = split_response(text, std::nullopt);
    EXPECT_EQ(response.plan.begin, 0U);
    EXPECT_LE(response.plan.end, text.size());
    if (response.code) {
      EXPECT_LE(response.plan.end, response.code->begin);
      EXPECT_LE(response.code->begin, response.code->end);
      EXPECT_LE(response.code->end, text.size());
    }
  }
}

}  // namespace
}  // namespace tritonrl::analysis
