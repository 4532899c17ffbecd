#pragma once

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <sstream>
#include <stdexcept>
#include <string>

#include "sandbox/facilities.h"
#include "sandbox/sandbox.h"

namespace tritonrl::sandbox {

// GoogleTest looks for this name.
inline void PrintTo(const Ending& ending, std::ostream* out) {  // NOLINT(readability-identifier-naming)
  Outcome outcome;
  outcome.ending = ending;
  *out << outcome.text();
}

// In a guest: what must hold there. Otherwise it exits with status 1, and `what` is the outcome's message.
inline void expect(bool holds, const std::string& what) {
  if (!holds) throw std::runtime_error(what + " (errno " + std::to_string(errno) + ")");
}

// In a guest: a call that must fail, and how.
template <typename Result>
void expect_refused(Result result, int error, const std::string& what) {
  const int got = errno;
  expect(result == static_cast<Result>(-1), what + " succeeded");
  errno = got;
  expect(got == error, what);
}

// A guest each, and the machine is as it was before it.
class GuestTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!facilities().missing().empty()) GTEST_SKIP() << facilities().missing().front();
#ifdef __SANITIZE_THREAD__
    GTEST_SKIP() << "ThreadSanitizer runs a thread of its own in every forked process";
#endif
    mounts_ = text_of("/proc/self/mounts");
    descriptors_ = count("/proc/self/fd");
  }

  void TearDown() override {
    if (IsSkipped()) return;
    EXPECT_EQ(text_of("/proc/self/mounts"), mounts_);
    EXPECT_EQ(count("/proc/self/fd"), descriptors_);
    EXPECT_EQ(count("/proc/self/task"), 1U);
    EXPECT_EQ(waitpid(-1, nullptr, WNOHANG), -1) << "a process is left";
    EXPECT_FALSE(std::filesystem::exists("/tmp/left-behind"));
  }

  static Limits tight_limits() {
    return {.wall_s = 20,
            .cpu_s = 10,
            .memory_bytes = 256 << 20,
            .threads = 8,
            .file_bytes = 1 << 20,
            .disk_bytes = 4 << 20,
            .output_bytes = 1 << 16,
            .open_files = 64};
  }

  static Outcome run(const std::function<void()>& guest, Policy policy = Policy::deny_all().limits(tight_limits())) {
    return Sandbox(std::move(policy)).run(guest);
  }

  // The guest did all that it tried, and each `expect` held.
  static void expect_completes(const std::function<void()>& guest,
                               Policy policy = Policy::deny_all().limits(tight_limits())) {
    const Outcome outcome = run(guest, std::move(policy));
    EXPECT_EQ(outcome.ending, Ending(Completed{})) << outcome.message;
  }
  static void expect_forbidden(const std::function<void()>& guest, const std::string& name) {
    const Outcome outcome = run(guest);
    EXPECT_EQ(outcome.ending, Ending(ForbiddenCall{name})) << outcome.message;
  }
  static void expect_limit(const std::function<void()>& guest, Limit limit) {
    const Outcome outcome = run(guest);
    EXPECT_EQ(outcome.ending, Ending(LimitReached{limit})) << outcome.message;
  }

 private:
  static std::string text_of(const char* path) {
    std::ostringstream text;
    text << std::ifstream(path).rdbuf();
    return text.str();
  }
  static std::size_t count(const char* folder) {
    using Entries = std::filesystem::directory_iterator;
    return static_cast<std::size_t>(std::distance(begin(Entries(folder)), end(Entries())));
  }

  std::string mounts_;
  std::size_t descriptors_ = 0;
};

}  // namespace tritonrl::sandbox
