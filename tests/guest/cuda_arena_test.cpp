#include "cuda_arena.h"

#include <gtest/gtest.h>

namespace tritonrl::guest {
namespace {

constexpr std::uint64_t kBase = 0x2000'0000'0000;

TEST(CudaArenaTest, PiecesHaveFreeSpaceOnBothSides) {
  CudaArena arena;
  arena.use(kBase, 1 << 20);
  const std::uint64_t first = arena.allocate(1000);
  const std::uint64_t second = arena.allocate(1);
  EXPECT_GE(first, kBase + 512);
  EXPECT_GE(second - (first + 1000), 1024U);
  EXPECT_EQ(first % 512, 0U);
  EXPECT_TRUE(arena.holds(first));
  EXPECT_FALSE(arena.holds(kBase + (1 << 20)));
}

TEST(CudaArenaTest, WhatIsReleasedComesBackOnlyWhenRecycled) {
  CudaArena arena;
  arena.use(kBase, 1 << 20);
  const std::uint64_t first = arena.allocate(4096);
  EXPECT_TRUE(arena.release(first));
  EXPECT_NE(arena.allocate(4096), first);
  arena.recycle();
  EXPECT_EQ(arena.allocate(4096), first);
}

TEST(CudaArenaTest, NothingIsReleasedTwice) {
  CudaArena arena;
  arena.use(kBase, 1 << 20);
  const std::uint64_t first = arena.allocate(16);
  EXPECT_TRUE(arena.release(first));
  EXPECT_FALSE(arena.release(first));
  EXPECT_FALSE(arena.release(kBase + 7));
  EXPECT_FALSE(arena.release(0));
}

TEST(CudaArenaTest, AfterAShiftTheSameTensorsLieElsewhereUntilRecycled) {
  CudaArena arena;
  arena.use(kBase, 1 << 20);
  const std::uint64_t kept = arena.allocate(1000);
  const std::uint64_t before = arena.allocate(4096);
  arena.release(before);
  arena.recycle();
  arena.shift(64 << 10);
  const std::uint64_t shifted = arena.allocate(4096);
  EXPECT_EQ(shifted, before + (64 << 10));
  arena.release(shifted);
  arena.recycle();
  EXPECT_EQ(arena.allocate(4096), before);
  EXPECT_TRUE(arena.release(kept));
}

TEST(CudaArenaTest, AShiftThatDoesNotFitIsNone) {
  CudaArena arena;
  arena.use(kBase, 8192);
  arena.shift(1 << 20);
  EXPECT_EQ(arena.allocate(4096), kBase + 512);
}

TEST(CudaArenaTest, SaysWhenThereIsNoRoom) {
  CudaArena arena;
  arena.use(kBase, 8192);
  EXPECT_EQ(arena.allocate(8192), 0U);
  EXPECT_NE(arena.allocate(4096), 0U);
  EXPECT_EQ(arena.allocate(4096), 0U);
}

}  // namespace
}  // namespace tritonrl::guest
