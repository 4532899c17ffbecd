#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

#include "memory_fixture.h"
#include "ttir/memory/memory_view.h"

// Programs that order each other by atomics.
namespace tritonrl::ttir {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr Address kData = 0x100000;
constexpr Address kFlag = 0x800000;

class RaceOrder : public ::testing::Test {
 protected:
  RaceOrder() {
    memory.add(kData, 1 << 22, "data");
    memory.add(kFlag, 1 << 16, "flag");
  }
  void write(std::uint32_t at, Address address, std::int32_t value) {
    memory.store<std::int32_t>(site(at, Element::kI32), {address}, {value});
  }
  std::int32_t read(std::uint32_t at, Address address) {
    return memory.load<std::int32_t>(site(at, Element::kI32), {address})[0];
  }
  std::int32_t add(std::uint32_t at, Address address, std::int32_t value,
                   Ordering ordering = Ordering::kAcquireRelease) {
    return memory.rmw(site(at, Element::kI32), address, RmwOperation::kAdd, value, ordering);
  }
  std::int32_t exchange(std::uint32_t at, Address address, std::int32_t value,
                        Ordering ordering = Ordering::kAcquireRelease) {
    return memory.rmw(site(at, Element::kI32), address, RmwOperation::kExchange, value, ordering);
  }
  std::int32_t cas(std::uint32_t at, Address address, std::int32_t compare, std::int32_t value,
                   Ordering ordering = Ordering::kAcquireRelease) {
    return memory.cas(site(at, Element::kI32), address, compare, value, ordering);
  }
  // Program 0 writes and signals, program 1 waits and reads.
  std::vector<std::string> hand_over(Ordering signal, Ordering wait) {
    memory.program(1);
    EXPECT_EQ(cas(0, kFlag, 1, 1, wait), 0);
    memory.program(0);
    write(1, kData, 5);
    exchange(2, kFlag, 1, signal);
    memory.program(1);
    EXPECT_EQ(cas(3, kFlag, 1, 1, wait), 1);
    EXPECT_EQ(read(4, kData), 5);
    return memory.found();
  }

