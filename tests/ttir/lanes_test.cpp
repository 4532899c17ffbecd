#include "ttir/lanes/lanes.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "ttir/lanes/float_format.h"

namespace tritonrl::ttir::lanes {
namespace {

using enum Opcode;

template <class T>
T apply(Opcode opcode, Element element, T a, T b) {
  T out{};
  const Binary function = binary(opcode, element, Uniform::kNone);
  EXPECT_NE(function, nullptr) << static_cast<int>(opcode);
  if (function != nullptr) function(&out, &a, &b, 1);
  return out;
}

template <class T>
T apply(Opcode opcode, Element element, T a) {
  T out{};
  const Unary function = unary(opcode, element);
  EXPECT_NE(function, nullptr) << static_cast<int>(opcode);
  if (function != nullptr) function(&out, &a, 1);
  return out;
}

// The result of an operation of `bits` bits, from the definition, in 64 bits and more.
std::int64_t defined(Opcode opcode, std::int64_t a, std::int64_t b, unsigned bits) {
  const auto ua = static_cast<std::uint64_t>(a) & ((1ULL << bits) - 1);
  const auto ub = static_cast<std::uint64_t>(b) & ((1ULL << bits) - 1);
  const auto floor_division = [&] { return a / b - ((a % b != 0 && (a % b < 0) != (b < 0)) ? 1 : 0); };
  switch (opcode) {
    case kArithAddI:
      return a + b;
    case kArithSubI:
      return a - b;
    case kArithMulI:
      return a * b;
    case kArithAndI:
      return a & b;
    case kArithOrI:
      return a | b;
    case kArithXOrI:
      return a ^ b;
    case kArithMaxSI:
      return std::max(a, b);
    case kArithMinSI:
      return std::min(a, b);
    case kArithMaxUI:
      return static_cast<std::int64_t>(std::max(ua, ub));
    case kArithMinUI:
      return static_cast<std::int64_t>(std::min(ua, ub));
    case kArithShLI:
      return ub >= bits ? 0 : static_cast<std::int64_t>(ua << ub);
    case kArithShRUI:
      return ub >= bits ? 0 : static_cast<std::int64_t>(ua >> ub);
    case kArithShRSI:
      return a >> std::min<std::uint64_t>(ub, bits - 1);
    case kArithDivSI:
      return b == 0 ? 0 : a / b;
    case kArithRemSI:
      return b == 0 ? 0 : a % b;
    case kArithDivUI:
      return b == 0 ? 0 : static_cast<std::int64_t>(ua / ub);
    case kArithRemUI:
      return b == 0 ? 0 : static_cast<std::int64_t>(ua % ub);
    case kArithFloorDivSI:
      return b == 0 ? 0 : floor_division();
    case kArithCeilDivSI:
      return b == 0 ? 0 : floor_division() + (a % b != 0 ? 1 : 0);
    case kArithCeilDivUI:
      return b == 0 ? 0 : static_cast<std::int64_t>((ua + ub - 1) / ub);
    case kArithMulSIExtended:
      return (a * b) >> bits;
    case kArithMulUIExtended:
    case kTtMulhiUI:
      return static_cast<std::int64_t>((ua * ub) >> bits);
    default:
      ADD_FAILURE() << "not defined here";
      return 0;
  }
}

constexpr std::array kIntegerOpcodes = {
    kArithAddI,      kArithSubI,       kArithMulI,      kArithAndI,          kArithOrI,          kArithXOrI,
    kArithMaxSI,     kArithMinSI,      kArithMaxUI,     kArithMinUI,         kArithShLI,         kArithShRUI,
    kArithShRSI,     kArithDivSI,      kArithDivUI,     kArithRemSI,         kArithRemUI,        kTtMulhiUI,
    kArithCeilDivUI, kArithFloorDivSI, kArithCeilDivSI, kArithMulSIExtended, kArithMulUIExtended};

TEST(Lanes, EveryPairOfBytes) {
  for (const Opcode opcode : kIntegerOpcodes) {
    std::vector<std::uint8_t> a(65536);
    std::vector<std::uint8_t> b(65536);
    std::vector<std::uint8_t> out(65536);
    for (std::size_t i = 0; i < a.size(); ++i) {
      a[i] = static_cast<std::uint8_t>(i >> 8U);
      b[i] = static_cast<std::uint8_t>(i);
    }
    binary(opcode, Element::kI8, Uniform::kNone)(out.data(), a.data(), b.data(), a.size());
    for (std::size_t i = 0; i < a.size(); ++i) {
      const auto want = defined(opcode, static_cast<std::int8_t>(a[i]), static_cast<std::int8_t>(b[i]), 8);
      ASSERT_EQ(out[i], static_cast<std::uint8_t>(want)) << static_cast<int>(opcode) << " of " << i;
    }
  }
}

TEST(Lanes, EdgesOfWiderIntegers) {
  const std::array<std::int32_t, 13> edges = {0, 1, -1, 2, -2, 7, -7, 31, 32, 33, 0x10000, INT32_MAX, INT32_MIN};
  for (const Opcode opcode : kIntegerOpcodes) {
    for (const std::int32_t a : edges) {
      for (const std::int32_t b : edges) {
        const auto got =
            apply<std::uint32_t>(opcode, Element::kI32, static_cast<std::uint32_t>(a), static_cast<std::uint32_t>(b));
        ASSERT_EQ(got, static_cast<std::uint32_t>(defined(opcode, a, b, 32))) << static_cast<int>(opcode) << a << b;
        const auto sa = static_cast<std::int16_t>(a);
        const auto sb = static_cast<std::int16_t>(b);
        const auto narrow =
            apply<std::uint16_t>(opcode, Element::kI16, static_cast<std::uint16_t>(sa), static_cast<std::uint16_t>(sb));
        ASSERT_EQ(narrow, static_cast<std::uint16_t>(defined(opcode, sa, sb, 16)))
            << static_cast<int>(opcode) << a << b;
      }
    }
  }
}

// Long enough for the vectorised loops.
template <class Unsigned>
void expect_as_defined(Element element) {
  using Signed = std::make_signed_t<Unsigned>;
  std::mt19937_64 generator(1);
  std::vector<Unsigned> a(1024);
  std::vector<Unsigned> b(1024);
  std::vector<Unsigned> out(1024);
  for (const Opcode opcode : kIntegerOpcodes) {
    for (std::size_t i = 0; i < a.size(); ++i) {
      a[i] = static_cast<Unsigned>(static_cast<Unsigned>(generator()) >> (generator() % (8 * sizeof(Unsigned))));
      b[i] = static_cast<Unsigned>(static_cast<Unsigned>(generator()) >> (generator() % (8 * sizeof(Unsigned))));
    }
    binary(opcode, element, Uniform::kNone)(out.data(), a.data(), b.data(), a.size());
    for (std::size_t i = 0; i < a.size(); ++i) {
      const auto want = defined(opcode, static_cast<Signed>(a[i]), static_cast<Signed>(b[i]), 8 * sizeof(Unsigned));
      ASSERT_EQ(out[i], static_cast<Unsigned>(want)) << static_cast<int>(opcode) << ": " << a[i] << ", " << b[i];
    }
  }
}

TEST(Lanes, ManyWiderIntegers) {
  expect_as_defined<std::uint16_t>(Element::kI16);
  expect_as_defined<std::uint32_t>(Element::kI32);
}

TEST(Lanes, SixtyFourBits) {
  constexpr auto kMin = static_cast<std::uint64_t>(INT64_MIN);
  constexpr std::uint64_t kOnes = ~0ULL;
  const auto of = [](Opcode opcode, std::uint64_t a, std::uint64_t b) { return apply(opcode, Element::kI64, a, b); };
  EXPECT_EQ(of(kArithDivSI, kMin, kOnes), kMin);
  EXPECT_EQ(of(kArithRemSI, kMin, kOnes), 0U);
  EXPECT_EQ(of(kArithDivSI, 5, 0), 0U);
  EXPECT_EQ(of(kArithRemUI, 5, 0), 0U);
  EXPECT_EQ(of(kArithDivUI, kOnes, 10), 1844674407370955161U);
  EXPECT_EQ(of(kArithFloorDivSI, static_cast<std::uint64_t>(-7), 2), static_cast<std::uint64_t>(-4));
  EXPECT_EQ(of(kArithShLI, 1, 63), kMin);
  EXPECT_EQ(of(kArithShLI, 1, 64), 0U);
  EXPECT_EQ(of(kArithShRSI, kMin, 200), kOnes);
  EXPECT_EQ(of(kArithShRUI, kMin, kOnes), 0U);
  EXPECT_EQ(of(kTtMulhiUI, kOnes, kOnes), kOnes - 1);
  EXPECT_EQ(of(kArithMulSIExtended, kOnes, kOnes), 0U);
  EXPECT_EQ(of(kMathIPowI, 3, 5), 243U);
  EXPECT_EQ(of(kMathIPowI, kOnes, kOnes), kOnes);
  EXPECT_EQ(of(kMathIPowI, 2, kOnes), 0U);
}

TEST(Lanes, OneBit) {
  const auto of = [](Opcode opcode, unsigned a, unsigned b) {
    return apply(opcode, Element::kI1, static_cast<std::uint8_t>(a), static_cast<std::uint8_t>(b));
  };
  EXPECT_EQ(of(kArithAddI, 1, 1), 0);
  EXPECT_EQ(of(kArithSubI, 0, 1), 1);
  EXPECT_EQ(of(kArithMulI, 1, 1), 1);
  EXPECT_EQ(of(kArithMaxSI, 0, 1), 0);  // a set i1 is -1
  EXPECT_EQ(of(kArithMaxUI, 0, 1), 1);
  EXPECT_EQ(of(kArithShLI, 1, 1), 0);
  EXPECT_EQ(of(kArithShRSI, 1, 1), 1);
  EXPECT_EQ(of(kArithDivSI, 1, 1), 1);
  std::uint8_t less = 0;
  const std::uint8_t zero = 0;
  const std::uint8_t one = 1;
  compare(kArithCmpI, "slt", Element::kI1, Uniform::kNone)(&less, &one, &zero, 1);
  EXPECT_EQ(less, 1);
}

TEST(Lanes, CountsOfBits) {
  EXPECT_EQ(apply<std::uint32_t>(kMathCtlz, Element::kI32, 0), 32U);
  EXPECT_EQ(apply<std::uint32_t>(kMathCtlz, Element::kI32, 1), 31U);
  EXPECT_EQ(apply<std::uint8_t>(kMathCtlz, Element::kI8, 1), 7U);
  EXPECT_EQ(apply<std::uint16_t>(kMathCttz, Element::kI16, 0), 16U);
  EXPECT_EQ(apply<std::uint64_t>(kMathCttz, Element::kI64, 1ULL << 40U), 40U);
  EXPECT_EQ(apply<std::uint64_t>(kMathCtPop, Element::kI64, ~0ULL), 64U);
  EXPECT_EQ(apply<std::uint8_t>(kMathAbsI, Element::kI8, 0x80), 0x80U);
  EXPECT_EQ(apply<std::uint32_t>(kMathAbsI, Element::kI32, static_cast<std::uint32_t>(-5)), 5U);
}

TEST(Lanes, NarrowFloatsAreRounded) {
  for (const Element element : {Element::kF16, Element::kBF16}) {
    const bool half = element == Element::kF16;
    const float step = half ? 0x1p-10F : 0x1p-7F;
    EXPECT_EQ(apply(kArithAddF, element, 1.0F, step / 2), 1.0F);
    EXPECT_EQ(apply(kArithAddF, element, 1.0F + step, step / 2), 1.0F + 2 * step);
    EXPECT_EQ(apply(kArithMulF, element, 1.0F + step, 1.0F + step), 1.0F + 2 * step);
  }
  EXPECT_TRUE(std::isinf(apply(kArithAddF, Element::kF16, 65504.0F, 16.0F)));
  EXPECT_EQ(apply(kArithMulF, Element::kF16, 0x1p-14F, 0x1p-10F), 0x1p-24F);
  EXPECT_EQ(apply(kArithMulF, Element::kF16, 0x1p-14F, 0x1p-12F), 0.0F);
  EXPECT_EQ(apply(kArithMulF, Element::kF32, 0x1p-126F, 0.5F), 0x1p-127F);  // subnormals are kept
}

TEST(Lanes, NanIsTheOneOfTheGpu) {
  const float nan = float_of(0xffc00001);
  EXPECT_EQ(bits_of(apply(kArithAddF, Element::kF32, nan, 1.0F)), kNanBits);
  EXPECT_EQ(bits_of(apply(kArithMaximumF, Element::kF32, 1.0F, nan)), kNanBits);
  EXPECT_EQ(bits_of(apply(kArithMaxNumF, Element::kF32, nan, nan)), kNanBits);
  EXPECT_EQ(bits_of(apply(kArithMaximumF, Element::kF16, 1.0F, nan)), 0x7fffe000U);
  EXPECT_EQ(bits_of(apply(kArithMulF, Element::kBF16, nan, 1.0F)), 0x7fff0000U);
}

TEST(Lanes, ExtremesOrderZerosAndKnowNan) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const auto check = [&]<class Float>(Element element, Float) {
    const auto quiet = static_cast<Float>(nan);
    for (const bool swap : {false, true}) {
      const auto of = [&](Opcode opcode, Float a, Float b) {
        return swap ? apply(opcode, element, b, a) : apply(opcode, element, a, b);
      };
      EXPECT_FALSE(std::signbit(of(kArithMaxNumF, Float{0}, -Float{0})));
      EXPECT_TRUE(std::signbit(of(kArithMinNumF, Float{0}, -Float{0})));
      EXPECT_FALSE(std::signbit(of(kArithMaximumF, Float{0}, -Float{0})));
      EXPECT_TRUE(std::signbit(of(kArithMinimumF, Float{0}, -Float{0})));
      EXPECT_EQ(of(kArithMaxNumF, quiet, Float{-1}), Float{-1});
      EXPECT_EQ(of(kArithMinNumF, quiet, Float{-1}), Float{-1});
      EXPECT_TRUE(std::isnan(of(kArithMaximumF, quiet, Float{-1})));
      EXPECT_TRUE(std::isnan(of(kArithMinimumF, quiet, Float{-1})));
      EXPECT_EQ(of(kArithMaximumF, Float{2}, Float{-1}), Float{2});
      EXPECT_EQ(of(kArithMinNumF, Float{2}, Float{-1}), Float{-1});
    }
  };
  check(Element::kF32, 0.0F);
  check(Element::kF16, 0.0F);
  check(Element::kF64, 0.0);
}

TEST(Lanes, Clamp) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const std::array<float, 4> x = {-5.0F, 0.5F, 5.0F, nan};
  const std::array<float, 4> low = {-1.0F, -1.0F, -1.0F, -1.0F};
  const std::array<float, 4> high = {1.0F, 1.0F, 1.0F, 1.0F};
  std::array<float, 4> out{};
  clamp(Element::kF32, false)(out.data(), x.data(), low.data(), high.data(), 4);
  EXPECT_EQ(out, (std::array<float, 4>{-1.0F, 0.5F, 1.0F, -1.0F}));
  clamp(Element::kF32, true)(out.data(), x.data(), low.data(), high.data(), 4);
  EXPECT_TRUE(std::isnan(out[3]));
}

