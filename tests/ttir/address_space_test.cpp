#include "ttir/memory/address_space.h"

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <optional>
#include <string>

#include "base/error.h"

namespace tritonrl::ttir {
namespace {

std::byte* no_host() { return nullptr; }

TEST(AddressSpace, FindsTheRegionThatHoldsAnAddress) {
  AddressSpace space;
  space.add(0x10000, 100, no_host(), "x", Contents::kDefined);
  space.add(0x10064, 50, no_host(), "y", Contents::kDefined);
  EXPECT_EQ(space.find(0xffff), nullptr);
  EXPECT_EQ(space.find(0x10000)->name, "x");
  EXPECT_EQ(space.find(0x10063)->name, "x");
  EXPECT_EQ(space.find(0x10064)->name, "y");
  EXPECT_EQ(space.find(0x10064 + 50), nullptr);
}

TEST(AddressSpace, RefusesWhatOverlaps) {
  AddressSpace space;
  space.add(0x10000, 100, no_host(), "x", Contents::kDefined);
  EXPECT_THROW(space.add(0x10000, 1, no_host(), "y", Contents::kDefined), base::InputError);
  EXPECT_THROW(space.add(0x10063, 10, no_host(), "y", Contents::kDefined), base::InputError);
  EXPECT_THROW(space.add(0xfff0, 0x11, no_host(), "y", Contents::kDefined), base::InputError);
  EXPECT_THROW(space.add(~Address{0}, 2, no_host(), "y", Contents::kDefined), base::InputError);
  EXPECT_NO_THROW(space.add(0xfff0, 0x10, no_host(), "y", Contents::kDefined));
}

TEST(AddressSpace, RemovesOnlyWhatIsThere) {
  AddressSpace space;
  space.add(0x10000, 100, no_host(), "x", Contents::kDefined);
  EXPECT_THROW(space.remove(0x10001), base::InputError);
  space.remove(0x10000);
  EXPECT_EQ(space.find(0x10000), nullptr);
  EXPECT_THROW(space.remove(0x10000), base::InputError);
}

TEST(AddressSpace, RemembersWhatWasFreedUntilItIsReused) {
  AddressSpace space;
  space.add(0x10000, 0x300, no_host(), "x", Contents::kDefined);
  EXPECT_EQ(space.freed(0x10000), std::nullopt);
  space.remove(0x10000);
  EXPECT_EQ(space.freed(0x102ff), "x");
  EXPECT_EQ(space.freed(0x10300), std::nullopt);
  space.add(0x10100, 0x100, no_host(), "y", Contents::kDefined);
  EXPECT_EQ(space.freed(0x100ff), "x");
  EXPECT_EQ(space.freed(0x10100), std::nullopt);
  EXPECT_EQ(space.freed(0x10200), "x");
  space.remove(0x10100);
  EXPECT_EQ(space.freed(0x10100), "y");
  EXPECT_EQ(space.freed(0x100ff), "x");
}

TEST(AddressSpace, ForgetsTheOldestOfManyFreedRegions) {
  AddressSpace space;
  for (Address i = 0; i < 10000; ++i) {
    space.add(0x10000 + i * 64, 64, no_host(), std::to_string(i), Contents::kUndefined);
  }
  for (Address i = 0; i < 10000; ++i) space.remove(0x10000 + i * 64);
  EXPECT_EQ(space.freed(0x10000), std::nullopt);
  EXPECT_EQ(space.freed(0x10000 + 9999 * 64), "9999");
}

TEST(AddressSpace, NamesTheNearestRegion) {
  AddressSpace space;
  EXPECT_EQ(space.nearest(5), nullptr);
  space.add(0x10000, 0x100, no_host(), "x", Contents::kDefined);
  space.add(0x10200, 0x100, no_host(), "y", Contents::kDefined);
  EXPECT_EQ(space.nearest(5)->name, "x");
  EXPECT_EQ(space.nearest(0x10110)->name, "x");
  EXPECT_EQ(space.nearest(0x101f0)->name, "y");
  EXPECT_EQ(space.nearest(0x10210)->name, "y");
  EXPECT_EQ(space.nearest(0x90000)->name, "y");
}

TEST(AddressSpace, KnowsWhichBytesWereWritten) {
  AddressSpace space;
  space.add(0x10000, 0x100, no_host(), "x", Contents::kUndefined);
  space.add(0x10100, 0x100, no_host(), "y", Contents::kDefined);
  space.add(0x10300, 0x100, no_host(), "z", Contents::kUndefined);
  EXPECT_EQ(space.first_undefined(0x10010, 1), 0);
  EXPECT_EQ(space.first_undefined(0x10100, 0x200), std::nullopt);
  space.mark_defined(0x10000, 0x20);
  EXPECT_EQ(space.first_undefined(0x10000, 0x100), 0x20);
  EXPECT_EQ(space.first_undefined(0x10000, 0x20), std::nullopt);
  space.mark_defined(0x10000, 0x400);
  EXPECT_EQ(space.first_undefined(0x10000, 0x1000), std::nullopt);
}

TEST(AddressSpace, LargeUndefinedRegionsCostNothingUntilTheyAreWritten) {
  AddressSpace space;
  constexpr std::uint64_t kBytes = std::uint64_t{1} << 34U;
  space.add(0x10000, kBytes, no_host(), "x", Contents::kUndefined);
  space.mark_defined(0x10000 + kBytes - 1, 1);
  EXPECT_EQ(space.first_undefined(0x10000 + kBytes - 1, 1), std::nullopt);
  EXPECT_EQ(space.first_undefined(0x10000 + kBytes - 2, 1), 0);
}

}  // namespace
}  // namespace tritonrl::ttir
