#include "endpoint/chat.h"

#include <gtest/gtest.h>

namespace tritonrl::endpoint {
namespace {

using Kind = ChatFailure::Kind;

HttpReply reply(int status, std::string body) {
  return {.status = status, .content_type = "application/json", .retry_after_s = {}, .body = std::move(body)};
}

Kind kind_of(const HttpReply& reply) { return std::get<ChatFailure>(read_chat(reply)).kind; }

TEST(Chat, ReadsAnAnswerWithItsTokens) {
  const auto read = read_chat(reply(200, R"({"choices": [{"message": {"content": "code", "reasoning": "plan"},
      "finish_reason": "length"}], "usage": {"prompt_tokens": 7, "completion_tokens": 9}})"));
  const auto& answer = std::get<ChatAnswer>(read);
  EXPECT_EQ(answer.finish, "length");
  EXPECT_EQ(answer.prompt_tokens, 7);
  EXPECT_EQ(answer.completion_tokens, 9);
  EXPECT_TRUE(answer.counted);
  EXPECT_EQ(response_text(answer), "<think>\nplan\n</think>\n\ncode");
}

TEST(Chat, SaysWhatKindOfFailureAStatusIs) {
  EXPECT_EQ(kind_of(reply(429, "")), Kind::kBusy);
  EXPECT_EQ(kind_of(reply(503, "")), Kind::kBusy);
  EXPECT_EQ(kind_of(reply(500, "")), Kind::kBroken);
  EXPECT_EQ(kind_of(reply(400, R"({"error": {"message": "too long"}})")), Kind::kRefused);
  EXPECT_EQ(kind_of(reply(401, "")), Kind::kDenied);
}

TEST(Chat, GarbageIsAFailureThatMayPass) {
  for (const char* body : {"", "<html>", "[]", "{}", R"({"choices": []})", R"({"choices": [{}]})",
                           R"({"choices": [3]})", R"({"choices": [{"message": {"content": null}}]})"}) {
    EXPECT_EQ(kind_of(reply(200, body)), Kind::kBroken) << body;
  }
}

TEST(Chat, HalfAStreamIsAFailureThatMayPass) {
  HttpReply half = reply(200, "data: {\"choices\": [{\"delta\": {\"content\": \"a\"}}]}\n\n");
  half.content_type = "text/event-stream; charset=utf-8";
  EXPECT_EQ(kind_of(half), Kind::kBroken);
}

TEST(Chat, AskingHasTheTeachersDefaults) {
  const auto body = chat_body({.model = "m", .messages = {{.role = "user", .content = "hi"}}});
  EXPECT_EQ(body.at("temperature"), 0.6);
  EXPECT_EQ(body.at("top_p"), 0.95);
  EXPECT_EQ(body.at("messages")[0].at("content"), "hi");
}

}  // namespace
}  // namespace tritonrl::endpoint
