// What single operations compute, and what the sanitizer says of their lanes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <numeric>

#include "tests/ttir/launch_fixture.h"
#include "ttir/unsupported.h"

namespace tritonrl::ttir {
namespace {

using testing::Contains;
using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using tests::LaunchFixture;
using tests::rule_ids;

using Integers = std::vector<std::int32_t>;

Integers counting(std::size_t count, std::int32_t first = 0) {
  Integers numbers(count);
  std::iota(numbers.begin(), numbers.end(), first);
  return numbers;
}

// %i holds 0..7, %v the 8 elements of %x; `body` gives %r, 8 elements that go to %o.
std::string on_eight(const std::string& body) {
  return R"(
    %i = tt.make_range {end = 8 : i32, start = 0 : i32} : tensor<8xi32>
    %xs = tt.splat %x : !tt.ptr<i32> -> tensor<8x!tt.ptr<i32>>
    %px = tt.addptr %xs, %i : tensor<8x!tt.ptr<i32>>, tensor<8xi32>
    %v = tt.load %px : tensor<8x!tt.ptr<i32>>
    %os = tt.splat %o : !tt.ptr<i32> -> tensor<8x!tt.ptr<i32>>
    %po = tt.addptr %os, %i : tensor<8x!tt.ptr<i32>>, tensor<8xi32>
  )" + body +
         R"(
    tt.store %po, %r : tensor<8x!tt.ptr<i32>>)";
}

struct Outcome {
  Integers values;
  LaunchReport report;
};

Outcome run_on_eight(const std::string& body, Integers input = counting(8, 1)) {
  LaunchFixture fixture("%x: !tt.ptr<i32>, %o: !tt.ptr<i32>", on_eight(body));
  fixture.array(std::move(input)).array(Integers(8), Contents::kUndefined);
  auto report = fixture.run(1);
  return {fixture.values<std::int32_t>(1), std::move(report)};
}

TEST(Lowering, CarriesTensorsRoundALoop) {
  // a, b = b, a + b: both ways that a loop hands tensors on, exchanged and copied.
  const auto outcome = run_on_eight(R"(
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c5 = arith.constant 5 : i32
    %zero = arith.constant dense<0> : tensor<8xi32>
    %pair:2 = scf.for %k = %c0 to %c5 step %c1 iter_args(%a = %zero, %b = %v) -> (tensor<8xi32>, tensor<8xi32>) : i32 {
      %sum = arith.addi %a, %b : tensor<8xi32>
      scf.yield %b, %sum : tensor<8xi32>, tensor<8xi32>
    }
    %r = arith.addi %pair#0, %i : tensor<8xi32>)");
  EXPECT_THAT(outcome.values, ElementsAre(5, 11, 17, 23, 29, 35, 41, 47)) << "5 v + i";
}

TEST(Lowering, ExchangesLargeTensorsRoundNestedLoops) {
  LaunchFixture fixture("%x: !tt.ptr<i32>", R"(
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c3 = arith.constant 3 : i32
    %ones = arith.constant dense<1> : tensor<1024xi32>
    %i = tt.make_range {end = 1024 : i32, start = 0 : i32} : tensor<1024xi32>
    %xs = tt.splat %x : !tt.ptr<i32> -> tensor<1024x!tt.ptr<i32>>
    %px = tt.addptr %xs, %i : tensor<1024x!tt.ptr<i32>>, tensor<1024xi32>
    %v = tt.load %px : tensor<1024x!tt.ptr<i32>>
    %pair:2 = scf.for %k = %c0 to %c3 step %c1 iter_args(%a = %v, %b = %i) -> (tensor<1024xi32>, tensor<1024xi32>) : i32 {
      %inner:2 = scf.for %j = %c0 to %c3 step %c1 iter_args(%p = %a, %q = %b) -> (tensor<1024xi32>, tensor<1024xi32>) : i32 {
        %up = arith.addi %p, %ones : tensor<1024xi32>
        %next = arith.addi %q, %up : tensor<1024xi32>
        scf.yield %next, %up : tensor<1024xi32>, tensor<1024xi32>
      }
      scf.yield %inner#1, %inner#0 : tensor<1024xi32>, tensor<1024xi32>
    }
    %r = arith.subi %pair#0, %pair#1 : tensor<1024xi32>
    tt.store %px, %r : tensor<1024x!tt.ptr<i32>>)");
  fixture.array(counting(1024, 7));
  EXPECT_THAT(rule_ids(fixture.run(1)), IsEmpty());
  for (std::int32_t lane = 0; lane < 1024; ++lane) {
    std::int32_t a = lane + 7;
    std::int32_t b = lane;
    for (int k = 0; k < 3; ++k) {
      std::int32_t p = a;
      std::int32_t q = b;
      for (int j = 0; j < 3; ++j) {
        const std::int32_t up = p + 1;
        p = q + up;
        q = up;
      }
      a = q;
      b = p;
    }
    ASSERT_EQ(fixture.values<std::int32_t>(0)[static_cast<std::size_t>(lane)], a - b) << "lane " << lane;
  }
}

TEST(Lowering, TakesTheBranchThatTheConditionNames) {
  const std::string body = R"(
    %c0 = arith.constant 0 : i32
    %first = tt.load %x : !tt.ptr<i32>
    %positive = arith.cmpi sgt, %first, %c0 : i32
    %r = scf.if %positive -> (tensor<8xi32>) {
      scf.yield %v : tensor<8xi32>
    } else {
      scf.yield %i : tensor<8xi32>
    })";
  EXPECT_THAT(run_on_eight(body, counting(8, 5)).values, ElementsAre(5, 6, 7, 8, 9, 10, 11, 12));
  EXPECT_THAT(run_on_eight(body, counting(8, -5)).values, ElementsAre(0, 1, 2, 3, 4, 5, 6, 7));
}

