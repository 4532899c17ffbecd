#include "verify/timing_processes.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <future>
#include <string>
#include <utility>

#include "sandbox/facilities.h"
#include "test_python.h"
#include "verify/compiler.h"
#include "verify/executor_device.h"

namespace tritonrl::verify {
namespace {

constexpr const char* kAdd = R"(
import torch
class Model(torch.nn.Module):
    def forward(self, x):
        return x + 1
def get_inputs():
    return [torch.rand(8)]
def get_init_inputs():
    return []
)";

// A plain Python cannot load what was built with a sanitizer, but what the release build has.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr const char* kLibraries = TRITONRL_SOURCE_DIR "/build/lib";
#else
constexpr const char* kLibraries = TRITONRL_LIBRARIES;
#endif

task::Task task_of(const std::string& id, const std::string& source) {
  task::Task task;
  task.id = id;
  task.source = source;
  return task;
}

// Processes of references as the CPU device has them, which can do all but be timed.
class TimingProcessesTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!test_python()) GTEST_SKIP() << "there is no Python with torch";
    if (!std::filesystem::exists(libraries_ / "libtritonrl_torch.so")) GTEST_SKIP() << "this build has no device";
    if (!sandbox::facilities().missing().empty()) GTEST_SKIP() << sandbox::facilities().missing().front();
    python_ = *test_python();
    sandbox::ForkServerConfig config;
    config.python = python_;
    config.harness = harness_;
    config.library = libraries_ / "libtritonrl_sandbox.so";
    config.warm_up = "tritonrl_harness.serving:preload";
    config.environment = {{"TRITONRL_BUILD_DIR", libraries_.parent_path().string()}};
    server_ = std::make_unique<sandbox::ForkServer>(config);
    compiler_ = std::make_unique<Compiler>(CompilerConfig{.python = python_, .harness = harness_});
  }

  std::unique_ptr<GuestProcess> start() {
    ++started_;
    sandbox::Policy policy = sandbox::Policy::deny_all();
    for (const auto& path : sandbox::python_paths(python_, harness_)) policy.allow_read(path);
    policy.allow_read(libraries_).allow_code_loading();
    return std::make_unique<GuestProcess>(
        *server_, GuestConfig{.entry = "tritonrl_harness.oracle:main", .policy = policy},
        std::make_unique<ExecutorDevice>(std::uint64_t{1} << 26U, profile_, ttir::LaunchOptions{}, *compiler_));
  }

  // What it was that made the task's inputs.
  static std::uint64_t use(TimingProcesses& processes, const task::Task& task, const ReferenceTimes& times = {}) {
    auto loan = processes.lend(task, times);
    EXPECT_FALSE(loan->add(0, {}));
    EXPECT_TRUE(std::holds_alternative<OracleCase>(loan->make(0, 1, "as-given")));
    return loan->process_number();
  }

  std::filesystem::path python_;
  std::filesystem::path harness_ = TRITONRL_SOURCE_DIR "/harness";
  std::filesystem::path libraries_ = kLibraries;
  ttir::DeviceProfile profile_ = ttir::device_profile("h200");
  std::unique_ptr<sandbox::ForkServer> server_;
  std::unique_ptr<Compiler> compiler_;
  int started_ = 0;
  task::Task add_ = task_of("add", kAdd);
};

TEST_F(TimingProcessesTest, OneServesTaskAfterTask) {
  TimingProcesses processes(2, [this] { return start(); });
  const task::Task other = task_of("other", std::string(kAdd) + "# another\n");
  const std::uint64_t first = use(processes, add_);
  EXPECT_EQ(use(processes, other), first);
  EXPECT_EQ(use(processes, add_), first);
  EXPECT_EQ(started_, 1);
}

TEST_F(TimingProcessesTest, ATaskThatOneHasTimedGetsAnother) {
  TimingProcesses processes(2, [this] { return start(); });
  ReferenceTimes times;
  for (int n = 0; n < 3; ++n) {
    const std::uint64_t number = use(processes, add_, times);
    EXPECT_FALSE(times.has(number));
    times.tell(number, {20.0});
  }
  EXPECT_EQ(started_, 3) << "the third in the place of the first";
}

TEST_F(TimingProcessesTest, OneThatATaskLeftWithOtherSettingsIsNotUsedAgain) {
  TimingProcesses processes(2, [this] { return start(); });
  const task::Task sloppy = task_of("sloppy", std::string(kAdd) + "torch.backends.cudnn.benchmark = True\n");
  const std::uint64_t first = use(processes, sloppy);
  EXPECT_NE(use(processes, add_), first);
}

TEST_F(TimingProcessesTest, OneThatATaskEndedIsNotUsedAgain) {
  TimingProcesses processes(1, [this] { return start(); });
  const task::Task fatal = task_of("fatal", "import os\nos._exit(1)\n");
  EXPECT_TRUE(processes.lend(fatal, {})->add(0, {}));
  EXPECT_GT(use(processes, add_), 0U);
  EXPECT_EQ(started_, 2);
}

TEST_F(TimingProcessesTest, NothingOfATaskIsLeftForTheNext) {
  TimingProcesses processes(1, [this] { return start(); });
  use(processes, add_);
  auto loan = processes.lend(add_, {});
  EXPECT_TRUE(std::holds_alternative<Oracle::Broken>(loan->make(0, 1, "as-given"))) << "it was loaded before";
}

TEST_F(TimingProcessesTest, WhoComesWhenAllAreLentWaits) {
  TimingProcesses processes(1, [this] { return start(); });
  std::future<std::uint64_t> waits;
  std::uint64_t first = 0;
  {
    auto loan = processes.lend(add_, {});
    EXPECT_FALSE(loan->add(0, {}));
    first = loan->process_number();
    waits = std::async(std::launch::async, [&] { return use(processes, add_); });
    EXPECT_EQ(waits.wait_for(std::chrono::milliseconds(100)), std::future_status::timeout);
  }
  EXPECT_EQ(waits.get(), first);
}

TEST_F(TimingProcessesTest, AFailedStartLeavesItsPlaceToTheNext) {
  bool fails = true;
  TimingProcesses processes(1, [&] {
    if (std::exchange(fails, false)) throw base::HostError("no memory");
    return start();
  });
  EXPECT_THROW(processes.lend(add_, {}), base::HostError);
  EXPECT_GT(use(processes, add_), 0U);
}

}  // namespace
}  // namespace tritonrl::verify
