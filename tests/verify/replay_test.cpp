#include "verify/replay.h"

#include <gtest/gtest.h>

#include <array>
#include <cstring>

#include "ttir/ir/parser.h"
#include "ttir/machine/lowering.h"

namespace tritonrl::verify {
namespace {

// Copies 16 words from one tensor to another.
constexpr std::string_view kCopy = R"(
module {
  tt.func public @copy(%from: !tt.ptr<i32>, %to: !tt.ptr<i32>) {
    %lanes = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
    %a = tt.splat %from : !tt.ptr<i32> -> tensor<16x!tt.ptr<i32>>
    %b = tt.addptr %a, %lanes : tensor<16x!tt.ptr<i32>>, tensor<16xi32>
    %values = tt.load %b : tensor<16x!tt.ptr<i32>>
    %c = tt.splat %to : !tt.ptr<i32> -> tensor<16x!tt.ptr<i32>>
    %d = tt.addptr %c, %lanes : tensor<16x!tt.ptr<i32>>, tensor<16xi32>
    tt.store %d, %values : tensor<16x!tt.ptr<i32>>
    tt.return
  }
}
)";
constexpr std::uint32_t kPattern = 0xfff1'a5a5;
constexpr std::uint64_t kFrom = 0x7000'0000;
constexpr std::uint64_t kTo = 0x7000'1000;
constexpr std::uint64_t kElsewhere = 0x7000'2000;

class ReplayTest : public ::testing::Test {
 protected:
  ReplayTest() {
    kernel_.name = "copy";
    kernel_.code = ttir::lower(ttir::parse_module(kCopy));
    words_.fill(7);
  }

  std::vector<DeviceFinding> run(std::uint64_t from_bytes, ttir::ProgramId grid = {1, 1, 1}) {
    allocations_ = {{kFrom, from_bytes}, {kTo, 64}, {kElsewhere, elsewhere_bytes_}};
    const auto copy = [&](std::byte* to, std::uint64_t address, std::uint64_t bytes) {
      if (address == kFrom) std::memcpy(to, words_.data(), bytes);
    };
    LaunchRequest request{.kernel = 1, .grid = grid, .arguments = std::vector<ttir::Argument>(2)};
    request.arguments[0].integer = kFrom;
    request.arguments[1].integer = kTo;
    const Replay::Memory memory{.allocations = allocations_, .copy = copy, .pattern = kPattern};
    auto copies = replay_.copy(kernel_, request, memory, why_not_);
    return copies ? Replay::run(kernel_, request, *copies, why_not_) : std::vector<DeviceFinding>{};
  }

  GuestKernel kernel_;
  Replay replay_;
  std::array<std::uint32_t, 16> words_{};
  std::map<std::uint64_t, std::uint64_t> allocations_;
  std::uint64_t elsewhere_bytes_ = 64;
  std::string why_not_;
};

TEST_F(ReplayTest, FindsNothingWrongWithALaunchThatStaysInBounds) {
  EXPECT_TRUE(run(64).empty());
  EXPECT_EQ(why_not_, "");
}

TEST_F(ReplayTest, FindsAReadPastTheEndOfATensor) {
  const auto found = run(60);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].rule, "out-of-bounds");
  EXPECT_TRUE(found[0].error);
  EXPECT_EQ(found[0].kernel, "copy");
}

TEST_F(ReplayTest, FindsAReadOfWordsThatStillHoldThePattern) {
  words_[3] = kPattern;
  const auto found = run(64);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].rule, "uninitialised-read");
}

TEST_F(ReplayTest, CopiesOnlyWhatTheLaunchIsGiven) {
  elsewhere_bytes_ = std::uint64_t{1} << 40U;
  EXPECT_TRUE(run(64).empty());
  EXPECT_EQ(why_not_, "");
}

TEST_F(ReplayTest, PassesOverKernelsThatTheExecutorLacksAndSaysSo) {
  kernel_.code = {};
  EXPECT_TRUE(run(64).empty());
  EXPECT_EQ(why_not_, "the executor lacks what copy needs");
}

TEST_F(ReplayTest, PassesOverLaunchesOfTooManyPrograms) {
  EXPECT_TRUE(run(60, {1000, 1000, 1}).empty());
  EXPECT_EQ(why_not_, "there are too many programs");
}

}  // namespace
}  // namespace tritonrl::verify