TEST(Lowering, SelectsWholeTensorsByOneCondition) {
  const std::string body = R"(
    %c0 = arith.constant 0 : i32
    %first = tt.load %x : !tt.ptr<i32>
    %positive = arith.cmpi sgt, %first, %c0 : i32
    %r = arith.select %positive, %v, %i : tensor<8xi32>)";
  EXPECT_THAT(run_on_eight(body, counting(8, 5)).values, ElementsAre(5, 6, 7, 8, 9, 10, 11, 12));
  EXPECT_THAT(run_on_eight(body, counting(8, -5)).values, ElementsAre(0, 1, 2, 3, 4, 5, 6, 7));
}

TEST(Lowering, FollowsBlocksThatBranch) {
  LaunchFixture fixture("%x: !tt.ptr<i32>", R"(
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c10 = arith.constant 10 : i32
    %pid = tt.get_program_id x : i32
    %at = tt.addptr %x, %pid : !tt.ptr<i32>, i32
    %early = arith.cmpi eq, %pid, %c0 : i32
    cf.cond_br %early, ^leave, ^loop(%c0, %c0 : i32, i32)
  ^leave:
    tt.store %at, %c10 : !tt.ptr<i32>
    tt.return
  ^loop(%k: i32, %sum: i32):
    %more = arith.addi %sum, %k : i32
    %next = arith.addi %k, %c1 : i32
    %again = arith.cmpi sle, %next, %pid : i32
    cf.cond_br %again, ^loop(%next, %more : i32, i32), ^store
  ^store:
    tt.store %at, %more : !tt.ptr<i32>)");
  fixture.array(Integers(5), Contents::kUndefined);
  EXPECT_THAT(rule_ids(fixture.run(5)), IsEmpty());
  EXPECT_THAT(fixture.values<std::int32_t>(0), ElementsAre(10, 1, 3, 6, 10));
}

TEST(Lowering, CallsFunctionsWithSeveralResults) {
  LaunchFixture fixture(R"(module {
    tt.func public @kernel(%x: !tt.ptr<i32>) {
      %c3 = arith.constant 3 : i32
      %c4 = arith.constant 4 : i32
      %r:2 = tt.call @both(%c3, %c4) : (i32, i32) -> (i32, i32)
      %s:2 = tt.call @both(%r#1, %r#0) : (i32, i32) -> (i32, i32)
      tt.store %x, %s#1 : !tt.ptr<i32>
      tt.return
    }
    tt.func private @both(%a: i32, %b: i32) -> (i32, i32) attributes {noinline = true} {
      %sum = arith.addi %a, %b : i32
      %product = arith.muli %a, %b : i32
      tt.return %sum, %product : i32, i32
    }
  })");
  fixture.array(Integers(1));
  fixture.run(1);
  EXPECT_THAT(fixture.values<std::int32_t>(0), ElementsAre(84));
}

