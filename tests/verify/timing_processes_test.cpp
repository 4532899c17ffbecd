#include "verify/timing_processes.h"

#include <gtest/gtest.h>

#include <future>
#include <string>
#include <utility>

#include "reference_process_test.h"

namespace tritonrl::verify {
namespace {

// What it was that made the task's inputs.
std::uint64_t use(TimingProcesses& processes, const task::Task& task, const ReferenceTimes& times = {}) {
  auto loan = processes.lend(task, times);
  EXPECT_FALSE(loan->add(0, {}));
  EXPECT_TRUE(std::holds_alternative<OracleCase>(loan->make(0, 1, "as-given")));
  return loan->process_number();
}

using TimingProcessesTest = ReferenceProcessTest;

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
