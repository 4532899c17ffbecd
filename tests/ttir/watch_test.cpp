#include "ttir/memory/watch.h"

#include <gtest/gtest.h>

#include "memory_fixture.h"

namespace tritonrl::ttir {
namespace {

constexpr Address kFlags = 0x100000;

class WatchTest : public ::testing::TestWithParam<bool> {
 protected:
  WatchTest() {
    memory.add(kFlags, 1 << 12, "flags");
    memory.program(0);
  }

  // What programs see that ask by a volatile load, some lanes of which are scattered.
  Watch seen() {
    Watch watch;
    memory.view().watch(&watch);
    std::vector<std::int32_t> out(3);
    const std::vector<Address> addresses = {kFlags, kFlags + 64, kFlags + 8};
    memory.view().load_volatile(flag(), {addresses.data(), nullptr, 3}, reinterpret_cast<std::byte*>(out.data()));
    memory.view().watch(nullptr);
    return watch;
  }
  static AccessSite flag() { return site(0, Element::kI32); }

  Memory memory{true, GetParam()};
};

TEST_P(WatchTest, HasNewsOfTheBytesThatWereSeenAlone) {
  const Watch watch = seen();
  memory.store<std::int32_t>(flag(), {kFlags + 4}, {1});
  EXPECT_FALSE(watch.has_news());
  for (const Address address : {kFlags, kFlags + 64, kFlags + 8}) {
    memory.store<std::int32_t>(flag(), {address}, {1});
    EXPECT_TRUE(watch.has_news());
    memory.store<std::int32_t>(flag(), {address}, {0});
    EXPECT_FALSE(watch.has_news());
  }
}

TEST_P(WatchTest, TellsPlacesFromContents) {
  const Watch before = seen();
  EXPECT_TRUE(before.same_places(seen()));
  EXPECT_TRUE(before.same_contents(seen()));
  memory.rmw(flag(), kFlags, RmwOperation::kAdd, 1, Ordering::kRelaxed);
  EXPECT_TRUE(before.same_places(seen()));
  EXPECT_FALSE(before.same_contents(seen()));
  EXPECT_FALSE(before.same_places(Watch()));
}

TEST_P(WatchTest, KnowsNoPlacesOnceTheyAreTooMany) {
  Watch watch;
  memory.view().watch(&watch);
  for (int i = 0; i < 300; ++i) memory.cas(flag(), kFlags + 8 * static_cast<Address>(i), 5, 6, Ordering::kRelaxed);
  EXPECT_FALSE(watch.same_places(watch));
  watch.clear();
  EXPECT_TRUE(watch.same_places(Watch()));
}

INSTANTIATE_TEST_SUITE_P(Sanitised, WatchTest, testing::Bool());

}  // namespace
}  // namespace tritonrl::ttir