TEST(Lowering, RefusesFunctionsThatCallThemselves) {
  EXPECT_THROW(LaunchFixture(R"(module {
    tt.func public @kernel(%x: !tt.ptr<i32>) {
      tt.call @again() : () -> ()
      tt.return
    }
    tt.func private @again() {
      tt.call @again() : () -> ()
      tt.return
    }
  })"),
               UnsupportedError);
}

TEST(Lowering, ReducesPairsWithTheirOwnRule) {
  // The largest value and where it is: ties go to the lower index.
  const auto outcome = run_on_eight(R"(
    %best:2 = "tt.reduce"(%v, %i) <{axis = 0 : i32}> ({
    ^bb0(%a: i32, %ai: i32, %b: i32, %bi: i32):
      %equal = arith.cmpi eq, %a, %b : i32
      %lower = arith.cmpi slt, %ai, %bi : i32
      %tie = arith.andi %equal, %lower : i1
      %greater = arith.cmpi sgt, %a, %b : i32
      %first = arith.ori %greater, %tie : i1
      %value = arith.select %first, %a, %b : i32
      %index = arith.select %first, %ai, %bi : i32
      tt.reduce.return %value, %index : i32, i32
    }) : (tensor<8xi32>, tensor<8xi32>) -> (i32, i32)
    %values = tt.splat %best#0 : i32 -> tensor<8xi32>
    %r = tt.splat %best#1 : i32 -> tensor<8xi32>)",
                                    {3, 9, 1, 9, 0, 2, 9, 4});
  EXPECT_THAT(outcome.values, Each(1));
}

TEST(Lowering, ReducesEachAxisOfATensor) {
  const auto reduced = [](int axis) {
    return run_on_eight(R"(
      %m = tt.reshape %v : tensor<8xi32> -> tensor<2x4xi32>
      %s = "tt.reduce"(%m) <{axis = )" +
                        std::to_string(axis) + R"( : i32}> ({
      ^bb0(%a: i32, %b: i32):
        %sum = arith.addi %a, %b : i32
        tt.reduce.return %sum : i32
      }) : (tensor<2x4xi32>) -> tensor<)" +
                        (axis == 0 ? "4" : "2") + R"(xi32>
      %e = tt.expand_dims %s {axis = )" +
                        std::to_string(axis) + R"( : i32} : tensor<)" + (axis == 0 ? "4" : "2") +
                        R"(xi32> -> tensor<)" + (axis == 0 ? "1x4" : "2x1") + R"(xi32>
      %b = tt.broadcast %e : tensor<)" +
                        (axis == 0 ? "1x4" : "2x1") + R"(xi32> -> tensor<2x4xi32>
      %r = tt.reshape %b : tensor<2x4xi32> -> tensor<8xi32>)")
        .values;
  };
  EXPECT_THAT(reduced(0), ElementsAre(6, 8, 10, 12, 6, 8, 10, 12));
  EXPECT_THAT(reduced(1), ElementsAre(10, 10, 10, 10, 26, 26, 26, 26));
}

TEST(Lowering, ScansForwardsAndBackwards) {
  const auto scanned = [](const std::string& reverse) {
    return run_on_eight(R"(
      %r = "tt.scan"(%v) <{axis = 0 : i32, reverse = )" +
                        reverse + R"(}> ({
      ^bb0(%a: i32, %b: i32):
        %sum = arith.addi %a, %b : i32
        tt.scan.return %sum : i32
      }) : (tensor<8xi32>) -> tensor<8xi32>)")
        .values;
  };
  EXPECT_THAT(scanned("false"), ElementsAre(1, 3, 6, 10, 15, 21, 28, 36));
  EXPECT_THAT(scanned("true"), ElementsAre(36, 35, 33, 30, 26, 21, 15, 8));
}

