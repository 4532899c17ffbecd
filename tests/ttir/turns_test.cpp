// Programs that wait for each other, in every order and with room for few of them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "tests/ttir/launch_fixture.h"

namespace tritonrl::ttir {
namespace {

using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using tests::LaunchFixture;
using tests::LaunchReport;
using tests::rule_ids;

constexpr auto kOrders = {ProgramOrder::kInOrder, ProgramOrder::kReversed, ProgramOrder::kShuffled};

// Each of %n programs adds its number to %x[0] and one to %x[1], waits until all have, and stores what it then reads.
constexpr std::string_view kBarrier = R"(
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %true = arith.constant true
  %pid = tt.get_program_id x : i32
  %added = tt.atomic_rmw add, acq_rel, gpu, %x, %pid, %true : (!tt.ptr<i32>, i32, i1) -> i32
  %count = tt.addptr %x, %c1 : !tt.ptr<i32>, i32
  %arrived = tt.atomic_rmw add, acq_rel, gpu, %count, %c1, %true : (!tt.ptr<i32>, i32, i1) -> i32
  scf.while : () -> () {
    %seen = tt.atomic_rmw add, acq_rel, gpu, %count, %c0, %true : (!tt.ptr<i32>, i32, i1) -> i32
    %again = arith.cmpi slt, %seen, %n : i32
    scf.condition(%again)
  } do {
    scf.yield
  }
  %sum = tt.atomic_rmw add, acq_rel, gpu, %x, %c0, %true : (!tt.ptr<i32>, i32, i1) -> i32
  %mine = tt.addptr %o, %pid : !tt.ptr<i32>, i32
  tt.store %mine, %sum : !tt.ptr<i32>)";

LaunchFixture barrier(std::int32_t programs) {
  LaunchFixture fixture("%x: !tt.ptr<i32>, %o: !tt.ptr<i32>, %n: i32", kBarrier);
  fixture.array(std::vector<std::int32_t>{0, 0})
      .array(std::vector<std::int32_t>(static_cast<std::size_t>(programs)), Contents::kUndefined)
      .integer(programs);
  return fixture;
}

// Of steps, for each program.
double steps(const LaunchReport& report) {
  const auto& executions = report.counters.executions;
  return static_cast<double>(std::accumulate(executions.begin(), executions.end(), std::uint64_t{0})) /
         static_cast<double>(report.counters.programs);
}

TEST(Turns, LetABarrierPassThatIsForAllOnTheDevice) {
  for (const auto order : kOrders) {
    auto fixture = barrier(500);
    fixture.options = {.order = order, .resident = 500};
    const auto report = fixture.run(500);
    EXPECT_THAT(rule_ids(report), IsEmpty());
    EXPECT_THAT(fixture.values<std::int32_t>(1), Each(499 * 500 / 2));
    EXPECT_EQ(report.counters.programs, 500U);
  }
}

TEST(Turns, FindABarrierForMoreThanFitOnTheDevice) {
  for (const auto order : kOrders) {
    auto fixture = barrier(501);
    fixture.options = {.order = order, .resident = 500};
    const auto report = fixture.run(501);
    ASSERT_THAT(rule_ids(report), ElementsAre("step-budget"));
    EXPECT_THAT(report.findings[0].message, HasSubstr("500 programs can be on the device at once"));
    EXPECT_THAT(report.findings[0].message, HasSubstr("1 more start"));
    EXPECT_EQ(report.counters.programs, 500U);
  }
}

TEST(Turns, CostAProgramNoMoreWhereManyWait) {
  auto few = barrier(100);
  auto many = barrier(5000);
  EXPECT_LT(steps(many.run(5000)), 1.5 * steps(few.run(100)));
  auto too_many = barrier(100'000);
  too_many.options.resident = 2000;
  EXPECT_LT(steps(too_many.run(100'000)), 1000) << "each insists for a while before it gives up";
}

// A spin lock around a plain read and write: %x[0] is the lock, %x[1] the sum.
constexpr std::string_view kSpinLock = R"(
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %true = arith.constant true
  %taken = tt.atomic_cas acq_rel, gpu, %x, %c0, %c1 : (!tt.ptr<i32>, i32, i32) -> i32
  %last = scf.while (%was = %taken) : (i32) -> i32 {
    %again = arith.cmpi eq, %was, %c1 : i32
    scf.condition(%again) %was : i32
  } do {
  ^bb0(%was: i32):
    %next = tt.atomic_cas acq_rel, gpu, %x, %c0, %c1 : (!tt.ptr<i32>, i32, i32) -> i32
    scf.yield %next : i32
  }
  %sum = tt.addptr %x, %c1 : !tt.ptr<i32>, i32
  %old = tt.load %sum : !tt.ptr<i32>
  %new = arith.addi %old, %c1 : i32
  tt.store %sum, %new : !tt.ptr<i32>
  %free = tt.atomic_rmw exch, acq_rel, gpu, %x, %c0, %true : (!tt.ptr<i32>, i32, i1) -> i32)";

LaunchFixture spin_lock(std::int32_t taken) {
  LaunchFixture fixture("%x: !tt.ptr<i32>", kSpinLock);
  fixture.array(std::vector<std::int32_t>{taken, 0});
  return fixture;
}

TEST(Turns, LetALockGoRound) {
  for (const auto order : kOrders) {
    for (const std::uint32_t programs : {2U, 200U, 5000U}) {
      auto fixture = spin_lock(0);
      fixture.options = {.threads = 2, .order = order, .resident = 1000};
      EXPECT_THAT(rule_ids(fixture.run(programs)), IsEmpty());
      EXPECT_THAT(fixture.values<std::int32_t>(0), ElementsAre(0, programs));
    }
  }
}

TEST(Turns, FindALockThatIsNeverFreed) {
  for (const std::uint32_t programs : {1U, 5U}) {
    auto fixture = spin_lock(1);
    const auto report = fixture.run(programs);
    ASSERT_THAT(rule_ids(report), ElementsAre("step-budget"));
    EXPECT_THAT(report.findings[0].message, HasSubstr("waits here"));
    EXPECT_THAT(fixture.values<std::int32_t>(0), ElementsAre(1, 0));
  }
}

// Decoupled look-back: program i waits for flag i - 1, adds, raises flag i.
constexpr std::string_view kLookBack = R"(
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %true = arith.constant true
  %pid = tt.get_program_id x : i32
  %flag = tt.addptr %flags, %pid : !tt.ptr<i32>, i32
  %before = arith.subi %pid, %c1 : i32
  %waits_for = tt.addptr %flags, %before : !tt.ptr<i32>, i32
  %has_before = arith.cmpi sgt, %pid, %c0 : i32
  %start = scf.if %has_before -> (i32) {
    %first = tt.atomic_rmw add, acq_rel, gpu, %waits_for, %c0, %true : (!tt.ptr<i32>, i32, i1) -> i32
    %last = scf.while (%was = %first) : (i32) -> i32 {
      %again = arith.cmpi eq, %was, %c0 : i32
      scf.condition(%again) %was : i32
    } do {
    ^bb0(%was: i32):
      %next = tt.atomic_rmw add, acq_rel, gpu, %waits_for, %c0, %true : (!tt.ptr<i32>, i32, i1) -> i32
      scf.yield %next : i32
    }
    %from = tt.addptr %x, %before : !tt.ptr<i32>, i32
    %sum = tt.load %from : !tt.ptr<i32>
    scf.yield %sum : i32
  } else {
    scf.yield %c0 : i32
  }
  %mine = tt.addptr %x, %pid : !tt.ptr<i32>, i32
  %new = arith.addi %start, %pid : i32
  tt.store %mine, %new : !tt.ptr<i32>
  %raised = tt.atomic_rmw exch, acq_rel, gpu, %flag, %c1, %true : (!tt.ptr<i32>, i32, i1) -> i32)";

TEST(Turns, LetALookBackPassOfMoreThanFitOnTheDevice) {
  for (const auto order : kOrders) {
    for (const std::uint32_t programs : {100U, 10'000U}) {
      LaunchFixture fixture("%x: !tt.ptr<i32>, %flags: !tt.ptr<i32>", kLookBack);
      fixture.array(std::vector<std::int32_t>(programs), Contents::kUndefined)
          .array(std::vector<std::int32_t>(programs));
      fixture.options = {.order = order, .seed = 3, .resident = 500};
      const auto report = fixture.run(programs);
      EXPECT_THAT(rule_ids(report), IsEmpty());
      EXPECT_EQ(fixture.values<std::int32_t>(0).back(), static_cast<std::int32_t>((programs - 1) * programs / 2));
      EXPECT_LT(steps(report), 100);
    }
  }
}

TEST(Turns, FindAWaitForALaterProgramThatDoesNotFit) {
  // Program i waits for flag i + 1: the first to end is the last.
  constexpr std::string_view kLookAhead = R"(
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %true = arith.constant true
    %pid = tt.get_program_id x : i32
    %flag = tt.addptr %flags, %pid : !tt.ptr<i32>, i32
    %next = tt.addptr %flag, %c1 : !tt.ptr<i32>, i32
    scf.while : () -> () {
      %seen = tt.load %next {isVolatile = true} : !tt.ptr<i32>
      %again = arith.cmpi eq, %seen, %c0 : i32
      scf.condition(%again)
    } do {
      scf.yield
    }
    %raised = tt.atomic_rmw exch, acq_rel, gpu, %flag, %c1, %true : (!tt.ptr<i32>, i32, i1) -> i32)";
  for (const auto& [programs, found] : {std::pair{300U, false}, std::pair{301U, true}}) {
    LaunchFixture fixture("%flags: !tt.ptr<i32>", kLookAhead);
    std::vector<std::int32_t> flags(programs + 1);
    flags.back() = 1;
    fixture.array(flags);
    fixture.options.resident = 300;
    EXPECT_EQ(!fixture.run(programs).findings.empty(), found) << programs;
  }
}

// Draws a number, and waits until those with lower ones are done: %x[0] counts numbers, %x[1] and %x[2] who is done.
constexpr std::string_view kTickets = R"(
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %true = arith.constant true
  %number = tt.atomic_rmw add, acq_rel, gpu, %x, %c1, %true : (!tt.ptr<i32>, i32, i1) -> i32
  %one = tt.addptr %x, %c1 : !tt.ptr<i32>, i32
  %two = tt.addptr %x, %c2 : !tt.ptr<i32>, i32
  scf.while : () -> () {
    %a = tt.atomic_rmw add, acquire, gpu, %one, %c0, %true : (!tt.ptr<i32>, i32, i1) -> i32
    %b = tt.atomic_rmw add, acquire, gpu, %two, %c0, %true : (!tt.ptr<i32>, i32, i1) -> i32
    %least = arith.minsi %a, %b : i32
    %again = arith.cmpi slt, %least, %number : i32
    scf.condition(%again)
  } do {
    scf.yield
  }
  %done = tt.atomic_rmw add, acq_rel, gpu, %one, %c1, %true : (!tt.ptr<i32>, i32, i1) -> i32
  %both = tt.atomic_rmw add, acq_rel, gpu, %two, %c1, %true : (!tt.ptr<i32>, i32, i1) -> i32)";

TEST(Turns, LetProgramsWaitForSeveralThings) {
  for (const auto order : kOrders) {
    LaunchFixture fixture("%x: !tt.ptr<i32>", kTickets);
    fixture.array(std::vector<std::int32_t>{0, 0, 0});
    fixture.options = {.order = order, .resident = 100};
    const auto report = fixture.run(3000);
    EXPECT_THAT(rule_ids(report), IsEmpty());
    EXPECT_THAT(fixture.values<std::int32_t>(0), ElementsAre(3000, 3000, 3000));
  }
}

TEST(Turns, LetAProgramAskManyTimesAndGoOn) {
  LaunchFixture fixture("%x: !tt.ptr<i32>, %o: !tt.ptr<i32>", R"(
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %most = arith.constant 50 : i32
    %true = arith.constant true
    %asked = scf.while (%times = %c0) : (i32) -> i32 {
      %seen = tt.atomic_rmw add, acq_rel, gpu, %x, %c0, %true : (!tt.ptr<i32>, i32, i1) -> i32
      %more = arith.addi %times, %c1 : i32
      %nothing = arith.cmpi eq, %seen, %c0 : i32
      %few = arith.cmpi slt, %more, %most : i32
      %again = arith.andi %nothing, %few : i1
      scf.condition(%again) %more : i32
    } do {
    ^bb0(%times: i32):
      scf.yield %times : i32
    }
    %pid = tt.get_program_id x : i32
    %mine = tt.addptr %o, %pid : !tt.ptr<i32>, i32
    tt.store %mine, %asked : !tt.ptr<i32>)");
  fixture.array(std::vector<std::int32_t>{0}).array(std::vector<std::int32_t>(20));
  EXPECT_THAT(rule_ids(fixture.run(20)), IsEmpty());
  EXPECT_THAT(fixture.values<std::int32_t>(1), Each(50));
}

TEST(Turns, AreWorthMoreThanTheirSteps) {
  // Each program changes memory as it waits, so that nobody can tell that all wait.
  LaunchFixture fixture("%x: !tt.ptr<i32>", R"(
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %true = arith.constant true
    scf.while : () -> () {
      %seen = tt.atomic_rmw add, acq_rel, gpu, %x, %c1, %true : (!tt.ptr<i32>, i32, i1) -> i32
      scf.condition(%true)
    } do {
      scf.yield
    })");
  fixture.array(std::vector<std::int32_t>{0});
  fixture.options.step_budget = std::uint64_t{1} << 24U;
  EXPECT_THAT(rule_ids(fixture.run(1000)), ElementsAre("step-budget"));
  EXPECT_LT(fixture.values<std::int32_t>(0)[0], 1 << 16);
}

}  // namespace
}  // namespace tritonrl::ttir
