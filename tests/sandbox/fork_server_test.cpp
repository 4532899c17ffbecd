#include "sandbox/fork_server.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "base/error.h"
#include "base/file.h"
#include "guest_test.h"
#include "sandbox/facilities.h"

namespace tritonrl::sandbox {
namespace {

namespace fs = std::filesystem;
using testing::Test;

fs::path find_python() {
  if (const char* named = std::getenv("TRITONRL_PYTHON")) return named;  // NOLINT(concurrency-mt-unsafe)
  for (const fs::path path : {TRITONRL_SOURCE_DIR "/.venv/bin/python", "/usr/bin/python3", "/usr/local/bin/python3"})
    if (std::error_code error; fs::exists(path, error)) return path;
  return {};
}

std::string failure_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const base::HostError& error) {
    return error.what();
  }
  return "(nothing was thrown)";
}

class ForkServerTest : public Test {
 protected:
  void SetUp() override {
    if (!facilities().missing().empty()) GTEST_SKIP() << facilities().missing().front();
    if (config_.python.empty()) GTEST_SKIP() << "there is no Python";
  }

  static ForkServerConfig make_config() {
    ForkServerConfig config;
    config.python = find_python();
    config.harness = TRITONRL_SOURCE_DIR "/harness";
    config.library = TRITONRL_LIBRARY;
    config.import_from = {TRITONRL_SOURCE_DIR "/tests/sandbox/guests"};
    config.preload = {"sandbox_guests"};
    return config;
  }

  static SpawnRequest request(const std::string& function, const Limits& limits = {.wall_s = 20}) {
    SpawnRequest result;
    const ForkServerConfig config = make_config();
    result.entry = "sandbox_guests:" + function;
    for (const fs::path& path : python_paths(config.python, config.harness)) result.policy.allow_read(path);
    result.policy.limits(limits);
    return result;
  }

  static void expect_ending(ForkServer& server, const SpawnRequest& spawn, const Ending& ending) {
    const Outcome outcome = server.spawn(spawn).wait();
    EXPECT_EQ(outcome.ending, ending) << spawn.entry << " " << outcome.text() << ": " << outcome.message;
  }

  static bool is_running(pid_t pid) {
    std::string line;
    std::ifstream stat("/proc/" + std::to_string(pid) + "/stat");
    return std::getline(stat, line) && line.find(") Z ") == std::string::npos;
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

TEST_F(ForkServerTest, GuestsEndAsTheyShould) {
  ForkServer server(config_);
  const Limits small = {.wall_s = 20,
                        .memory_bytes = 256 << 20,
                        .threads = 4,
                        .file_bytes = 64 << 20,
                        .disk_bytes = 8 << 20,
                        .output_bytes = 1 << 16};
  expect_ending(server, request("exit_early"), Exited{0});
  expect_ending(server, request("raise_error"), Exited{1});
  expect_ending(server, request("print_and_fail"), Exited{3});
  expect_ending(server, request("take_memory", small), LimitReached{Limit::kMemory});
  expect_ending(server, request("fill_disk", small), LimitReached{Limit::kDisk});
  expect_ending(server, request("start_threads", small), LimitReached{Limit::kProcesses});
  expect_ending(server, request("print_much", small), LimitReached{Limit::kOutput});
  expect_ending(server, request("sleep", {.wall_s = 0.2}), LimitReached{Limit::kWall});
  expect_ending(server, request("fork"), ForbiddenCall{"clone (a new process)"});
  expect_ending(server, request("start_subprocess"), ForbiddenCall{"vfork"});
  expect_ending(server, request("open_network"), ForbiddenCall{"socket"});
  expect_ending(server, request("crash"), Signalled{SIGSEGV});
  expect_ending(server, request("look_around"), Completed{});
}

TEST_F(ForkServerTest, ErrorsAndOutputReachTheOutcome) {
  ForkServer server(config_);
  EXPECT_EQ(server.spawn(request("raise_error")).wait().message, "ValueError: what went wrong");
  EXPECT_EQ(server.spawn(request("print_and_fail")).wait().output, "printed\n");
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
  EXPECT_FALSE(guest.ended());
  EXPECT_FALSE(guest.wait_until(std::chrono::steady_clock::now() + std::chrono::milliseconds(20)));
  ours.reset();
  EXPECT_TRUE(guest.wait().completed());
}

TEST_F(ForkServerTest, ExtensionModulesLoadOnlyWhereAllowed) {
  ForkServer server(config_);
  SpawnRequest spawn = request("import_late");
  expect_ending(server, spawn, ForbiddenCall{"mmap (executable memory)"});
  spawn.policy.allow_code_loading();
  expect_ending(server, spawn, Completed{});
}

TEST_F(ForkServerTest, PreparesBeforeTheLockDown) {
  ForkServer server(config_);
  SpawnRequest spawn = request("check_prepared");
  spawn.before_confinement = "sandbox_guests:before";
  expect_ending(server, spawn, Completed{});
  spawn.before_confinement = "sandbox_guests:fail_before";
  Guest guest = server.spawn(spawn);
  EXPECT_EQ(failure_of([&] { guest.wait(); }), "cannot confine a guest: RuntimeError: no device");
}

TEST_F(ForkServerTest, ClosedOutputCostsNothing) {
  ForkServer server(config_);
  server.start();
  timespec before = {};
  timespec after = {};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &before);
  expect_ending(server, request("close_output_and_sleep"), Exited{5});
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &after);
  const double cpu_s =
      static_cast<double>(after.tv_sec - before.tv_sec) + static_cast<double>(after.tv_nsec - before.tv_nsec) * 1e-9;
  EXPECT_LT(cpu_s, 0.2);
}