TEST(Lowering, RunsCombinesThatBranchLaneByLane) {
  const auto outcome = run_on_eight(R"(
    %r = "tt.scan"(%v) <{axis = 0 : i32, reverse = false}> ({
    ^bb0(%a: i32, %b: i32):
      %greater = arith.cmpi sgt, %a, %b : i32
      %larger = scf.if %greater -> (i32) {
        scf.yield %a : i32
      } else {
        scf.yield %b : i32
      }
      tt.scan.return %larger : i32
    }) : (tensor<8xi32>) -> tensor<8xi32>)",
                                    {3, 1, 4, 1, 5, 9, 2, 6});
  EXPECT_THAT(outcome.values, ElementsAre(3, 3, 4, 4, 5, 9, 9, 9));
}

TEST(Lowering, MovesLanesAsShapesSay) {
  EXPECT_THAT(run_on_eight(R"(
    %m = tt.reshape %v : tensor<8xi32> -> tensor<2x4xi32>
    %t = tt.trans %m {order = array<i32: 1, 0>} : tensor<2x4xi32> -> tensor<4x2xi32>
    %r = tt.reshape %t : tensor<4x2xi32> -> tensor<8xi32>)")
                  .values,
              ElementsAre(1, 5, 2, 6, 3, 7, 4, 8));
  EXPECT_THAT(run_on_eight(R"(
    %m = tt.reshape %v : tensor<8xi32> -> tensor<2x2x2xi32>
    %t = tt.trans %m {order = array<i32: 2, 0, 1>} : tensor<2x2x2xi32> -> tensor<2x2x2xi32>
    %r = tt.reshape %t : tensor<2x2x2xi32> -> tensor<8xi32>)")
                  .values,
              ElementsAre(1, 3, 5, 7, 2, 4, 6, 8));
  EXPECT_THAT(run_on_eight(R"(
    %m = tt.reshape %v : tensor<8xi32> -> tensor<4x2xi32>
    %a, %b = tt.split %m : tensor<4x2xi32> -> tensor<4xi32>
    %j = tt.join %b, %a : tensor<4xi32> -> tensor<4x2xi32>
    %r = tt.reshape %j : tensor<4x2xi32> -> tensor<8xi32>)")
                  .values,
              ElementsAre(2, 1, 4, 3, 6, 5, 8, 7));
}

TEST(Lowering, GathersAndNamesIndicesOutOfRange) {
  const std::string body = "%r = tt.gather %i[%v] {axis = 0 : i32} : (tensor<8xi32>, tensor<8xi32>) -> tensor<8xi32>";
  EXPECT_THAT(run_on_eight(body, {7, 6, 5, 4, 3, 2, 1, 0}).values, ElementsAre(7, 6, 5, 4, 3, 2, 1, 0));
  const auto outside = run_on_eight(body, {0, 1, 2, 3, 4, 8, 6, 7});
  ASSERT_THAT(rule_ids(outside.report), ElementsAre("out-of-bounds"));
  EXPECT_EQ(outside.report.findings[0].lane, 5);
}

TEST(Lowering, ReportsDivisionByZeroAndGoesOn) {
  const auto outcome = run_on_eight("%r = arith.divsi %i, %v : tensor<8xi32>", {1, 1, 0, 1, 1, 1, 1, 1});
  ASSERT_THAT(rule_ids(outcome.report), ElementsAre("division-by-zero"));
  EXPECT_EQ(outcome.report.findings[0].lane, 2);
  EXPECT_EQ(outcome.values[7], 7);
}

TEST(Lowering, AcceptsDivisionByZeroInLanesThatNothingUses) {
  const std::string divided = R"(
    %q = arith.remsi %i, %v : tensor<8xi32>
    %zero = arith.constant dense<0> : tensor<8xi32>
    %used = arith.cmpi ne, %v, %zero : tensor<8xi32>
  )";
  const Integers divisors{1, 2, 0, 3, 0, 4, 5, 6};
  EXPECT_THAT(
      rule_ids(
          run_on_eight(divided + "%r = arith.select %used, %q, %zero : tensor<8xi1>, tensor<8xi32>", divisors).report),
      IsEmpty());
  EXPECT_THAT(rule_ids(run_on_eight(divided + "%r = arith.addi %q, %i : tensor<8xi32>", divisors).report),
              ElementsAre("division-by-zero"));
}