TEST(Lanes, FmaRoundsOnce) {
  const auto of = [](Element element, float a, float b, float c) {
    float out = 0.0F;
    fma(element)(&out, &a, &b, &c, 1);
    return out;
  };
  EXPECT_EQ(of(Element::kF32, 1.0F + 0x1p-23F, 1.0F + 0x1p-23F, -1.0F - 0x1p-22F), 0x1p-46F);
  EXPECT_EQ(of(Element::kF16, 1.0F + 0x1p-10F, 1.0F + 0x1p-10F, -1.0F - 0x1p-9F), 0x1p-20F);
  // The product is halfway between two bf16; a far smaller number decides.
  EXPECT_EQ(of(Element::kBF16, 1.0F + 0x1p-7F, 1.0F + 0x1p-1F, 0x1p-120F), 1.5F + 0x1p-6F);
  EXPECT_EQ(of(Element::kBF16, 1.0F + 0x1p-7F, 1.0F + 0x1p-1F, -0x1p-120F), 1.5F + 0x1p-7F);
}

TEST(Lanes, RemainderIsTheOneOfThePtx) {
  EXPECT_EQ(apply(kArithRemF, Element::kF32, 7.5F, 2.0F), 1.5F);
  EXPECT_EQ(apply(kArithRemF, Element::kF32, -7.5F, 2.0F), -1.5F);
  EXPECT_EQ(apply(kArithRemF, Element::kF32, 3.0F, std::numeric_limits<float>::infinity()), 3.0F);
  EXPECT_TRUE(std::isnan(apply(kArithRemF, Element::kF32, 3.0F, 0.0F)));
  EXPECT_EQ(apply(kArithRemF, Element::kF64, 7.5, 2.0), 1.5);
}

