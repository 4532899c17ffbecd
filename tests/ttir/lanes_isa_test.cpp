#include <gtest/gtest.h>

#include <cstring>
#include <random>
#include <vector>

#include "ttir/lanes/float_format.h"
#include "ttir/lanes/lanes_table.h"

namespace tritonrl::ttir::lanes {
namespace {

constexpr std::size_t kCount = 1003;  // leaves lanes over at every width

// Lanes of any element: every bit pattern at random, and some that are special, all values of their type.
std::vector<std::uint8_t> any_lanes(Element element, std::uint32_t seed) {
  std::mt19937_64 generator(seed);
  std::vector<std::uint8_t> memory(kCount * bytes_of(element));
  for (std::size_t i = 0; i < kCount; ++i) {
    std::uint64_t bits = generator();
    const std::uint64_t kind = generator() % 8;
    if (kind == 0) bits = generator() % 4;
    if (kind == 1) bits = ~(generator() % 4);
    if (kind == 2 && element == Element::kF32) bits = 0x3f000000 + generator() % 0x04000000;
    std::memcpy(&memory[i * bytes_of(element)], &bits, bytes_of(element));
  }
  std::vector<std::uint8_t> lanes(kCount * 8);
  table_of(Isa::kBaseline)->decode(element)(lanes.data(), memory.data(), kCount);
  return lanes;
}

// The results of two tables, equal to the bit; a NaN of f64 may be any.
void expect_same(const std::vector<std::uint8_t>& got, const std::vector<std::uint8_t>& want, Element element,
                 int what) {
  if (got == want) return;
  for (std::size_t i = 0; i < kCount; ++i) {
    const std::size_t bytes = bytes_of_lane(element);
    if (std::memcmp(&got[i * bytes], &want[i * bytes], bytes) == 0) continue;
    if (element == Element::kF64) {
      double a = 0;
      double b = 0;
      std::memcpy(&a, &got[i * bytes], bytes);
      std::memcpy(&b, &want[i * bytes], bytes);
      if (is_nan(a) && is_nan(b)) continue;
    }
    ADD_FAILURE() << "lane " << i << " of " << name_of(element) << ", operation " << what;
    return;
  }
}

std::vector<Element> all_elements() {
  std::vector<Element> elements;
  for (int i = 0; i <= static_cast<int>(Element::kF64); ++i) elements.push_back(static_cast<Element>(i));
  return elements;
}

class LanesIsaTest : public testing::TestWithParam<Isa> {
 protected:
  void SetUp() override {
    if (table_of(GetParam()) == nullptr) GTEST_SKIP() << "not on this machine";
  }
  const Table& table() const { return *table_of(GetParam()); }
  static const Table& baseline() { return *table_of(Isa::kBaseline); }
};

TEST_P(LanesIsaTest, BinaryOperationsAgree) {
  for (const Element element : all_elements()) {
    const auto a = any_lanes(element, 1);
    const auto b = any_lanes(element, 2);
    for (int opcode = 0; opcode <= static_cast<int>(Opcode::kUbPoison); ++opcode) {
      for (const Uniform uniform : {Uniform::kNone, Uniform::kFirst, Uniform::kSecond}) {
        const Binary ours = table().binary(static_cast<Opcode>(opcode), element, uniform);
        const Binary theirs = baseline().binary(static_cast<Opcode>(opcode), element, uniform);
        ASSERT_EQ(ours == nullptr, theirs == nullptr);
        if (ours == nullptr) continue;
        std::vector<std::uint8_t> got(kCount * 8);
        std::vector<std::uint8_t> want(kCount * 8);
        ours(got.data(), a.data(), b.data(), kCount);
        theirs(want.data(), a.data(), b.data(), kCount);
        expect_same(got, want, element, opcode);
      }
    }
    for (int predicate = 0; predicate <= static_cast<int>(Predicate::kTrue); ++predicate) {
      const Binary ours = table().compare(static_cast<Predicate>(predicate), element, Uniform::kNone);
      const Binary theirs = baseline().compare(static_cast<Predicate>(predicate), element, Uniform::kNone);
      ASSERT_EQ(ours == nullptr, theirs == nullptr);
      if (ours == nullptr) continue;
      std::vector<std::uint8_t> got(kCount);
      std::vector<std::uint8_t> want(kCount);
      ours(got.data(), a.data(), b.data(), kCount);
      theirs(want.data(), a.data(), b.data(), kCount);
      EXPECT_EQ(got, want) << name_of(element) << ' ' << predicate;
    }
  }
}

TEST_P(LanesIsaTest, UnaryAndTernaryOperationsAgree) {
  const auto check = [](Unary ours, Unary theirs, const std::vector<std::uint8_t>& a, Element element, int what) {
    ASSERT_EQ(ours == nullptr, theirs == nullptr);
    if (ours == nullptr) return;
    std::vector<std::uint8_t> got(kCount * 8);
    std::vector<std::uint8_t> want(kCount * 8);
    ours(got.data(), a.data(), kCount);
    theirs(want.data(), a.data(), kCount);
    expect_same(got, want, element, what);
  };
  for (const Element element : all_elements()) {
    const auto a = any_lanes(element, 3);
    const auto b = any_lanes(element, 4);
    const auto c = any_lanes(element, 5);
    for (int opcode = 0; opcode <= static_cast<int>(Opcode::kUbPoison); ++opcode) {
      check(table().unary(static_cast<Opcode>(opcode), element), baseline().unary(static_cast<Opcode>(opcode), element),
            a, element, opcode);
    }
    check(table().encode(element), baseline().encode(element), a, element, -1);
    for (const auto& [ours, theirs] : {std::pair{table().fma(element), baseline().fma(element)},
                                       {table().clamp(element, false), baseline().clamp(element, false)},
                                       {table().clamp(element, true), baseline().clamp(element, true)}}) {
      ASSERT_EQ(ours == nullptr, theirs == nullptr);
      if (ours == nullptr) continue;
      std::vector<std::uint8_t> got(kCount * 8);
      std::vector<std::uint8_t> want(kCount * 8);
      ours(got.data(), a.data(), b.data(), c.data(), kCount);
      theirs(want.data(), a.data(), b.data(), c.data(), kCount);
      expect_same(got, want, element, -2);
    }
  }
  const auto a = any_lanes(Element::kF32, 6);
  for (int function = 0; function <= static_cast<int>(FastMath::kAbsolute); ++function) {
    check(table().fast_math(static_cast<FastMath>(function)), baseline().fast_math(static_cast<FastMath>(function)), a,
          Element::kF32, function);
  }
}

TEST_P(LanesIsaTest, ConversionsAgree) {
  using enum Opcode;
  for (const Element from : all_elements()) {
    const auto a = any_lanes(from, 7);
    for (const Element to : all_elements()) {
      for (const Opcode opcode : {kArithExtSI, kArithExtUI, kArithTruncI, kArithSIToFP, kArithUIToFP, kArithFPToSI,
                                  kArithFPToUI, kTtFpToFp, kTtBitcast}) {
        for (const Rounding rounding : {Rounding::kNearestEven, Rounding::kTowardZero}) {
          const Unary ours = table().convert(opcode, from, to, rounding);
          const Unary theirs = baseline().convert(opcode, from, to, rounding);
          ASSERT_EQ(ours == nullptr, theirs == nullptr);
          if (ours == nullptr) continue;
          std::vector<std::uint8_t> got(kCount * 8);
          std::vector<std::uint8_t> want(kCount * 8);
          ours(got.data(), a.data(), kCount);
          theirs(want.data(), a.data(), kCount);
          expect_same(got, want, to, static_cast<int>(opcode));
        }
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Isa, LanesIsaTest, testing::Values(Isa::kV3, Isa::kV4));

}  // namespace
}  // namespace tritonrl::ttir::lanes
