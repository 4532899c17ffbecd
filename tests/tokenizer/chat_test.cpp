#include "tokenizer/chat.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/base/temporary_folder.h"

namespace tritonrl::tokenizer {
namespace {

using testing::HasSubstr;
using tests::message_of;

const std::string kQuestion = "<|im_start|>user\nhi<|im_end|>\n";

TEST(Chat, AsksForAnAnswerWithAndWithoutThinking) {
  const std::vector<Message> messages{{.role = Role::kUser, .content = "hi"}};
  EXPECT_EQ(render_chat(messages), kQuestion + "<|im_start|>assistant\n");
  EXPECT_EQ(render_chat(messages, {.thinking = false}), kQuestion + "<|im_start|>assistant\n<think>\n\n</think>\n\n");
  EXPECT_EQ(render_chat(messages, {.ask = false}), kQuestion);
}

TEST(Chat, TheLastAnswerKeepsItsReasoningAndEarlierOnesLoseIt) {
  const Message answer{.role = Role::kAssistant, .content = "<think>\nplan\n</think>\n\ncode"};
  const Message question{.role = Role::kUser, .content = "hi"};
  EXPECT_EQ(render_chat(std::vector{question, answer, question, answer}, {.ask = false}),
            kQuestion + "<|im_start|>assistant\ncode<|im_end|>\n" + kQuestion +
                "<|im_start|>assistant\n<think>\nplan\n</think>\n\ncode<|im_end|>\n");
}

TEST(Chat, AnswersOfSeveralToolsShareATurn) {
  const std::vector<Message> messages{{.role = Role::kTool, .content = "1"}, {.role = Role::kTool, .content = "2"}};
  EXPECT_EQ(render_chat(messages, {.ask = false}),
            "<|im_start|>user\n<tool_response>\n1\n</tool_response>\n<tool_response>\n2\n</tool_response><|im_end|>\n");
}

TEST(Chat, ReadsMessagesAndRefusesOthers) {
  const auto messages = read_messages(R"([{"role": "system", "content": "s"},
      {"role": "assistant", "content": "a", "reasoning_content": "r"}])",
                                      {.file = "chat.json"});
  ASSERT_EQ(messages.size(), 2U);
  EXPECT_EQ(messages[1].reasoning, "r");
  const auto refusal = [](const char* json) {
    return message_of<base::InputError>([&] { read_messages(json, {.file = "chat.json"}); });
  };
  EXPECT_THAT(refusal("{}"), HasSubstr("chat.json: expected an array"));
  EXPECT_THAT(refusal("[]"), HasSubstr("expected an array"));
  EXPECT_THAT(refusal(R"([{"role": "robot", "content": ""}])"), HasSubstr("'robot' is none of"));
  EXPECT_THAT(refusal(R"([{"role": "user"}])"), HasSubstr("content"));
  EXPECT_THAT(refusal(R"([{"role": "user", "content": "", "tool": 1}])"), HasSubstr("tool"));
}

}  // namespace
}  // namespace tritonrl::tokenizer