TEST_F(ForkServerTest, KilledByItsOwner) {
  ForkServer server(config_);
  Guest guest = server.spawn(request("sleep"));
  EXPECT_GT(guest.pid(), 1);
  EXPECT_TRUE(is_running(guest.pid()));
  guest.kill();
  EXPECT_EQ(guest.wait().ending, Ending(Killed{}));
  EXPECT_FALSE(is_running(guest.pid()));
}

TEST_F(ForkServerTest, GuestEndsWithItsOwner) {
  ForkServer server(config_);
  pid_t pid = 0;
  {
    const Guest guest = server.spawn(request("sleep"));
    pid = guest.pid();
  }
  for (int i = 0; i < 500 && is_running(pid); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(10));
  EXPECT_FALSE(is_running(pid));
}

TEST_F(ForkServerTest, GuestsEndWithTheServer) {
  auto server = std::make_unique<ForkServer>(config_);
  Guest guest = server->spawn(request("sleep"));
  const pid_t guest_pid = guest.pid();
  const pid_t server_pid = server->pid();
  server.reset();
  EXPECT_FALSE(is_running(guest_pid));
  EXPECT_FALSE(is_running(server_pid));
  EXPECT_EQ(failure_of([&] { guest.wait(); }), "the fork server was stopped");
}

TEST_F(ForkServerTest, DeathOfTheServerIsAHostErrorAndTheNextSpawnStartsAnother) {
  ForkServer server(config_);
  Guest guest = server.spawn(request("sleep"));
  const pid_t guest_pid = guest.pid();
  const pid_t first = server.pid();
  kill(first, SIGKILL);
  EXPECT_EQ(failure_of([&] { guest.wait(); }), "the fork server died (signal 9)");
  EXPECT_FALSE(is_running(guest_pid));
  EXPECT_TRUE(server.spawn(request("return_at_once")).wait().completed());
  EXPECT_NE(server.pid(), first);
}

TEST_F(ForkServerTest, NothingOutlivesAKilledProgram) {
  std::array<int, 2> ends{};
  ASSERT_EQ(pipe(ends.data()), 0);
  const pid_t program = fork();
  if (program == 0) {
    ForkServer server(config_);
    const Guest guest = server.spawn(request("sleep"));
    const std::array<pid_t, 2> pids = {server.pid(), guest.pid()};
    (void)!write(ends[1], pids.data(), sizeof pids);
    pause();
  }
  std::array<pid_t, 2> pids{};
  ASSERT_EQ(read(ends[0], pids.data(), sizeof pids), static_cast<ssize_t>(sizeof pids));
  EXPECT_TRUE(is_running(pids[0]) && is_running(pids[1]));
  kill(program, SIGKILL);
  waitpid(program, nullptr, 0);
  for (const pid_t pid : pids) {
    for (int i = 0; i < 500 && is_running(pid); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(10));
    EXPECT_FALSE(is_running(pid));
  }
  close(ends[0]);
  close(ends[1]);
}

