#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <limits>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "ttir/lanes/float_format.h"
#include "ttir/lanes/lanes.h"

namespace tritonrl::ttir::lanes {
namespace {

using enum Opcode;

template <class To, class From>
To converted(Opcode opcode, Element from, Element to, From value, std::string_view rounding = "") {
  To out{};
  const Unary function = convert(opcode, from, to, rounding);
  EXPECT_NE(function, nullptr) << name_of(from) << " to " << name_of(to);
  if (function != nullptr) function(&out, &value, 1);
  return out;
}

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

TEST(LanesConvert, FloatsToIntegersSaturate) {
  const auto to_i32 = [](float x) { return converted<std::int32_t>(kArithFPToSI, Element::kF32, Element::kI32, x); };
  EXPECT_EQ(to_i32(-1.9F), -1);
  EXPECT_EQ(to_i32(2147483648.0F), INT32_MAX);
  EXPECT_EQ(to_i32(-kInfinity), INT32_MIN);
  EXPECT_EQ(to_i32(kNan), 0);
  const auto to_u32 = [](float x) { return converted<std::uint32_t>(kArithFPToUI, Element::kF32, Element::kI32, x); };
  EXPECT_EQ(to_u32(4294967040.0F), 4294967040U);
  EXPECT_EQ(to_u32(1e20F), UINT32_MAX);
  EXPECT_EQ(to_u32(-0.5F), 0U);
  EXPECT_EQ(to_u32(-5.0F), 0U);
  const auto to_u64 = [](double x) { return converted<std::uint64_t>(kArithFPToUI, Element::kF64, Element::kI64, x); };
  EXPECT_EQ(to_u64(0x1p63), 1ULL << 63U);
  EXPECT_EQ(to_u64(18446744073709549568.0), 18446744073709549568ULL);
  EXPECT_EQ(to_u64(1e30), UINT64_MAX);
  const auto to_i64 = [](double x) { return converted<std::int64_t>(kArithFPToSI, Element::kF64, Element::kI64, x); };
  EXPECT_EQ(to_i64(-0x1p63), INT64_MIN);
  EXPECT_EQ(to_i64(1e30), INT64_MAX);
  EXPECT_EQ(to_i64(std::numeric_limits<double>::quiet_NaN()), INT64_MIN);
  EXPECT_EQ((converted<std::int64_t>(kArithFPToSI, Element::kF32, Element::kI64, kNan)), INT64_MIN);
  EXPECT_EQ((converted<std::int32_t>(kArithFPToSI, Element::kF64, Element::kI32, static_cast<double>(kNan))),
            INT32_MIN);
}

TEST(LanesConvert, FloatsToBytesGoThroughSixteenBits) {
  const auto to_i8 = [](float x) { return converted<std::int8_t>(kArithFPToSI, Element::kF32, Element::kI8, x); };
  EXPECT_EQ(to_i8(200.0F), static_cast<std::int8_t>(200));
  EXPECT_EQ(to_i8(300.0F), 44);
  EXPECT_EQ(to_i8(1e6F), static_cast<std::int8_t>(0x7fff));
  EXPECT_EQ(to_i8(-1e6F), 0);
}

TEST(LanesConvert, IntegersToFloatsRoundOnce) {
  // Halfway between two bf16, and one more: to float first would lose the one.
  EXPECT_EQ((converted<float>(kArithSIToFP, Element::kI32, Element::kBF16, 0x40400001)), 0x1.02p30F);
  EXPECT_EQ((converted<float>(kArithSIToFP, Element::kI32, Element::kBF16, 0x40400000)), 0x1p30F);
  EXPECT_EQ((converted<float>(kArithUIToFP, Element::kI64, Element::kBF16, (1ULL << 62U) + (1ULL << 54U) + 1)),
            0x1.02p62F);
  EXPECT_EQ((converted<float>(kArithSIToFP, Element::kI64, Element::kBF16,
                              -static_cast<std::int64_t>((1ULL << 62U) + (1ULL << 54U) + 1))),
            -0x1.02p62F);
  EXPECT_EQ((converted<float>(kArithUIToFP, Element::kI64, Element::kF32, UINT64_MAX)), 0x1p64F);
  EXPECT_EQ((converted<float>(kArithSIToFP, Element::kI64, Element::kF32, INT64_MIN)), -0x1p63F);
  EXPECT_EQ((converted<float>(kArithUIToFP, Element::kI1, Element::kF32, std::uint8_t{1})), 1.0F);
  EXPECT_EQ((converted<float>(kArithSIToFP, Element::kI1, Element::kF32, std::uint8_t{1})), -1.0F);
  EXPECT_TRUE(std::isinf(converted<float>(kArithSIToFP, Element::kI32, Element::kF16, 65520)));
  EXPECT_EQ((converted<double>(kArithUIToFP, Element::kI32, Element::kF64, UINT32_MAX)), 4294967295.0);
}

TEST(LanesConvert, IntegersAmongThemselves) {
  EXPECT_EQ((converted<std::int64_t>(kArithExtSI, Element::kI8, Element::kI64, std::uint8_t{0x80})), -128);
  EXPECT_EQ((converted<std::int64_t>(kArithExtUI, Element::kI8, Element::kI64, std::uint8_t{0x80})), 128);
  EXPECT_EQ((converted<std::int32_t>(kArithExtSI, Element::kI1, Element::kI32, std::uint8_t{1})), -1);
  EXPECT_EQ((converted<std::int32_t>(kArithExtUI, Element::kI1, Element::kI32, std::uint8_t{1})), 1);
  EXPECT_EQ((converted<std::uint8_t>(kArithTruncI, Element::kI32, Element::kI1, 6)), 0);
  EXPECT_EQ((converted<std::uint16_t>(kArithTruncI, Element::kI64, Element::kI16, 0x123456789LL)), 0x6789);
  EXPECT_EQ((converted<std::int64_t>(kArithIndexCast, Element::kI32, Element::kI64, -3)), -3);
}

TEST(LanesConvert, BetweenFloats) {
  const auto to = [](Element element, float x, std::string_view rounding = "rtne") {
    return converted<float>(kTtFpToFp, Element::kF32, element, x, rounding);
  };
  EXPECT_EQ(to(Element::kF8E4M3FN, 1e9F), 448.0F);
  EXPECT_EQ(to(Element::kF8E4M3FN, -kInfinity), -448.0F);
  EXPECT_EQ(to(Element::kF8E5M2, 1e9F), 57344.0F);
  EXPECT_TRUE(std::isnan(to(Element::kF8E4M3FN, kNan)));
  EXPECT_TRUE(std::isnan(to(Element::kF8E5M2, kNan)));
  EXPECT_EQ(to(Element::kF16, 1e9F, "rtz"), 65504.0F);
  EXPECT_TRUE(std::isinf(to(Element::kF16, 1e9F)));
  EXPECT_TRUE(std::isinf(to(Element::kF16, kInfinity, "rtz")));
  EXPECT_EQ(to(Element::kBF16, 1.0F + 0x1.8p-7F, "rtz"), 1.0F + 0x1p-7F);
  EXPECT_EQ(to(Element::kF8E5M2, 1.99F, "rtz"), 1.75F);
  // The bits of an infinity of f8E5M2 are a number to the code that widens it to bf16.
  EXPECT_EQ((converted<float>(kTtFpToFp, Element::kF8E5M2, Element::kBF16, kInfinity)), 65536.0F);
  EXPECT_TRUE(std::isinf(converted<float>(kTtFpToFp, Element::kF8E5M2, Element::kF16, kInfinity)));
  EXPECT_EQ((converted<double>(kArithExtF, Element::kBF16, Element::kF64, 1.5F)), 1.5);
  EXPECT_EQ((converted<float>(kArithTruncF, Element::kF64, Element::kF16, 1.0 + 0x1p-11 + 0x1p-50)), 1.0F + 0x1p-10F);
  EXPECT_EQ((converted<float>(kArithTruncF, Element::kF64, Element::kBF16, 1.0 + 0x1p-8 + 0x1p-50)), 1.0F + 0x1p-7F);
}

TEST(LanesConvert, Bitcasts) {
  EXPECT_EQ((converted<std::uint16_t>(kArithBitcast, Element::kF16, Element::kI16, 1.0F)), 0x3c00);
  EXPECT_EQ((converted<float>(kTtBitcast, Element::kI16, Element::kBF16, std::uint16_t{0x3f80})), 1.0F);
  EXPECT_EQ((converted<float>(kTtBitcast, Element::kF16, Element::kBF16, 1.0F)), float_of(0x3c000000));
  EXPECT_EQ((converted<std::uint8_t>(kTtBitcast, Element::kF8E4M3FN, Element::kI8, 448.0F)), 0x7e);
  EXPECT_EQ((converted<float>(kTtBitcast, Element::kI8, Element::kF8E5M2, std::uint8_t{0x3c})), 1.0F);
  EXPECT_EQ((converted<std::uint32_t>(kArithBitcast, Element::kF32, Element::kI32, -0.0F)), kSignBit);
  EXPECT_EQ((converted<std::uint64_t>(kTtPtrToInt, Element::kPointer, Element::kI64, std::uint64_t{42})), 42U);
  EXPECT_EQ((converted<std::uint64_t>(kTtIntToPtr, Element::kI64, Element::kPointer, std::uint64_t{42})), 42U);
  EXPECT_EQ(convert(kTtBitcast, Element::kF16, Element::kI32, ""), nullptr);
}

TEST(LanesConvert, MemoryOfEveryType) {
  const std::vector<std::uint8_t> bytes = {0x00, 0x3c, 0x00, 0xfc};
  std::vector<float> halves(2);
  decode(Element::kF16)(halves.data(), bytes.data(), 2);
  EXPECT_EQ(halves, (std::vector<float>{1.0F, -kInfinity}));
  std::vector<std::uint8_t> back(4);
  encode(Element::kF16)(back.data(), halves.data(), 2);
  EXPECT_EQ(back, bytes);
  const std::vector<std::uint8_t> flags = {0, 1, 2, 255};
  decode(Element::kI1)(back.data(), flags.data(), 4);
  EXPECT_EQ(back, (std::vector<std::uint8_t>{0, 1, 0, 1}));
  const std::uint64_t pointer = 0x123456789abcdef0;
  std::uint64_t lane = 0;
  decode(Element::kPointer)(&lane, &pointer, 1);
  EXPECT_EQ(lane, pointer);
}

// Every line of the file was measured; the operations in it have one right answer, to the bit.
TEST(LanesConvert, AsMeasuredOnAnH200) {
  const std::map<std::string, Opcode> opcodes = {
      {"arith.fptosi", kArithFPToSI}, {"arith.fptoui", kArithFPToUI}, {"arith.sitofp", kArithSIToFP},
      {"arith.truncf", kArithTruncF}, {"arith.uitofp", kArithUIToFP}, {"math.cos", kMathCos},
      {"math.floor", kMathFloor},     {"math.log", kMathLog},         {"math.log2", kMathLog2},
      {"math.sin", kMathSin},         {"tt.fp_to_fp", kTtFpToFp},     {"tt.precise_sqrt", kTtPreciseSqrt}};
  std::map<std::string, Element> elements;
  for (int i = 0; i <= static_cast<int>(Element::kF64); ++i) {
    elements[name_of(static_cast<Element>(i))] = static_cast<Element>(i);
  }
  std::ifstream file(TRITONRL_SOURCE_DIR "/tests/ttir/data/lanes_h200.txt");
  std::string line;
  std::size_t count = 0;
  while (std::getline(file, line)) {
    if (line.starts_with('#')) continue;
    std::istringstream words(line);
    std::string operation;
    std::string from_name;
    std::string to_name;
    std::uint64_t operand = 0;
    std::uint64_t want = 0;
    words >> operation >> from_name >> to_name >> std::hex >> operand >> want;
    const Element from = elements.at(from_name);
    const Element to = elements.at(to_name);
    const Opcode opcode = opcodes.at(operation);
    const Unary function = operation.starts_with("math.") || opcode == kTtPreciseSqrt
                               ? unary(opcode, from)
                               : convert(opcode, from, to, "rtne");
    ASSERT_NE(function, nullptr) << line;
    std::uint64_t lane = 0;
    std::uint64_t result = 0;
    std::uint64_t got = 0;
    decode(from)(&lane, &operand, 1);
    function(&result, &lane, 1);
    encode(to)(&got, &result, 1);
    EXPECT_EQ(got, want) << line;
    ++count;
  }
  EXPECT_EQ(count, 300U);
}

}  // namespace
}  // namespace tritonrl::ttir::lanes