TEST(Lanes, UniformOperandsAndAliasing) {
  constexpr std::size_t kCount = 77;
  std::vector<float> a(kCount);
  std::vector<float> b(kCount);
  std::iota(a.begin(), a.end(), 1.0F);
  std::iota(b.begin(), b.end(), 0.25F);
  std::vector<float> out(kCount);
  binary(kArithSubF, Element::kF32, Uniform::kFirst)(out.data(), a.data() + 5, b.data(), kCount);
  for (std::size_t i = 0; i < kCount; ++i) ASSERT_EQ(out[i], a[5] - b[i]);
  binary(kArithSubF, Element::kF32, Uniform::kSecond)(out.data(), a.data(), b.data() + 5, kCount);
  for (std::size_t i = 0; i < kCount; ++i) ASSERT_EQ(out[i], a[i] - b[5]);
  binary(kMathPowF, Element::kF32, Uniform::kSecond)(out.data(), a.data(), a.data() + 1, kCount);
  for (std::size_t i = 0; i < kCount; ++i) ASSERT_EQ(out[i], a[i] * a[i]);

  std::vector<float> in_place = a;
  binary(kArithSubF, Element::kF32, Uniform::kNone)(in_place.data(), in_place.data(), b.data(), kCount);
  for (std::size_t i = 0; i < kCount; ++i) ASSERT_EQ(in_place[i], a[i] - b[i]);
  in_place = b;
  binary(kArithSubF, Element::kF32, Uniform::kFirst)(in_place.data(), a.data(), in_place.data(), kCount);
  for (std::size_t i = 0; i < kCount; ++i) ASSERT_EQ(in_place[i], a[0] - b[i]);
  in_place = a;
  binary(kArithAddF, Element::kF32, Uniform::kNone)(in_place.data(), in_place.data(), in_place.data(), kCount);
  for (std::size_t i = 0; i < kCount; ++i) ASSERT_EQ(in_place[i], 2 * a[i]);
  // A block and a half, with an angle that goes the long way.
  std::vector<float> angles(400, 0.5F);
  angles[300] = 1e10F;
  unary(kMathSin, Element::kF32)(angles.data(), angles.data(), angles.size());
  EXPECT_NEAR(angles[299], std::sin(0.5), 1e-7);
  EXPECT_NEAR(angles[300], std::sin(1e10), 1e-7);
}

