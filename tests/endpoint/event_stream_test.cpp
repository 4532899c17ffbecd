#include "endpoint/event_stream.h"

#include <gtest/gtest.h>

namespace tritonrl::endpoint {
namespace {

constexpr const char* kWhole =
    ": a comment\n"
    "data: {\"choices\": [{\"delta\": {\"role\": \"assistant\"}}]}\n\n"
    "data: {\"choices\": [{\"delta\": {\"reasoning_content\": \"Hm. \"}}]}\n\n"
    "data: {\"choices\": [{\"delta\": {\"content\": \"Hel\"}}]}\r\n\r\n"
    "data: {\"choices\": [{\"delta\": {\"content\": \"lo\"}, \"finish_reason\": \"stop\"}]}\n\n"
    "data: {\"choices\": [], \"usage\": {\"prompt_tokens\": 3, \"completion_tokens\": 2}}\n\n"
    "data: [DONE]\n\n";

TEST(EventStream, JoinsItsChunks) {
  const auto joined = join_event_stream(kWhole);
  ASSERT_TRUE(joined);
  const auto& choice = joined->at("choices")[0];
  EXPECT_EQ(choice.at("message").at("content"), "Hello");
  EXPECT_EQ(choice.at("message").at("reasoning_content"), "Hm. ");
  EXPECT_EQ(choice.at("finish_reason"), "stop");
  EXPECT_EQ(joined->at("usage").at("prompt_tokens"), 3);
}

TEST(EventStream, HalfOfItIsNothing) {
  const std::string whole = kWhole;
  EXPECT_FALSE(join_event_stream(whole.substr(0, whole.find("lo\"}"))));
  EXPECT_FALSE(join_event_stream(whole.substr(0, whole.find("data: {\"choices\": [{\"delta\": {\"content\": \"lo"))));
  EXPECT_FALSE(join_event_stream(""));
}

TEST(EventStream, AnErrorInItIsNoAnswer) {
  EXPECT_FALSE(join_event_stream("data: {\"error\": {\"message\": \"out of memory\"}}\n\ndata: [DONE]\n\n"));
}

TEST(EventStream, GarbageIsNothing) {
  EXPECT_FALSE(join_event_stream("data: {\"choices\": 3\n\ndata: [DONE]\n\n"));
  EXPECT_FALSE(join_event_stream("data: {\"choices\": [7]}\n\ndata: [DONE]\n\n"));
}

}  // namespace
}  // namespace tritonrl::endpoint
