// What a launch as a whole promises: order, threads, budgets, arguments.
#include "ttir/launch.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <numeric>

#include "base/error.h"
#include "tests/ttir/launch_fixture.h"
#include "ttir/unsupported.h"

namespace tritonrl::ttir {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;
using tests::LaunchFixture;
using tests::rule_ids;

// Each program doubles 64 elements of %x into %o.
constexpr std::string_view kDoubleParameters = "%x: !tt.ptr<f32>, %o: !tt.ptr<f32>";
constexpr std::string_view kDouble = R"(
  %c64 = arith.constant 64 : i32
  %two = arith.constant dense<2.0> : tensor<64xf32>
  %pid = tt.get_program_id x : i32
  %first = arith.muli %pid, %c64 : i32
  %range = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
  %firsts = tt.splat %first : i32 -> tensor<64xi32>
  %i = arith.addi %firsts, %range : tensor<64xi32>
  %xs = tt.splat %x : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
  %px = tt.addptr %xs, %i : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
  %v = tt.load %px : tensor<64x!tt.ptr<f32>>
  %d = arith.mulf %v, %two : tensor<64xf32>
  %os = tt.splat %o : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
  %po = tt.addptr %os, %i : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
  tt.store %po, %d : tensor<64x!tt.ptr<f32>>)";

std::vector<float> counting(std::size_t count) {
  std::vector<float> numbers(count);
  std::iota(numbers.begin(), numbers.end(), 1.0F);
  return numbers;
}

LaunchFixture doubling(std::size_t programs) {
  LaunchFixture fixture(kDoubleParameters, kDouble);
  fixture.array(counting(programs * 64)).array(std::vector<float>(programs * 64), Contents::kUndefined);
  return fixture;
}

std::vector<float> doubled(std::size_t count) {
  auto numbers = counting(count);
  for (float& number : numbers) number *= 2;
  return numbers;
}

TEST(Launch, RunsEveryProgramOfTheGrid) {
  auto fixture = doubling(100);
  const auto report = fixture.run(100);
  EXPECT_THAT(rule_ids(report), IsEmpty());
  EXPECT_EQ(fixture.values<float>(1), doubled(6400));
  EXPECT_EQ(report.counters.programs, 100U);
  EXPECT_EQ(report.counters.unique_bytes.read, 25600U);
  EXPECT_EQ(report.counters.unique_bytes.written, 25600U);
}

TEST(Launch, GivesTheSameInEveryOrder) {
  for (const auto order : {ProgramOrder::kInOrder, ProgramOrder::kReversed, ProgramOrder::kShuffled}) {
    auto fixture = doubling(33);
    fixture.options.order = order;
    fixture.options.seed = 5;
    EXPECT_THAT(rule_ids(fixture.run(33)), IsEmpty());
    EXPECT_EQ(fixture.values<float>(1), doubled(33 * 64));
  }
}

TEST(Launch, GivesTheSameBitsAndCountersOnAnyNumberOfThreads) {
  auto one = doubling(50);
  const auto expected = one.run(50);
  for (const unsigned threads : {2U, 3U, 8U, 64U}) {
    auto fixture = doubling(50);
    fixture.options.threads = threads;
    const auto report = fixture.run(50);
    EXPECT_EQ(fixture.values<float>(1), one.values<float>(1));
    EXPECT_EQ(report.counters.executions, expected.counters.executions);
    EXPECT_EQ(report.counters.unique_bytes.read, expected.counters.unique_bytes.read);
    EXPECT_EQ(report.counters.unique_bytes.written, expected.counters.unique_bytes.written);
    ASSERT_EQ(report.counters.traffic.size(), expected.counters.traffic.size());
    for (std::size_t i = 0; i < report.counters.traffic.size(); ++i)
      EXPECT_EQ(report.counters.traffic[i].sectors, expected.counters.traffic[i].sectors);
  }
}

TEST(Launch, DoesNothingForAnEmptyGrid) {
  auto fixture = doubling(2);
  for (const ProgramId grid : {ProgramId{0, 1, 1}, ProgramId{1, 0, 1}, ProgramId{1, 1, 0}}) {
    const auto report = fixture.run(grid);
    EXPECT_THAT(rule_ids(report), IsEmpty());
    EXPECT_EQ(report.counters.programs, 0U);
  }
  EXPECT_EQ(fixture.values<float>(1), std::vector<float>(128));
}