TEST(Lanes, IntegerPredicates) {
  const std::array<std::int32_t, 5> values = {0, 1, -1, INT32_MAX, INT32_MIN};
  const auto check = [&](std::string_view name, auto want) {
    for (const std::int32_t a : values) {
      for (const std::int32_t b : values) {
        std::uint8_t out = 2;
        compare(kArithCmpI, name, Element::kI32, Uniform::kNone)(&out, &a, &b, 1);
        EXPECT_EQ(out, want(a, b) ? 1 : 0) << name << ' ' << a << ' ' << b;
      }
    }
  };
  const auto as_unsigned = [](auto order) {
    return [order](std::int32_t a, std::int32_t b) {
      return order(static_cast<std::uint32_t>(a), static_cast<std::uint32_t>(b));
    };
  };
  check("eq", std::equal_to<>());
  check("ne", std::not_equal_to<>());
  check("slt", std::less<>());
  check("sle", std::less_equal<>());
  check("sgt", std::greater<>());
  check("sge", std::greater_equal<>());
  check("ult", as_unsigned(std::less<>()));
  check("ule", as_unsigned(std::less_equal<>()));
  check("ugt", as_unsigned(std::greater<>()));
  check("uge", as_unsigned(std::greater_equal<>()));
  EXPECT_EQ(compare(kArithCmpI, "olt", Element::kI32, Uniform::kNone), nullptr);
}

