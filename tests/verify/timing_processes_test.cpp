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
  const auto loans = processes.lend(task, times, 1);
  Oracle& oracle = loans.front()->oracle();
  EXPECT_FALSE(oracle.add(0, {}));
  EXPECT_TRUE(std::holds_alternative<OracleCase>(oracle.make(0, 1, "as-given")));
  return oracle.process_number();
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
  EXPECT_TRUE(processes.lend(fatal, {}, 1).front()->oracle().add(0, {}));
  EXPECT_GT(use(processes, add_), 0U);
  EXPECT_EQ(started_, 2);
}

TEST_F(TimingProcessesTest, NothingOfATaskIsLeftForTheNext) {
  TimingProcesses processes(1, [this] { return start(); });
  use(processes, add_);
  const auto loans = processes.lend(add_, {}, 1);
  EXPECT_TRUE(std::holds_alternative<Oracle::Broken>(loans.front()->oracle().make(0, 1, "as-given")))
      << "it was loaded before";
}

TEST_F(TimingProcessesTest, WhoComesWhenAllAreLentWaits) {
  TimingProcesses processes(1, [this] { return start(); });
  std::future<std::uint64_t> waits;
  std::uint64_t first = 0;
  {
    const auto loans = processes.lend(add_, {}, 1);
    EXPECT_FALSE(loans.front()->oracle().add(0, {}));
    first = loans.front()->oracle().process_number();
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
  EXPECT_THROW(processes.lend(add_, {}, 1), base::HostError);
  EXPECT_GT(use(processes, add_), 0U);
}

TEST_F(TimingProcessesTest, WhoWantsTwoGetsTwoOrAllThatThereMayBe) {
  TimingProcesses processes(2, [this] { return start(); });
  const std::uint64_t first = use(processes, add_);
  {
    const auto loans = processes.lend(add_, {}, 2);
    ASSERT_EQ(loans.size(), 2U);
    for (const auto& loan : loans) EXPECT_FALSE(loan->oracle().add(0, {}));
    EXPECT_EQ(loans[0]->oracle().process_number(), first);
    EXPECT_NE(loans[1]->oracle().process_number(), first);
  }
  EXPECT_EQ(processes.lend(add_, {}, 5).size(), 2U);
  EXPECT_EQ(started_, 2);
}

TEST_F(TimingProcessesTest, AFailedStartGivesBackThoseThatWereThere) {
  bool fails = false;
  TimingProcesses processes(2, [&] {
    if (fails) throw base::HostError("no memory");
    return start();
  });
  const std::uint64_t first = use(processes, add_);
  fails = true;
  EXPECT_THROW(processes.lend(add_, {}, 2), base::HostError);
  EXPECT_EQ(use(processes, add_), first);
}

}  // namespace
}  // namespace tritonrl::verify