TEST_F(ForkServerTest, ServerThatCannotStartSaysWhy) {
  config_.preload = {"no_such_module"};
  ForkServer server(config_);
  const std::string failure = failure_of([&] { server.start(); });
  EXPECT_NE(failure.find("the fork server died (status 1)"), std::string::npos) << failure;
  EXPECT_NE(failure.find("No module named 'no_such_module'"), std::string::npos) << failure;
}

TEST_F(ForkServerTest, EntryThatIsNotThereIsAHostError) {
  ForkServer server(config_);
  const std::string failure = failure_of([&] { server.spawn(request("not_there")); });
  EXPECT_NE(failure.find("AttributeError"), std::string::npos) << failure;
  EXPECT_TRUE(server.spawn(request("return_at_once")).wait().completed());
}

TEST_F(ForkServerTest, ManyGuestsOfManyThreads) {
  ForkServer server(config_);
  std::vector<std::thread> threads;
  std::atomic<int> completed = 0;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&] {
      std::vector<Guest> guests;
      for (int i = 0; i < 10; ++i) guests.push_back(server.spawn(request("look_around")));
      for (Guest& guest : guests) completed += guest.wait().completed() ? 1 : 0;
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(completed, 40);
}

TEST_F(ForkServerTest, BestWithoutNamespacesSaysSo) {
  config_.machine.namespaces = 0;
  EXPECT_NE(failure_of([&] { ForkServer(config_).start(); }).find("user namespaces"), std::string::npos);
  config_.enforcement = Enforcement::kBest;
  ForkServer server(config_);
  SpawnRequest spawn = request("return_at_once");
  spawn.policy.enforce(Enforcement::kBest);
  const Outcome outcome = server.spawn(spawn).wait();
  EXPECT_TRUE(outcome.completed()) << outcome.text();
  EXPECT_EQ(outcome.missing.size(), 6U);
}

TEST_F(ForkServerTest, TritonCompilesInsideAGuest) {
  if (config_.python.string().find(".venv") == std::string::npos) GTEST_SKIP() << "there is no .venv";
  config_.preload = {"torch", "triton", "sandbox_guests", "sandbox_kernel"};
  config_.warm_up = "sandbox_guests:compiled_text";
  ForkServer server(config_);
  server.start();
  SpawnRequest spawn = request("compile_triton");
  spawn.policy.allow_read(TRITONRL_SOURCE_DIR "/tests/sandbox/guests");  // Triton reads kernels' sources
  std::vector<double> start_ms;
  for (int i = 0; i < 8; ++i) {
    const Outcome outcome = server.spawn(spawn).wait();
    EXPECT_TRUE(outcome.completed()) << outcome.text() << " " << outcome.message << " " << outcome.output;
    start_ms.push_back(outcome.usage.start_s * 1e3);
  }
  std::sort(start_ms.begin(), start_ms.end());
  RecordProperty("median_start_us", static_cast<int>(start_ms[4] * 1e3));
  std::cout << "median start " << start_ms[4] << " ms\n";
}

TEST_F(ForkServerTest, GpuGuestHasItsContextBeforeTheLockDown) {
  if (!fs::exists("/dev/nvidiactl")) GTEST_SKIP() << "there is no GPU";
  config_.preload = {"torch", "triton", "sandbox_guests"};
  ForkServer server(config_);
  server.start();
  const auto gpu_request = [](const std::string& function) {
    SpawnRequest spawn = request(function, {.wall_s = 60});
    spawn.before_confinement = "sandbox_guests:make_context";
    spawn.policy.allow_gpu(0);
    return spawn;
  };
  for (const char* function : {"use_gpu", "allocate_on_gpu"}) {
    const Outcome outcome = server.spawn(gpu_request(function)).wait();
    EXPECT_TRUE(outcome.completed()) << outcome.text() << " " << outcome.message << " " << outcome.output;
    std::cout << function << ": start " << outcome.usage.start_s << " s, wall " << outcome.usage.wall_s << " s\n";
  }
  expect_ending(server, gpu_request("take_shared_memory"), LimitReached{Limit::kMemory});
  expect_ending(server, gpu_request("read_process_memory"), Exited{1});
  expect_ending(server, gpu_request("signal_by_proc"), Exited{1});
  expect_ending(server, gpu_request("fork"), ForbiddenCall{"clone (a new process)"});
  std::vector<Guest> guests;
  for (int i = 0; i < 4; ++i) guests.push_back(server.spawn(gpu_request("use_gpu")));
  for (Guest& guest : guests) EXPECT_TRUE(guest.wait().completed());
}

}  // namespace
}  // namespace tritonrl::sandbox