TEST(Lanes, FloatPredicates) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const std::array<float, 5> values = {0.0F, -0.0F, 1.0F, std::numeric_limits<float>::infinity(), nan};
  const auto check = [&](std::string_view word, auto ordered) {
    for (const bool unordered_result : {false, true}) {
      const std::string name = (unordered_result ? "u" : "o") + std::string(word);
      for (const float a : values) {
        for (const float b : values) {
          const bool want = std::isnan(a) || std::isnan(b) ? unordered_result : ordered(a, b);
          std::uint8_t out = 2;
          compare(kArithCmpF, name, Element::kF32, Uniform::kNone)(&out, &a, &b, 1);
          EXPECT_EQ(out, want ? 1 : 0) << name << ' ' << a << ' ' << b;
          const double da = a;
          const double db = b;
          compare(kArithCmpF, name, Element::kF64, Uniform::kSecond)(&out, &da, &db, 1);
          EXPECT_EQ(out, want ? 1 : 0) << name << ' ' << a << ' ' << b;
        }
      }
    }
  };
  check("eq", std::equal_to<>());
  check("ne", std::not_equal_to<>());
  check("lt", std::less<>());
  check("le", std::less_equal<>());
  check("gt", std::greater<>());
  check("ge", std::greater_equal<>());
  const auto lone = [&](std::string_view name, float a, float b) {
    std::uint8_t out = 2;
    compare(kArithCmpF, name, Element::kF16, Uniform::kNone)(&out, &a, &b, 1);
    return out;
  };
  EXPECT_EQ(lone("ord", 1.0F, 2.0F), 1);
  EXPECT_EQ(lone("ord", 1.0F, nan), 0);
  EXPECT_EQ(lone("uno", nan, 1.0F), 1);
  EXPECT_EQ(lone("true", nan, 1.0F), 1);
  EXPECT_EQ(lone("false", 1.0F, 1.0F), 0);
}