  Memory memory{true};
};

TEST_F(RaceOrder, AFlagThatIsReleasedAndAcquiredOrders) {
  EXPECT_THAT(hand_over(Ordering::kAcquireRelease, Ordering::kAcquireRelease), IsEmpty());
}
TEST_F(RaceOrder, ReleaseAndAcquireAloneAreEnough) {
  EXPECT_THAT(hand_over(Ordering::kRelease, Ordering::kAcquire), IsEmpty());
}
TEST_F(RaceOrder, ReleaseWithoutAcquireOrdersNothing) {
  EXPECT_THAT(hand_over(Ordering::kRelease, Ordering::kRelaxed), ElementsAre("data-race@4"));
}
TEST_F(RaceOrder, AcquireWithoutReleaseOrdersNothing) {
  EXPECT_THAT(hand_over(Ordering::kAcquire, Ordering::kAcquire), ElementsAre("data-race@4"));
}
TEST_F(RaceOrder, RelaxedAtomicsOrderNothing) {
  EXPECT_THAT(hand_over(Ordering::kRelaxed, Ordering::kRelaxed), ElementsAre("data-race@4"));
}

TEST_F(RaceOrder, WhatComesAfterTheReleaseIsNotOrdered) {
  memory.program(0);
  exchange(0, kFlag, 1);
  write(1, kData, 5);
  memory.program(1);
  add(2, kFlag, 0);
  read(3, kData);
  EXPECT_THAT(memory.found(), ElementsAre("data-race@3"));
}

TEST_F(RaceOrder, AFlagOfAnotherAddressOrdersNothing) {
  memory.program(0);
  write(0, kData, 5);
  exchange(1, kFlag, 1);
  memory.program(1);
  add(2, kFlag + 4, 0);
  read(3, kData);
  EXPECT_THAT(memory.found(), ElementsAre("data-race@3"));
}

TEST_F(RaceOrder, RelaxedUpdatesKeepAReleaseSequence) {
  memory.program(0);
  write(0, kData, 5);
  add(1, kFlag, 1, Ordering::kRelease);
  memory.program(1);
  add(2, kFlag, 1, Ordering::kRelaxed);
  memory.program(2);
  add(3, kFlag, 0, Ordering::kAcquire);
  read(4, kData);
  EXPECT_THAT(memory.found(), IsEmpty());
}

TEST_F(RaceOrder, APlainStoreEndsAReleaseSequence) {
  memory.program(0);
  write(0, kData, 5);
  add(1, kFlag, 1);
  write(2, kFlag, 0);
  write(3, kFlag, 1);
  memory.program(1);
  add(4, kFlag, 0);
  read(5, kData);
  EXPECT_THAT(memory.found(), ElementsAre("data-race@4", "data-race@5"));
}

TEST_F(RaceOrder, AFailedComparisonReleasesNothing) {
  memory.program(0);
  write(0, kData, 5);
  cas(1, kFlag, 9, 1);
  memory.program(1);
  add(2, kFlag, 0);
  read(3, kData);
  EXPECT_THAT(memory.found(), ElementsAre("data-race@3"));
}

TEST_F(RaceOrder, AtomicsNeverRaceWithEachOther) {
  for (std::uint64_t program = 0; program < 20; ++program) {
    memory.program(program);
    add(0, kFlag, 1, Ordering::kRelaxed);
    cas(1, kFlag, 3, 4, Ordering::kRelaxed);
    memory.load_volatile<std::int32_t>(site(2, Element::kI32), kFlag);
  }
  EXPECT_THAT(memory.found(), IsEmpty());
}

TEST_F(RaceOrder, PlainAccessesRaceWithAtomics) {
  memory.program(0);
  add(0, kFlag, 1, Ordering::kRelaxed);
  memory.load_volatile<std::int32_t>(site(0, Element::kI32), kFlag + 4);
  write(0, kFlag + 8, 1);
  read(0, kFlag + 12);
  memory.program(1);
  read(1, kFlag);
  read(2, kFlag + 4);
  write(3, kFlag + 4, 1);
  add(4, kFlag + 8, 1, Ordering::kRelaxed);
  cas(5, kFlag + 12, 7, 1, Ordering::kRelaxed);
  add(6, kFlag + 12, 1, Ordering::kRelaxed);
  EXPECT_THAT(memory.found(), ElementsAre("data-race@1", "data-race@3", "data-race@4", "data-race@6"));
}

TEST_F(RaceOrder, ALockHandsOverWhatItGuards) {
  for (std::uint64_t program = 0; program < 50; ++program) {
    memory.program(program);
    ASSERT_EQ(cas(0, kFlag, 0, 1), 0);
    write(2, kData, read(1, kData) + 1);
    exchange(3, kFlag, 0);
  }
  EXPECT_THAT(memory.found(), IsEmpty());
  memory.program(7);
  read(4, kData);
  EXPECT_THAT(memory.found(), ElementsAre("data-race@4"));
}

TEST_F(RaceOrder, ALockThatGuardsOnlyTheWriterDoesNotHelpTheReader) {
  memory.program(0);
  cas(0, kFlag, 0, 1);
  write(1, kData, 1);
  exchange(2, kFlag, 0);
  memory.program(1);
  read(3, kData);
  EXPECT_THAT(memory.found(), ElementsAre("data-race@3"));
}

TEST_F(RaceOrder, ALookBackChainIsClean) {
  // Each program publishes its aggregate (flag 1), looks back, then publishes its prefix (flag 2).
  constexpr std::uint32_t kPrograms = 500;
  for (std::uint32_t program = 0; program < kPrograms; ++program) {
    memory.program(program);
    write(0, kData + program * 8, 1);
    exchange(1, kFlag + program * 4, 1);
  }
  for (std::uint32_t program = 0; program < kPrograms; ++program) {
    memory.program(program);
    std::int32_t sum = 1;
    for (std::uint32_t back = program; back-- > 0;) {
      const std::int32_t flag = add(2, kFlag + back * 4, 0);
      sum += read(3, kData + back * 8 + (flag == 2 ? 4 : 0));
      if (flag == 2) break;
    }
    write(4, kData + program * 8 + 4, sum);
    exchange(5, kFlag + program * 4, 2);
  }
  EXPECT_THAT(memory.found(), IsEmpty());
  memory.program(0);
  add(6, kFlag + (kPrograms - 1) * 4, 0);
  EXPECT_EQ(read(7, kData + (kPrograms - 1) * 8 + 4), kPrograms);
  EXPECT_THAT(memory.found(), IsEmpty());
}

TEST_F(RaceOrder, ALookBackThatSkipsTheFlagRaces) {
  memory.program(0);
  write(0, kData, 1);
  exchange(1, kFlag, 1);
  memory.program(1);
  write(2, kData + 4, 1);
  exchange(3, kFlag + 4, 1);
  memory.program(2);
  add(4, kFlag + 4, 0);
  read(5, kData + 4);
  read(6, kData);
  EXPECT_THAT(memory.found(), ElementsAre("data-race@6"));
}

// Partials of all programs, a counter, and the last to arrive adds them up.
TEST_F(RaceOrder, LastArrivalOfTenThousandProgramsIsClean) {
  constexpr std::uint32_t kPrograms = 10000;
  for (std::uint32_t program = 0; program < kPrograms; ++program) {
    memory.program(program);
    memory.store(site(0, Element::kI32), strided(kData + program * 64, 16, 4),
                 std::vector<std::int32_t>(16, static_cast<std::int32_t>(program)));
    if (add(1, kFlag, 1) != kPrograms - 1) continue;
    for (std::uint32_t other = 0; other < kPrograms; ++other) {
      memory.load<std::int32_t>(site(2, Element::kI32), strided(kData + other * 64, 16, 4));
    }
  }
  EXPECT_THAT(memory.found(), IsEmpty());
}

TEST_F(RaceOrder, LastArrivalWithARelaxedCounterRaces) {
  for (std::uint32_t program = 0; program < 10; ++program) {
    memory.program(program);
    write(0, kData + program * 4, 1);
    if (add(1, kFlag, 1, Ordering::kRelaxed) != 9) continue;
    for (std::uint32_t other = 0; other < 10; ++other) read(2, kData + other * 4);
  }
  EXPECT_THAT(memory.found(), ElementsAre("data-race@2"));
  EXPECT_EQ(memory.view().findings()[0].occurrences, 9);
}

TEST_F(RaceOrder, ABarrierOfTheGridOrdersAllWithAll) {
  constexpr std::uint32_t kPrograms = 300;
  for (std::uint32_t program = 0; program < kPrograms; ++program) {
    memory.program(program);
    write(0, kData + program * 4, 1);
    read(0, kData + 0x10000);
    add(1, kFlag, 1);
  }
  for (std::uint32_t program = 0; program < kPrograms; ++program) {
    memory.program(program);
    ASSERT_EQ(add(2, kFlag, 0), kPrograms);
    read(3, kData + (program + 1) % kPrograms * 4);
  }
  EXPECT_THAT(memory.found(), IsEmpty());
  // All have read this before the barrier.
  write(4, kData + 0x10000, 1);
  EXPECT_THAT(memory.found(), IsEmpty());
  // But this one after it.
  write(5, kData + 4, 1);
  EXPECT_THAT(memory.found(), ElementsAre("data-race@5"));
}

TEST_F(RaceOrder, ALockOfManyTilesWithAtomicAddsIsClean) {
  // Split-K: tiles are added up by atomics of many lanes, the last program of a tile reads it.
  const std::vector<Address> tile = strided(kData, 1024, 4);
  const std::vector<float> ones(1024, 1.0F);
  for (std::uint32_t program = 0; program < 8; ++program) {
    memory.program(program);
    memory.view().atomic_rmw(site(0, Element::kF32), {tile.data(), nullptr, tile.size()}, RmwOperation::kFAdd,
                             Ordering::kRelaxed, reinterpret_cast<const std::byte*>(ones.data()), nullptr);
    if (add(1, kFlag, 1) != 7) continue;
    EXPECT_EQ(memory.load<float>(site(2, Element::kF32), tile)[1023], 8.0F);
  }
  EXPECT_THAT(memory.found(), IsEmpty());
}

TEST_F(RaceOrder, VolatileLoadsOrderOnlyWithABarrier) {
  memory.program(0);
  write(0, kData, 5);
  memory.view().barrier();
  exchange(1, kFlag, 1, Ordering::kRelaxed);
  memory.program(1);
  EXPECT_EQ(memory.load_volatile<std::int32_t>(site(2, Element::kI32), kFlag), 1);
  memory.view().barrier();
  read(3, kData);
  EXPECT_THAT(memory.found(), IsEmpty());
  memory.program(2);
  EXPECT_EQ(memory.load_volatile<std::int32_t>(site(4, Element::kI32), kFlag), 1);
  read(5, kData);
  EXPECT_THAT(memory.found(), ElementsAre("data-race@5"));
}

TEST_F(RaceOrder, SpinningForLongKeepsMemoryBounded) {
  memory.program(0);
  write(0, kData, 5);
  for (int i = 0; i < 100000; ++i) {
    memory.program(1);
    add(1, kFlag, 0);
    memory.program(2);
    add(1, kFlag, 0);
  }
  memory.program(0);
  exchange(2, kFlag, 1);
  memory.program(2);
  add(1, kFlag, 0);
  read(3, kData);
  EXPECT_THAT(memory.found(), IsEmpty());
}

}  // namespace
}  // namespace tritonrl::ttir
