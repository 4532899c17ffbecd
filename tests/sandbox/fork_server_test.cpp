#include "sandbox/fork_server.h"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <filesystem>

#include "base/file.h"
#include "sandbox/facilities.h"

namespace tritonrl::sandbox {
namespace {

namespace fs = std::filesystem;

fs::path find_python() {
  for (const fs::path path : {TRITONRL_SOURCE_DIR "/.venv/bin/python", "/usr/bin/python3", "/usr/local/bin/python3"})
    if (fs::exists(path)) return path;
  return {};
}

class ForkServerTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!facilities().missing().empty()) GTEST_SKIP() << facilities().missing().front();
    if (config_.python.empty()) GTEST_SKIP() << "there is no Python";
  }

  static ForkServerConfig make_config() {
    ForkServerConfig config;
    config.python = find_python();
    config.harness = TRITONRL_SOURCE_DIR "/harness";
    config.library = fs::path(TRITONRL_PROGRAM).parent_path().parent_path() / "lib/libtritonrl_sandbox.so";
    config.import_from = {TRITONRL_SOURCE_DIR "/tests/sandbox/guests"};
    config.preload = {};
    return config;
  }

  SpawnRequest request(const std::string& function) const {
    SpawnRequest result;
    result.entry = "sandbox_guests:" + function;
    for (const fs::path& path : python_paths(config_.python, config_.harness)) result.policy.allow_read(path);
    return result;
  }

  ForkServerConfig config_ = make_config();
};

TEST_F(ForkServerTest, CompletesWhenTheEntryReturns) {
  ForkServer server(config_);
  Guest guest = server.spawn(request("return_at_once"));
  const Outcome outcome = guest.wait();
  EXPECT_EQ(outcome.ending, Ending(Completed{})) << outcome.text() << " " << outcome.message;
  EXPECT_TRUE(outcome.missing.empty());
  EXPECT_GT(outcome.usage.start_s, 0);
}

TEST_F(ForkServerTest, ExitWithoutTheTokenIsNoCompletion) {
  ForkServer server(config_);
  EXPECT_EQ(server.spawn(request("exit_early")).wait().ending, Ending(Exited{0}));
}

TEST_F(ForkServerTest, HandsDescriptorsOver) {
  ForkServer server(config_);
  std::array<int, 2> ends{};
  ASSERT_EQ(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends.data()), 0);
  base::UniqueFd ours(ends[0]);
  base::UniqueFd theirs(ends[1]);
  SpawnRequest spawn = request("echo");
  spawn.descriptors = {{"channel", theirs.get()}};
  Guest guest = server.spawn(spawn);
  theirs.reset();
  ASSERT_EQ(write(ours.get(), "hello", 5), 5);
  std::array<char, 16> answer{};
  ASSERT_EQ(read(ours.get(), answer.data(), answer.size()), 5);
  EXPECT_STREQ(answer.data(), "HELLO");
  ours.reset();
  EXPECT_TRUE(guest.wait().completed());
}

}  // namespace
}  // namespace tritonrl::sandbox