TEST(Lanes, SelectFillRangeOffsetsAny) {
  const std::array<std::uint8_t, 3> condition = {1, 0, 255};
  const std::array<std::uint64_t, 3> a = {1, 2, 3};
  const std::array<std::uint64_t, 3> b = {7, 8, 9};
  std::array<std::uint64_t, 3> chosen{};
  select(Element::kPointer)(chosen.data(), condition.data(), a.data(), b.data(), 3);
  EXPECT_EQ(chosen, (std::array<std::uint64_t, 3>{1, 8, 3}));

  std::vector<std::uint16_t> filled(5);
  const std::uint16_t lane = 513;
  fill(Element::kI16, filled.data(), &lane, filled.size());
  EXPECT_EQ(filled, std::vector<std::uint16_t>(5, 513));

  std::vector<std::int32_t> steps(4);
  range(steps.data(), -2, steps.size());
  EXPECT_EQ(steps, (std::vector<std::int32_t>{-2, -1, 0, 1}));

  const std::uint64_t base = 1000;
  std::vector<std::uint64_t> addresses(4);
  add_offsets(addresses.data(), &base, true, steps.data(), Element::kI32, false, 4, 4);
  EXPECT_EQ(addresses, (std::vector<std::uint64_t>{992, 996, 1000, 1004}));
  const std::int64_t far = -1;
  add_offsets(addresses.data(), addresses.data(), false, &far, Element::kI64, true, 2, 4);
  EXPECT_EQ(addresses, (std::vector<std::uint64_t>{990, 994, 998, 1002}));

  std::vector<std::uint8_t> flags(200);
  EXPECT_FALSE(any(flags.data(), flags.size()));
  for (const std::size_t at : {std::size_t{0}, std::size_t{100}, std::size_t{199}}) {
    flags.assign(200, 0);
    flags[at] = 4;
    EXPECT_TRUE(any(flags.data(), flags.size())) << at;
  }
  EXPECT_FALSE(any(flags.data(), 0));
}

TEST(Lanes, WhatIsNotThereIsNull) {
  EXPECT_EQ(binary(kArithAddF, Element::kF8E4M3FN, Uniform::kNone), nullptr);
  EXPECT_EQ(binary(kArithAddF, Element::kI32, Uniform::kNone), nullptr);
  EXPECT_EQ(binary(kArithAddI, Element::kF32, Uniform::kNone), nullptr);
  EXPECT_EQ(unary(kMathExp, Element::kI32), nullptr);
  EXPECT_EQ(unary(kTtLoad, Element::kF32), nullptr);
  EXPECT_EQ(fma(Element::kI32), nullptr);
}

}  // namespace
}  // namespace tritonrl::ttir::lanes
