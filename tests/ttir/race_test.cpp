#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "memory_fixture.h"
#include "ttir/memory/memory_view.h"

// Programs of kernels without atomics: any two are concurrent.
namespace tritonrl::ttir {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr Address kX = 0x100000;

template <typename T>
std::vector<T> all(std::size_t count, int value) {
  return std::vector<T>(count, static_cast<T>(value));
}

class Race : public ::testing::Test {
 protected:
  Race() { memory.add(kX, 65536, "x"); }
  void read(std::uint32_t at, Element element, Address first, std::size_t lanes) {
    if (bytes_of(element) == 1) memory.load<std::int8_t>(site(at, element), strided(first, lanes, 1));
    if (bytes_of(element) == 4) memory.load<std::int32_t>(site(at, element), strided(first, lanes, 4));
  }
  void write(std::uint32_t at, Element element, Address first, std::size_t lanes, int value) {
    if (bytes_of(element) == 1)
      memory.store(site(at, element), strided(first, lanes, 1), all<std::int8_t>(lanes, value));
    if (bytes_of(element) == 4)
      memory.store(site(at, element), strided(first, lanes, 4), all<std::int32_t>(lanes, value));
  }

  Memory memory;
};

TEST_F(Race, ProgramsThatWriteTheirOwnTilesDoNotRace) {
  for (std::uint64_t program = 0; program < 100; ++program) {
    memory.program(program);
    read(0, Element::kI32, kX + 40000, 256);
    write(1, Element::kI32, kX + program * 100, 25, static_cast<int>(program));
    read(2, Element::kI32, kX + program * 100, 25);
  }
  EXPECT_THAT(memory.found(), IsEmpty());
}

TEST_F(Race, TwoProgramsThatWriteDifferentValuesRace) {
  memory.program(0);
  write(0, Element::kI32, kX, 64, 1);
  memory.program(1);
  write(1, Element::kI32, kX + 128, 64, 2);
  ASSERT_THAT(memory.found(), ElementsAre("data-race@1"));
  const Finding& finding = memory.view().findings()[0];
  EXPECT_EQ(finding.lane, 0);
  EXPECT_EQ(finding.occurrences, 32);
  EXPECT_EQ(finding.message,
            "store of 4 bytes at byte 128 of `x`, which program (0, 0, 0) wrote; nothing orders the two");
}

TEST_F(Race, TwoProgramsThatWriteTheSameValueAreWarnedOf) {
  memory.program(0);
  write(0, Element::kI32, kX, 64, 7);
  memory.program(1);
  write(1, Element::kI32, kX, 64, 7);
  read(2, Element::kI32, kX, 64);
  EXPECT_THAT(memory.found(), ElementsAre("same-value-race@1"));
}

TEST_F(Race, AValueThatDiffersInOneByteIsADataRaceOnly) {
  memory.program(0);
  write(0, Element::kI32, kX, 1, 0x01010101);
  write(0, Element::kI8, kX + 2, 1, 1);
  memory.program(1);
  write(1, Element::kI32, kX, 1, 0x02010101);
  EXPECT_THAT(memory.found(), ElementsAre("data-race@1"));
}

TEST_F(Race, ReadingWhatAnotherProgramWroteRaces) {
  memory.program(0);
  write(0, Element::kI32, kX, 64, 1);
  memory.program(1);
  read(1, Element::kI32, kX + 252, 2);
  EXPECT_THAT(memory.found(), ElementsAre("data-race@1"));
}

TEST_F(Race, WritingWhatOthersReadRacesWhateverTheValue) {
  memory.program(0);
  read(0, Element::kI32, kX, 64);
  memory.program(1);
  read(0, Element::kI32, kX, 32);
  memory.program(2);
  write(1, Element::kI32, kX, 1, 0);
  write(2, Element::kI32, kX + 252, 1, 0);
  ASSERT_THAT(memory.found(), ElementsAre("data-race@1", "data-race@2"));
  EXPECT_THAT(memory.view().findings()[0].message, HasSubstr("several other programs read"));
  EXPECT_THAT(memory.view().findings()[1].message, HasSubstr("program (0, 0, 0) read"));
}

TEST_F(Race, ReadingByManyProgramsIsNoRace) {
  for (std::uint64_t program = 0; program < 10; ++program) {
    memory.program(program);
    read(0, Element::kI32, kX, 4096);
    read(1, Element::kI8, kX + program, 100);
  }
  EXPECT_THAT(memory.found(), IsEmpty());
}

TEST_F(Race, OneProgramMayDoWhatItLikes) {
  memory.program(5);
  write(0, Element::kI32, kX, 64, 1);
  read(1, Element::kI8, kX + 3, 7);
  write(2, Element::kI8, kX + 5, 7, 2);
  read(3, Element::kI32, kX, 64);
  EXPECT_THAT(memory.found(), IsEmpty());
}

TEST_F(Race, NeighbouringBytesDoNotRace) {
  for (std::uint64_t program = 0; program < 64; ++program) {
    memory.program(program);
    write(0, Element::kI8, kX + program, 1, static_cast<int>(program));
    memory.store(site(1, Element::kI8), strided(kX + 512 + program, 8, 64),
                 all<std::int8_t>(8, static_cast<int>(program)));
  }
  EXPECT_THAT(memory.found(), IsEmpty());
  memory.program(64);
  write(2, Element::kI8, kX + 63, 2, 99);
  ASSERT_THAT(memory.found(), ElementsAre("data-race@2"));
  EXPECT_EQ(memory.view().findings()[0].occurrences, 1);
}

TEST_F(Race, BytesAndWordsMeetInOnePage) {
  memory.program(0);
  write(0, Element::kI32, kX, 1024, 1);
  memory.program(1);
  write(1, Element::kI8, kX + 4096, 3, 1);
  memory.program(2);
  write(2, Element::kI32, kX + 4100, 1, 1);
  EXPECT_THAT(memory.found(), IsEmpty());
  write(3, Element::kI32, kX + 4096, 1, 5);
  write(4, Element::kI8, kX + 2001, 1, 5);
  EXPECT_THAT(memory.found(), ElementsAre("data-race@3", "data-race@4"));
}

TEST_F(Race, TilesAcrossPagesRaceOnlyWhereTheyOverlap) {
  memory.program(0);
  write(0, Element::kI32, kX + 4000, 3000, 1);
  memory.program(1);
  write(1, Element::kI32, kX + 4000 + 12000, 100, 1);
  write(2, Element::kI32, kX + 3800, 50, 1);
  EXPECT_THAT(memory.found(), IsEmpty());
  write(3, Element::kI32, kX + 4000 + 11996, 100, 2);
  ASSERT_THAT(memory.found(), ElementsAre("data-race@3"));
  EXPECT_EQ(memory.view().findings()[0].occurrences, 1);
}

TEST_F(Race, ColumnsRaceAsRowsDo) {
  memory.program(0);
  memory.store(site(0, Element::kI32), strided(kX, 64, 256), all<std::int32_t>(64, 1));
  memory.program(1);
  memory.store(site(1, Element::kI32), strided(kX + 4, 64, 256), all<std::int32_t>(64, 1));
  EXPECT_THAT(memory.found(), IsEmpty());
  read(2, Element::kI32, kX + 1, 0);
  memory.load<std::int32_t>(site(3, Element::kI32), strided(kX, 64, 512));
  ASSERT_THAT(memory.found(), ElementsAre("data-race@3"));
  EXPECT_EQ(memory.view().findings()[0].occurrences, 32);
}

TEST_F(Race, AnotherLaunchStartsAnew) {
  memory.program(0);
  write(0, Element::kI32, kX, 64, 1);
  memory.relaunch();
  memory.program(1);
  write(1, Element::kI32, kX, 64, 2);
  EXPECT_THAT(memory.found(), IsEmpty());
}

class ViewConflict : public ::testing::Test {
 protected:
  ViewConflict() : host(1 << 20) {
    space.add(kX, host.size(), host.data(), "x", Contents::kDefined);
    for (int i = 0; i < 3; ++i) {
      views.push_back(std::make_unique<MemoryView>(space, std::span<const ArgumentExtent>{}, 2, MemoryView::Options{}));
      views.back()->enter(static_cast<std::uint64_t>(i), {});
    }
  }
  void read(std::size_t view, Address first, std::size_t lanes) {
    const auto addresses = strided(first, lanes, 4);
    std::vector<std::byte> values(4 * lanes);
    views[view]->load(site(0, Element::kF32), {addresses.data(), nullptr, lanes}, values.data());
  }
  void write(std::size_t view, Address first, std::size_t lanes) {
    const auto addresses = strided(first, lanes, 4);
    const std::vector<std::byte> values(4 * lanes);
    views[view]->store(site(1, Element::kF32), {addresses.data(), nullptr, lanes}, values.data());
  }

  std::vector<std::byte> host;
  AddressSpace space;
  std::vector<std::unique_ptr<MemoryView>> views;
};

TEST_F(ViewConflict, SharedInputsAndSeparateOutputsAreNone) {
  for (std::size_t view = 0; view < 3; ++view) {
    read(view, kX, 10000);
    write(view, kX + 65536 + view * 40000, 10000);
    read(view, kX + 65536 + view * 40000, 10000);
  }
  EXPECT_TRUE(MemoryView::merge(views));
}

TEST_F(ViewConflict, AWriteOfTheSameValueIsOne) {
  write(0, kX, 100);
  write(2, kX + 396, 100);
  EXPECT_FALSE(MemoryView::merge(views));
}

TEST_F(ViewConflict, AReadOfWhatAnotherViewWritesIsOneInEitherOrder) {
  read(0, kX, 1);
  write(1, kX, 1);
  EXPECT_FALSE(MemoryView::merge(views));
  std::swap(views[0], views[1]);
  EXPECT_FALSE(MemoryView::merge(views));
}

}  // namespace
}  // namespace tritonrl::ttir
