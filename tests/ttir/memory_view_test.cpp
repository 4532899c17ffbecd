#include "ttir/memory_view.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>

#include "memory_fixture.h"

namespace tritonrl::ttir {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr Address kX = 0x100000;
constexpr Address kY = 0x200000;

TEST(MemoryView, LoadsWhatWasStored) {
  Memory memory;
  memory.add(kX, 4000, "x");
  memory.program(0);
  std::vector<float> values(1000);
  std::iota(values.begin(), values.end(), 1.0F);
  memory.store(site(0, Element::kF32), strided(kX, 1000, 4), values);
  EXPECT_EQ(memory.load<float>(site(1, Element::kF32), strided(kX, 1000, 4)), values);
  EXPECT_THAT(memory.found(), IsEmpty());
}

}  // namespace
}  // namespace tritonrl::ttir
