#include "ttir/memory/memory_view.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <string>
#include <thread>
#include <vector>

#include "memory_fixture.h"

namespace tritonrl::ttir {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr Address kX = 0x100000;
constexpr Address kY = 0x200000;

std::vector<float> counting(std::size_t count) {
  std::vector<float> values(count);
  std::iota(values.begin(), values.end(), 1.0F);
  return values;
}

TEST(MemoryView, LoadsWhatWasStored) {
  Memory memory;
  memory.add(kX, 4000, "x");
  memory.program(0);
  memory.store(site(0, Element::kF32), strided(kX, 1000, 4), counting(1000));
  EXPECT_EQ(memory.load<float>(site(1, Element::kF32), strided(kX, 1000, 4)), counting(1000));
  EXPECT_THAT(memory.found(), IsEmpty());
}

TEST(MemoryView, LoadsAndStoresAMillionLanes) {
  constexpr std::size_t kLanes = std::size_t{1} << 20U;
  Memory memory;
  memory.add(kX, kLanes * 4, "x", Contents::kUndefined);
  memory.program(0);
  memory.store(site(0, Element::kF32), strided(kX, kLanes, 4), counting(kLanes));
  EXPECT_EQ(memory.load<float>(site(1, Element::kF32), strided(kX, kLanes, 4)), counting(kLanes));
  EXPECT_THAT(memory.found(), IsEmpty());
}

TEST(MemoryView, LeavesLanesThatAreMaskedOff) {
  Memory memory;
  memory.add(kX, 16, "x");
  memory.program(0);
  memory.store(site(0, Element::kI32), strided(kX, 4, 4), std::vector<std::int32_t>{1, 2, 3, 4}, {1, 0, 1, 0});
  EXPECT_THAT(memory.load<std::int32_t>(site(1, Element::kI32), strided(kX, 4, 4)), ElementsAre(1, 0, 3, 0));
  EXPECT_THAT(memory.load<std::int32_t>(site(1, Element::kI32), strided(kX, 4, 4), {0, 1, 1, 0}),
              ElementsAre(77, 0, 3, 77));
}

TEST(MemoryView, MasksSaveWhatLiesOutside) {
  Memory memory;
  memory.add(kX, 40, "x");
  memory.program(0);
  std::vector<std::uint8_t> prefix(32, 0);
  std::fill_n(prefix.begin(), 10, std::uint8_t{1});
  memory.load<float>(site(0, Element::kF32), strided(kX, 32, 4), prefix);
  memory.load<float>(site(1, Element::kF32), strided(0, 32, 4), std::vector<std::uint8_t>(32, 0));
  EXPECT_THAT(memory.found(), IsEmpty());
}

TEST(MemoryView, ReportsWhatLiesPastTheEndAndReadsZerosThere) {
  Memory memory;
  memory.add(kX, 4000, "x");
  memory.program(3);
  memory.store(site(0, Element::kF32), strided(kX, 1000, 4), std::vector<float>(1000, 5.0F));
  const auto loaded = memory.load<float>(site(1, Element::kF32), strided(kX + 3992, 7, 4));
  EXPECT_THAT(loaded, ElementsAre(5, 5, 0, 0, 0, 0, 0));
  ASSERT_THAT(memory.found(), ElementsAre("out-of-bounds@1"));
  const Finding& finding = memory.view().findings()[0];
  EXPECT_EQ(finding.lane, 2);
  EXPECT_EQ(finding.occurrences, 5);
  EXPECT_EQ(finding.program[0], 3);
  EXPECT_EQ(finding.message, "load of 4 bytes at 0x100fa0, directly past the end of `x` (4000 bytes at 0x100000)");
}

TEST(MemoryView, SaysHowFarOutsideAnAccessLies) {
  Memory memory;
  memory.add(kX, 4000, "region");
  memory.extents = {{"x_ptr", kX, kX + 4000, true}};
  memory.program(0);
  memory.load<float>(site(0, Element::kF32, 0), {kX + 4016});
  memory.store<float>(site(1, Element::kF32, 0), {kX - 8}, {1});
  memory.load<double>(site(2, Element::kF64), {kX + 3996});
  const std::vector<Finding>& findings = memory.view().findings();
  ASSERT_EQ(findings.size(), 3);
  EXPECT_THAT(findings[0].message, HasSubstr("16 bytes past the end of `x_ptr` (4000 bytes at 0x100000)"));
  EXPECT_THAT(findings[1].message, HasSubstr("store of 4 bytes at 0xffff8, 8 bytes before the start of `x_ptr`"));
  EXPECT_THAT(findings[2].message, HasSubstr("with 4 of its 8 bytes past the end of `region`"));
}

TEST(MemoryView, TellsNullPointersAndFreedMemoryApart) {
  Memory memory;
  memory.add(kX, 64, "x");
  memory.add(kY, 64, "y");
  memory.space.remove(kY);
  memory.program(0);
  memory.load<float>(site(0, Element::kF32), strided(16, 4, 4));
  memory.load<float>(site(1, Element::kF32), {kY + 60});
  memory.load<float>(site(2, Element::kF32), {kY + 64});
  memory.load<float>(site(3, Element::kF32), {kX + 60});
  EXPECT_THAT(memory.found(), ElementsAre("null-pointer@0", "use-after-free@1", "out-of-bounds@2"));
  EXPECT_THAT(memory.view().findings()[1].message, HasSubstr("in `y`, which was freed"));
}

TEST(MemoryView, WritesNothingOutside) {
  std::vector<std::byte> host(64, std::byte{9});
  for (const bool sanitize : {true, false}) {
    AddressSpace space;
    space.add(kX, 32, host.data() + 16, "x", Contents::kDefined);
    MemoryView view(space, {}, 1, {.sanitize = sanitize});
    view.enter(0, {});
    const std::vector<Address> addresses = strided(kX - 16, 16, 4);
    const std::vector<std::byte> values(64, std::byte{1});
    view.store({}, {addresses.data(), nullptr, addresses.size()}, values.data());
    for (std::size_t i = 0; i < 64; ++i) {
      EXPECT_EQ(host[i], i >= 16 && i < 48 ? std::byte{1} : std::byte{9}) << i << sanitize;
    }
    ASSERT_EQ(view.findings().size(), 1);
    EXPECT_EQ(view.findings()[0].occurrences, 8);
  }
}

TEST(MemoryView, RunsGoOnInTheNeighbouringRegionButNoElementLiesInTwo) {
  Memory memory;
  memory.add(kX, 32, "x");
  memory.add(kX + 32, 32, "y");
  memory.program(0);
  memory.load<float>(site(0, Element::kF32), strided(kX, 16, 4));
  EXPECT_THAT(memory.found(), IsEmpty());
  memory.load<double>(site(1, Element::kF64), {kX + 28});
  EXPECT_THAT(memory.found(), ElementsAre("out-of-bounds@1"));
}

TEST(MemoryView, WarnsOfAccessesOutsideTheTensorAndMakesThem) {
  Memory memory;
  memory.add(kX, 64, "pool");
  memory.extents = {{"x", kX, kX + 32, true}, {"y", 0, 0, false}};
  memory.program(0);
  memory.store(site(0, Element::kI32, -1), strided(kX, 16, 4), std::vector<std::int32_t>(16, 5));
  memory.load<std::int32_t>(site(1, Element::kI32, 0), strided(kX, 8, 4));
  memory.load<std::int32_t>(site(2, Element::kI32, 1), strided(kX, 16, 4));
  EXPECT_THAT(memory.found(), IsEmpty());
  EXPECT_THAT(memory.load<std::int32_t>(site(3, Element::kI32, 0), strided(kX + 28, 3, 4)), ElementsAre(5, 5, 5));
  EXPECT_THAT(memory.load<std::int32_t>(site(4, Element::kI32, 0), strided(kX + 28, 3, 8)), ElementsAre(5, 5, 5));
  ASSERT_THAT(memory.found(), ElementsAre("outside-tensor@3", "outside-tensor@4"));
  EXPECT_EQ(memory.view().findings()[0].lane, 1);
  EXPECT_EQ(memory.view().findings()[0].occurrences, 2);
  EXPECT_EQ(memory.view().findings()[0].rule->severity, Severity::kWarning);
}

TEST(MemoryView, ReportsAddressesThatAreNoMultipleOfTheElement) {
  Memory memory;
  memory.add(kX, 64, "x");
  memory.program(0);
  memory.load<std::int8_t>(site(0, Element::kI8), strided(kX + 1, 8, 1));
  memory.load<float>(site(1, Element::kF32), strided(kX + 4, 8, 4));
  EXPECT_THAT(memory.found(), IsEmpty());
  EXPECT_THAT(memory.load<float>(site(2, Element::kF32), strided(kX + 2, 2, 4)), ElementsAre(0, 0));
  memory.store<double>(site(3, Element::kF64), {kX + 4}, {1});
  EXPECT_THAT(memory.found(), ElementsAre("misaligned-access@2", "misaligned-access@3"));
}

TEST(MemoryView, ReportsReadsOfBytesThatNothingWrote) {
  Memory memory;
  memory.add(kX, 64, "x", Contents::kUndefined);
  memory.program(0);
  memory.store(site(0, Element::kI16), strided(kX, 3, 2), std::vector<std::int16_t>{1, 2, 3});
  EXPECT_THAT(memory.load<std::int16_t>(site(1, Element::kI16), strided(kX, 3, 2)), ElementsAre(1, 2, 3));
  EXPECT_THAT(memory.found(), IsEmpty());
  EXPECT_THAT(memory.load<std::int32_t>(site(2, Element::kI32), strided(kX, 2, 4)), ElementsAre(0x20001, 0));
  ASSERT_THAT(memory.found(), ElementsAre("uninitialised-read@2"));
  EXPECT_EQ(memory.view().findings()[0].lane, 1);
  EXPECT_EQ(memory.view().findings()[0].message, "load of 4 bytes at byte 4 of `x`, which nothing has written");
}

TEST(MemoryView, OnlyBoundsAreCheckedWithoutTheSanitizer) {
  Memory memory(true, false);
  memory.add(kX, 64, "x", Contents::kUndefined);
  memory.program(0);
  memory.load<float>(site(0, Element::kF32), strided(kX, 4, 4));
  memory.load<float>(site(1, Element::kF32), strided(kX + 1, 4, 4));
  memory.store<float>(site(2, Element::kF32), {kX}, {1});
  memory.program(1);
  memory.store<float>(site(3, Element::kF32), {kX}, {2});
  memory.rmw<float>(site(4, Element::kF32), kX, RmwOperation::kFAdd, 1, Ordering::kRelaxed);
  EXPECT_THAT(memory.found(), IsEmpty());
  memory.load<float>(site(5, Element::kF32), {kX + 64});
  EXPECT_THAT(memory.found(), ElementsAre("out-of-bounds@5"));
}

TEST(MemoryView, KeepsTheFirstOccurrenceAndAtMostSoManyFindings) {
  AddressSpace space;
  MemoryView view(space, {}, 1, {.max_findings = 2});
  float out = 0;
  for (std::uint32_t program = 7; program < 10; ++program) {
    view.enter(program, {program, 0, 0});
    for (LocationId location = 0; location < 5; ++location) {
      const Address address = 8;
      view.load({.location = location}, {&address, nullptr, 1}, reinterpret_cast<std::byte*>(&out));
    }
  }
  view.report(rules::kDivisionByZero, 9, 0, "dropped");
  view.report(rules::kNullPointer, 1, 0, "merged");
  ASSERT_EQ(view.findings().size(), 2);
  EXPECT_EQ(view.findings()[1].program[0], 7);
  EXPECT_EQ(view.findings()[1].occurrences, 4);
}

TEST(MemoryView, CountsLanesBytesAndSectors) {
  Memory memory;
  memory.add(kX, 65536, "x");
  memory.program(0);
  memory.load<float>(site(0, Element::kF32), strided(kX, 64, 4));
  memory.load<float>(site(1, Element::kF32), strided(kX + 16, 64, 4));
  memory.load<float>(site(2, Element::kF32), strided(kX, 64, 32));
  memory.load<float>(site(3, Element::kF32), strided(kX, 64, 0));
  memory.load<float>(site(4, Element::kF32), strided(kX, 64, 8));
  memory.load<std::int8_t>(site(5, Element::kI8), strided(kX, 40, 1), std::vector<std::uint8_t>(40, 1));
  std::vector<std::uint8_t> half(64, 0);
  std::fill_n(half.begin() + 16, 32, std::uint8_t{1});
  memory.store(site(6, Element::kF32), strided(kX, 64, 4), counting(64), half);
  const auto traffic = memory.view().traffic();
  EXPECT_EQ(traffic[0].sectors, 8);
  EXPECT_EQ(traffic[1].sectors, 10);
  EXPECT_EQ(traffic[2].sectors, 64);
  EXPECT_EQ(traffic[3].sectors, 2);
  EXPECT_EQ(traffic[4].sectors, 16);
  EXPECT_EQ(traffic[5].sectors, 2);
  EXPECT_EQ(traffic[6].sectors, 4);
  EXPECT_EQ(traffic[0].distinct, 8);
  EXPECT_EQ(traffic[0].lines, 2);
  EXPECT_EQ(traffic[1].distinct, 9);
  EXPECT_EQ(traffic[1].lines, 3);
  EXPECT_EQ(traffic[2].distinct, 64);
  EXPECT_EQ(traffic[2].lines, 16);
  EXPECT_EQ(traffic[6].accesses, 1);
  EXPECT_EQ(traffic[6].lanes, 64);
  EXPECT_EQ(traffic[6].masked_off, 32);
  EXPECT_EQ(traffic[6].bytes, 128);
}

TEST(MemoryView, CountsEachByteOnce) {
  Memory memory;
  memory.add(kX, 65536, "x");
  for (std::uint64_t program = 0; program < 3; ++program) {
    memory.program(program);
    memory.load<float>(site(0, Element::kF32), strided(kX + program * 64, 64, 4));
    memory.store(site(1, Element::kF32), strided(kX + 4096 + program * 256, 64, 4), counting(64));
    memory.load<float>(site(2, Element::kF32), strided(kX + 4096 + program * 256, 4, 4));
  }
  EXPECT_EQ(memory.view().unique_bytes().read, 256 + 2 * 64 + 3 * 16);
  EXPECT_EQ(memory.view().unique_bytes().written, 3 * 256);
}

template <typename T>
T after(RmwOperation operation, Element element, T before, T operand) {
  Memory memory(true);
  memory.add(kX, 64, "x");
  memory.program(0);
  memory.store<T>(site(0, element), {kX}, {before});
  EXPECT_EQ(memory.rmw<T>(site(1, element), kX, operation, operand, Ordering::kRelaxed), before);
  EXPECT_THAT(memory.found(), IsEmpty());
  return memory.load<T>(site(2, element), {kX})[0];
}

TEST(MemoryViewAtomic, ComputesIntegers) {
  EXPECT_EQ(after<std::int32_t>(RmwOperation::kAdd, Element::kI32, 2147483647, 1), -2147483647 - 1);
  EXPECT_EQ(after<std::int64_t>(RmwOperation::kAdd, Element::kI64, -1, 1), 0);
  EXPECT_EQ(after<std::int32_t>(RmwOperation::kMax, Element::kI32, -5, 3), 3);
  EXPECT_EQ(after<std::int32_t>(RmwOperation::kUMax, Element::kI32, -5, 3), -5);
  EXPECT_EQ(after<std::int32_t>(RmwOperation::kMin, Element::kI32, -5, 3), -5);
  EXPECT_EQ(after<std::int64_t>(RmwOperation::kUMin, Element::kI64, -5, 3), 3);
  EXPECT_EQ(after<std::int32_t>(RmwOperation::kAnd, Element::kI32, 12, 10), 8);
  EXPECT_EQ(after<std::int32_t>(RmwOperation::kOr, Element::kI32, 12, 10), 14);
  EXPECT_EQ(after<std::int32_t>(RmwOperation::kXor, Element::kI32, 12, 10), 6);
  EXPECT_EQ(after<std::int16_t>(RmwOperation::kExchange, Element::kI16, 12, 10), 10);
}

TEST(MemoryViewAtomic, AddsFloatsRoundedToNearestEven) {
  EXPECT_EQ(after<float>(RmwOperation::kFAdd, Element::kF32, 1.5F, 2.25F), 3.75F);
  EXPECT_EQ(after<double>(RmwOperation::kFAdd, Element::kF64, 1.5, 2.25), 3.75);
  EXPECT_EQ(after<std::uint16_t>(RmwOperation::kFAdd, Element::kF16, 0x3c00, 0x4000), 0x4200);   // 1 + 2
  EXPECT_EQ(after<std::uint16_t>(RmwOperation::kFAdd, Element::kF16, 0x6800, 0x3c00), 0x6800);   // 2048 + 1, to even
  EXPECT_EQ(after<std::uint16_t>(RmwOperation::kFAdd, Element::kF16, 0x6801, 0x3c00), 0x6802);   // 2050 + 1, to even
  EXPECT_EQ(after<std::uint16_t>(RmwOperation::kFAdd, Element::kF16, 0x7bff, 0x7bff), 0x7c00);   // overflow
  EXPECT_EQ(after<std::uint16_t>(RmwOperation::kFAdd, Element::kBF16, 0x3f80, 0x4000), 0x4040);  // 1 + 2
  EXPECT_EQ(after<std::uint16_t>(RmwOperation::kFAdd, Element::kBF16, 0x4380, 0x3f80), 0x4380);  // 256 + 1, to even
}

TEST(MemoryViewAtomic, LanesAreOneAfterTheOther) {
  Memory memory(true);
  memory.add(kX, 64, "x");
  memory.program(0);
  const std::vector<Address> addresses(5, kX);
  const std::vector<std::int32_t> values{1, 2, 4, 8, 16};
  const std::vector<std::uint8_t> mask{1, 1, 0, 1, 1};
  std::vector<std::int32_t> old(5, 77);
  memory.view().atomic_rmw(site(0, Element::kI32), {addresses.data(), mask.data(), 5}, RmwOperation::kAdd,
                           Ordering::kRelaxed, reinterpret_cast<const std::byte*>(values.data()),
                           reinterpret_cast<std::byte*>(old.data()));
  EXPECT_THAT(old, ElementsAre(0, 1, 77, 3, 11));
  EXPECT_THAT(memory.load<std::int32_t>(site(1, Element::kI32), {kX}), ElementsAre(27));
}

TEST(MemoryViewAtomic, ComparesBitsAndSwaps) {
  Memory memory(true);
  memory.add(kX, 64, "x");
  memory.program(0);
  EXPECT_EQ(memory.cas<std::int32_t>(site(0, Element::kI32), kX, 0, 5, Ordering::kAcquireRelease), 0);
  EXPECT_EQ(memory.cas<std::int32_t>(site(0, Element::kI32), kX, 0, 6, Ordering::kAcquireRelease), 5);
  EXPECT_EQ(memory.cas<std::int64_t>(site(0, Element::kI64), kX, 5, -1, Ordering::kAcquireRelease), 5);
  EXPECT_EQ(memory.load<std::int64_t>(site(1, Element::kI64), {kX})[0], -1);
  // Minus zero is not zero, and a NaN is itself.
  EXPECT_EQ(memory.cas<float>(site(0, Element::kF32), kX + 8, -0.0F, 1.0F, Ordering::kAcquireRelease), 0.0F);
  EXPECT_EQ(memory.load<float>(site(1, Element::kF32), {kX + 8})[0], 0.0F);
  EXPECT_EQ(memory.cas<std::uint16_t>(site(0, Element::kF16), kX + 12, 0, 0x7e00, Ordering::kAcquireRelease), 0);
  EXPECT_EQ(memory.cas<std::uint16_t>(site(0, Element::kF16), kX + 12, 0x7e00, 1, Ordering::kAcquireRelease), 0x7e00);
  EXPECT_EQ(memory.load<std::uint16_t>(site(1, Element::kF16), {kX + 12})[0], 1);
}

TEST(MemoryViewAtomic, ReadsOfUndefinedMemoryAreFoundButNotWritesAlone) {
  Memory memory(true);
  memory.add(kX, 64, "x", Contents::kUndefined);
  memory.program(0);
  const Address address = kX;
  const std::int32_t value = 4;
  memory.view().atomic_rmw(site(0, Element::kI32), {&address, nullptr, 1}, RmwOperation::kExchange, Ordering::kRelaxed,
                           reinterpret_cast<const std::byte*>(&value), nullptr);
  EXPECT_EQ(memory.load<std::int32_t>(site(1, Element::kI32), {kX})[0], 4);
  EXPECT_THAT(memory.found(), IsEmpty());
  memory.rmw<std::int32_t>(site(2, Element::kI32), kX + 4, RmwOperation::kAdd, 1, Ordering::kRelaxed);
  EXPECT_THAT(memory.found(), ElementsAre("uninitialised-read@2"));
}

// Views of one launch on two threads: the bytes are apart, or are raced for by the kernel's fault.
bool two_threads_conflict(Address first, Address second) {
  AddressSpace space;
  std::vector<std::byte> host(65536);
  space.add(kX, host.size(), host.data(), "x", Contents::kUndefined);
  std::vector<std::unique_ptr<MemoryView>> views;
  for (int i = 0; i < 2; ++i)
    views.push_back(std::make_unique<MemoryView>(space, std::span<const ArgumentExtent>{}, 2, MemoryView::Options{}));
  const auto work = [&](std::uint32_t program, Address start) {
    MemoryView& view = *views[program];
    const std::vector<std::vector<Address>> shapes = {strided(start, 256, 8), strided(start, 512, 8),
                                                      strided(start, 512, 8)};
    std::vector<std::byte> values(4096);
    view.enter(program, {program, 0, 0});
    for (const auto& addresses : shapes) {
      const LaneAddresses lanes{addresses.data(), nullptr, addresses.size()};
      view.store(site(0, Element::kF32), lanes, values.data());
      view.load(site(1, Element::kF32), lanes, values.data());
    }
  };
  std::thread other(work, 0, first);
  work(1, second);
  other.join();
  EXPECT_THAT(views[0]->findings(), IsEmpty());
  EXPECT_THAT(views[1]->findings(), IsEmpty());
  return !MemoryView::merge(views);
}

TEST(MemoryViewThreads, NeighbouringBytesOfTwoViewsAreNoConflict) { EXPECT_FALSE(two_threads_conflict(kX, kX + 4)); }

TEST(MemoryViewThreads, BytesOfTwoViewsThatMeetAreAConflict) { EXPECT_TRUE(two_threads_conflict(kX, kX + 4088)); }

}  // namespace
}  // namespace tritonrl::ttir