// Loads under a mask of the first five lanes, without `other`; %u is undefined in the last three.
const std::string kMasked = R"(
    %five = arith.constant dense<5> : tensor<8xi32>
    %mask = arith.cmpi slt, %i, %five : tensor<8xi32>
    %u = tt.load %px, %mask : tensor<8x!tt.ptr<i32>>
    %zero = arith.constant dense<0> : tensor<8xi32>
)";

TEST(Lowering, ReportsUndefinedLanesThatAreStored) {
  const auto outcome = run_on_eight(kMasked + "%r = arith.addi %u, %i : tensor<8xi32>");
  ASSERT_THAT(rule_ids(outcome.report), ElementsAre("undefined-lane"));
  EXPECT_EQ(outcome.report.findings[0].lane, 5);
  EXPECT_THAT(outcome.report.findings[0].message, HasSubstr("stored"));
}

TEST(Lowering, AcceptsUndefinedLanesThatNothingUses) {
  EXPECT_THAT(
      rule_ids(run_on_eight(kMasked + "%r = arith.select %mask, %u, %zero : tensor<8xi1>, tensor<8xi32>").report),
      IsEmpty());
  EXPECT_THAT(rule_ids(run_on_eight(kMasked + R"(
      %w = arith.addi %u, %i : tensor<8xi32>
      tt.store %po, %w, %mask : tensor<8x!tt.ptr<i32>>
      %r = arith.select %mask, %u, %zero : tensor<8xi1>, tensor<8xi32>)")
                           .report),
              IsEmpty());
  EXPECT_THAT(rule_ids(run_on_eight(kMasked + R"(
      %near = arith.cmpi slt, %u, %five : tensor<8xi32>
      %both = arith.andi %near, %mask : tensor<8xi1>
      %r = arith.select %both, %i, %zero : tensor<8xi1>, tensor<8xi32>)")
                           .report),
              IsEmpty())
      << "a mask that is off decides";
}

TEST(Lowering, AcceptsUndefinedLanesOutsideADescriptor) {
  const auto stored = [](int size) {
    return rule_ids(run_on_eight(kMasked + R"(
      %c0 = arith.constant 0 : i32
      %size = arith.constant )" + std::to_string(size) +
                                 R"( : i32
      %one = arith.constant 1 : i64
      %desc = tt.make_tensor_descriptor %o, [%size], [%one] : <i32>, <tensor<8xsi32>>
      tt.descriptor_store %desc[%c0], %u : !tt.tensordesc<tensor<8xsi32>>, tensor<8xi32>
      %r = arith.select %mask, %u, %zero : tensor<8xi1>, tensor<8xi32>)")
                        .report);
  };
  EXPECT_THAT(stored(5), IsEmpty());
  EXPECT_THAT(stored(6), ElementsAre("undefined-lane"));
}

TEST(Lowering, FollowsUndefinedLanesThroughReductionsLoopsAndDots) {
  const std::string sum = R"(
    %s = "tt.reduce"(%u) <{axis = 0 : i32}> ({
    ^bb0(%a: i32, %b: i32):
      %t = arith.addi %a, %b : i32
      tt.reduce.return %t : i32
    }) : (tensor<8xi32>) -> i32
    %r = tt.splat %s : i32 -> tensor<8xi32>)";
  EXPECT_THAT(rule_ids(run_on_eight(kMasked + sum).report), ElementsAre("undefined-lane"));
  EXPECT_THAT(rule_ids(run_on_eight(kMasked + R"(
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c2 = arith.constant 2 : i32
    %r = scf.for %k = %c0 to %c2 step %c1 iter_args(%acc = %zero) -> (tensor<8xi32>) : i32 {
      %next = arith.addi %acc, %u : tensor<8xi32>
      scf.yield %next : tensor<8xi32>
    })")
                           .report),
              ElementsAre("undefined-lane"));
}