TEST(Launch, NamesAGridThatIsTooLarge) {
  auto fixture = doubling(1);
  EXPECT_THROW(fixture.run(ProgramId{1U << 31U, 1, 1}), UnsupportedError);
  EXPECT_THROW(fixture.run(ProgramId{~0U, ~0U, ~0U}), UnsupportedError);
}

TEST(Launch, StopsAHugeGridWhenTheBudgetIsSpent) {
  LaunchFixture fixture("%x: !tt.ptr<f32>", "%pid = tt.get_program_id x : i32");
  fixture.array(std::vector<float>(1));
  fixture.options.step_budget = 10'000;
  EXPECT_THAT(rule_ids(fixture.run((1U << 31U) - 2)), ElementsAre("step-budget"));
}

TEST(Launch, RefusesAWrongNumberOfArguments) {
  LaunchFixture fixture(kDoubleParameters, kDouble);
  fixture.array(std::vector<float>(64));
  EXPECT_THROW(fixture.run(1), base::InputError);
}

// Every program writes its number to the same cell, then reads its neighbour's cell.
constexpr std::string_view kRace = R"(
  %pid = tt.get_program_id x : i32
  %c0 = arith.constant 0 : i32
  %at = tt.addptr %x, %c0 : !tt.ptr<i32>, i32
  tt.store %at, %pid : !tt.ptr<i32>
  %mine = tt.addptr %o, %pid : !tt.ptr<i32>, i32
  %seen = tt.load %at : !tt.ptr<i32>
  tt.store %mine, %seen : !tt.ptr<i32>)";

TEST(Launch, ReportsARaceTheSameWayOnAnyNumberOfThreads) {
  const auto run = [](unsigned threads) {
    LaunchFixture fixture("%x: !tt.ptr<i32>, %o: !tt.ptr<i32>", kRace);
    fixture.array(std::vector<std::int32_t>{-1}).array(std::vector<std::int32_t>(64, -7));
    fixture.options.threads = threads;
    auto report = fixture.run(64);
    return std::pair(std::move(report), fixture.values<std::int32_t>(1));
  };
  const auto [expected, cells] = run(1);
  EXPECT_THAT(rule_ids(expected), Contains("data-race"));
  for (const unsigned threads : {2U, 7U}) {
    const auto [report, seen] = run(threads);
    EXPECT_EQ(rule_ids(report), rule_ids(expected));
    EXPECT_EQ(report.findings[0].message, expected.findings[0].message);
    EXPECT_EQ(report.findings[0].program, expected.findings[0].program);
    EXPECT_EQ(seen, cells) << "memory is as after one thread";
  }
}

TEST(Launch, EndsALoopThatNeverEnds) {
  LaunchFixture fixture("%x: !tt.ptr<i32>", R"(
    %true = arith.constant true
    scf.while : () -> () {
      scf.condition(%true)
    } do {
      scf.yield
    })");
  fixture.array(std::vector<std::int32_t>{0});
  fixture.options.step_budget = 1'000'000;
  EXPECT_THAT(rule_ids(fixture.run(3)), ElementsAre("step-budget"));
}

TEST(Launch, ReportsAnArgumentThatIsNotDivisibleAsCompiledFor) {
  LaunchFixture fixture("%x: !tt.ptr<i32>, %n: i32 {tt.divisibility = 16 : i32}", "tt.store %x, %n : !tt.ptr<i32>");
  fixture.array(std::vector<std::int32_t>{0}).integer(24);
  const auto report = fixture.run(1);
  ASSERT_THAT(rule_ids(report), ElementsAre("wrong-divisibility"));
  EXPECT_THAT(report.findings[0].message, testing::HasSubstr("`n` is 24"));
}

TEST(Launch, AccessesOutsideMemoryWriteNothingAndReadZeros) {
  LaunchFixture fixture(kDoubleParameters, kDouble);
  fixture.array(counting(100)).array(std::vector<float>(100, -1.0F));
  const auto report = fixture.run(2);
  ASSERT_THAT(rule_ids(report), ElementsAre("out-of-bounds"));
  EXPECT_EQ(report.findings[0].occurrences, 56U)
      << "28 lanes of the load and of the store, which have no place to tell them apart";
  EXPECT_EQ(fixture.values<float>(1), doubled(100));
  EXPECT_EQ(report.findings[0].lane, 36);
  EXPECT_EQ(report.findings[0].program, (ProgramId{1, 0, 0}));
}

}  // namespace
}  // namespace tritonrl::ttir
