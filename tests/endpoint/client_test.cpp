#include "endpoint/client.h"

#include <gtest/gtest.h>

#include "base/error.h"

namespace tritonrl::endpoint {
namespace {

TEST(Client, WaitsLongerEachTimeUpToALimit) {
  const ClientConfig config{.url = "http://localhost", .api_key = ""};
  const ChatFailure failure;
  EXPECT_DOUBLE_EQ(wait_after(1, config, failure, 1), 1);
  EXPECT_DOUBLE_EQ(wait_after(3, config, failure, 1), 4);
  EXPECT_DOUBLE_EQ(wait_after(3, config, failure, 0), 3);
  EXPECT_DOUBLE_EQ(wait_after(20, config, failure, 1), 60);
}

TEST(Client, WaitsAsLongAsTheServerAsks) {
  const ClientConfig config{.url = "http://localhost", .api_key = ""};
  EXPECT_DOUBLE_EQ(wait_after(1, config, {.message = "", .wait_s = 17}, 1), 17);
  EXPECT_DOUBLE_EQ(wait_after(1, config, {.message = "", .wait_s = 1e9}, 1), 600);
}

TEST(Client, RefusesWhatIsNoUrl) {
  EXPECT_THROW(Client({.url = "localhost:8000", .api_key = ""}), base::InputError);
  EXPECT_THROW(Client({.url = "file:///etc/passwd", .api_key = ""}), base::InputError);
}

TEST(Client, ASilentServerIsAFailureThatSaysSo) {
  if (!can_speak_http()) GTEST_SKIP() << "built without libcurl";
  const Client client({.url = "http://127.0.0.1:9", .api_key = "", .tries = 2, .first_wait_s = 0.01});
  const auto said = client.ask({.model = "m", .messages = {}});
  ASSERT_TRUE(std::holds_alternative<ChatFailure>(said));
  EXPECT_TRUE(std::get<ChatFailure>(said).retryable());
  EXPECT_FALSE(std::get<ChatFailure>(said).message.empty());
}

}  // namespace
}  // namespace tritonrl::endpoint