TEST(Lowering, ReportsUndefinedLanesInAddressesMasksAndBranches) {
  const auto messages = [](const std::string& body) {
    std::vector<std::string> found;
    for (const Finding& finding : run_on_eight(kMasked + body, counting(8, 0)).report.findings)
      if (finding.rule->id == "undefined-lane") found.push_back(finding.message);
    return found;
  };
  EXPECT_THAT(messages(R"(
    %pu = tt.addptr %xs, %u : tensor<8x!tt.ptr<i32>>, tensor<8xi32>
    %w = tt.load %pu, %mask, %zero : tensor<8x!tt.ptr<i32>>
    %r = tt.load %pu : tensor<8x!tt.ptr<i32>>)"),
              ElementsAre(HasSubstr("address")));
  EXPECT_THAT(messages(R"(
    %odd = arith.cmpi sgt, %u, %zero : tensor<8xi32>
    %r = tt.load %px, %odd, %zero : tensor<8x!tt.ptr<i32>>)"),
              ElementsAre(HasSubstr("mask")));
  EXPECT_THAT(messages(R"(
    %c0 = arith.constant 0 : i32
    %s = "tt.reduce"(%u) <{axis = 0 : i32}> ({
    ^bb0(%a: i32, %b: i32):
      %t = arith.addi %a, %b : i32
      tt.reduce.return %t : i32
    }) : (tensor<8xi32>) -> i32
    %yes = arith.cmpi sgt, %s, %c0 : i32
    %r = scf.if %yes -> (tensor<8xi32>) {
      scf.yield %v : tensor<8xi32>
    } else {
      scf.yield %i : tensor<8xi32>
    })"),
              Contains(HasSubstr("condition of a branch")));
}

TEST(Lowering, PrintsAsACompiledKernelDoes) {
  LaunchFixture fixture("%x: !tt.ptr<i32>", R"(
    %i = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
    %f = arith.constant 1.5 : f32
    tt.print " i: " {hex = false, isSigned = array<i32: 1>} : %i : tensor<16xi32>
    tt.print " f: " {hex = false, isSigned = array<i32: 1>} : %f : f32)");
  fixture.array(Integers(1));
  const auto report = fixture.run(1);
  ASSERT_EQ(report.printed.size(), 17U);
  EXPECT_EQ(report.printed[3], "pid (0, 0, 0) idx ( 3) i: 3");
  EXPECT_EQ(report.printed[16], "pid (0, 0, 0) idx () f: 1.500000");
}

TEST(Lowering, ReportsAnAssertionThatFails) {
  const auto outcome = run_on_eight(R"(
    %four = arith.constant dense<4> : tensor<8xi32>
    %small = arith.cmpi slt, %i, %four : tensor<8xi32>
    tt.assert %small, "i is small" : tensor<8xi1>
    %r = arith.addi %v, %i : tensor<8xi32>)");
  ASSERT_THAT(rule_ids(outcome.report), ElementsAre("device-assert"));
  EXPECT_EQ(outcome.report.findings[0].lane, 4);
  EXPECT_THAT(outcome.report.findings[0].message, HasSubstr("i is small"));
}

TEST(Lowering, NamesWhatItDoesNotSupport) {
  try {
    LaunchFixture fixture("%x: !tt.ptr<i32>", R"(
      %c = arith.constant 1 : i32
      %r = tt.elementwise_inline_asm "mov.b32 $0, $1;" {constraints = "=r,r", packed_element = 1 : i32, pure = true} %c : i32 -> i32
      tt.store %x, %r : !tt.ptr<i32>)");
    FAIL() << "inline assembly was taken";
  } catch (const UnsupportedError& error) {
    EXPECT_STREQ(error.what(), "tt.elementwise_inline_asm is not supported");
  }
}

TEST(Lowering, KeepsTheWorkingSetOfAChainSmall) {
  std::string body = "%v0 = arith.addi %v, %i : tensor<8xi32>\n";
  for (int k = 1; k < 100; ++k)
    body += "%v" + std::to_string(k) + " = arith.addi %v" + std::to_string(k - 1) + ", %v : tensor<8xi32>\n";
  LaunchFixture fixture("%x: !tt.ptr<i32>, %o: !tt.ptr<i32>",
                        on_eight(body + "%r = arith.addi %v99, %v : tensor<8xi32>"));
  EXPECT_LT(fixture.code().frame_bytes, 20U * 64) << "slots of values that are done with are used again";
}

}  // namespace
}  // namespace tritonrl::ttir
