#include "verify/comparison.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace tritonrl::verify {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

// A row of fp32 outputs, and what they should be.
class Row {
 public:
  Row(std::vector<float> found, std::vector<double> exact, double spread)
      : found_(std::move(found)), exact_(std::move(exact)), spread_(exact_.size(), spread) {}

  ComparisonReport compared() const {
    const auto size = static_cast<std::int64_t>(exact_.size());
    return compare({.dtype = "float32",
                    .shape = {static_cast<std::int64_t>(found_.size())},
                    .strides = {1},
                    .data = reinterpret_cast<const std::byte*>(found_.data())},
                   {.dtype = "float32",
                    .shape = {size},
                    .values = reinterpret_cast<const std::byte*>(exact_.data()),
                    .spread = spread_.data(),
                    .alternatives = {}});
  }
  std::string_view rule() const {
    const auto report = compared();
    return report.mismatch ? report.mismatch->rule : "";
  }

 private:
  std::vector<float> found_;
  std::vector<double> exact_;
  std::vector<double> spread_;
};

TEST(Comparison, AcceptsWhatRoundingExplains) {
  EXPECT_EQ(Row({1.0F, 2.0F}, {1.0 + 3e-7, 2.0 - 3e-7}, 1e-7).rule(), "");
}

TEST(Comparison, RejectsOneElementAmongMany) {
  std::vector<float> found(10'000, 1.0F);
  found[7'777] = 1.001F;
  EXPECT_EQ(Row(found, std::vector<double>(10'000, 1.0), 1e-6).rule(), "wrong-result");
}

TEST(Comparison, NamesThePlaceOfTheWorstElement) {
  const auto report = Row({1.0F, 2.5F, 3.0F}, {1.0, 2.0, 3.0}, 1e-6).compared();
  ASSERT_TRUE(report.mismatch);
  EXPECT_NE(report.mismatch->message.find("[1] is 2.5 and should be 2"), std::string::npos) << report.mismatch->message;
}

TEST(Comparison, RejectsErrorsThatAreAllTooLargeThoughNoneIsAnOutlier) {
  EXPECT_EQ(Row(std::vector<float>(64, 1.0F), std::vector<double>(64, 1.0 + 5e-6), 1e-6).rule(), "wrong-result");
}

TEST(Comparison, TakesNanOnlyForNan) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  EXPECT_EQ(Row({nan}, {1.0}, 1.0).rule(), "wrong-nan");
  EXPECT_EQ(Row({1.0F}, {kNaN}, 1.0).rule(), "wrong-nan");
  EXPECT_EQ(Row({nan}, {kNaN}, 1.0).rule(), "");
}

TEST(Comparison, TakesInfinityOnlyForTheSameInfinity) {
  const float infinity = std::numeric_limits<float>::infinity();
  EXPECT_EQ(Row({infinity}, {kInfinity}, 1.0).rule(), "");
  EXPECT_EQ(Row({-infinity}, {kInfinity}, 1.0).rule(), "wrong-nan");
  EXPECT_EQ(Row({infinity}, {3.0}, 1e30).rule(), "wrong-nan");
}

TEST(Comparison, ExpectsInfinityWhereTheExactValueIsOutOfRange) {
  EXPECT_EQ(Row({std::numeric_limits<float>::infinity()}, {1e39}, 1.0).rule(), "");
  EXPECT_EQ(Row({3e38F}, {1e39}, 1.0).rule(), "wrong-nan");
}

TEST(Comparison, RejectsAnotherShapeBeforeItReadsAValue) {
  EXPECT_EQ(Row({1.0F, 2.0F}, {1.0}, 1.0).rule(), "wrong-shape");
}

TEST(Comparison, FollowsStrides) {
  const std::vector<float> columns = {1, 3, 2, 4};  // [[1, 2], [3, 4]] by columns
  const std::vector<double> exact = {1, 2, 3, 4};
  const std::vector<double> spread(4, 1e-6);
  const auto report = compare({.dtype = "float32",
                               .shape = {2, 2},
                               .strides = {1, 2},
                               .data = reinterpret_cast<const std::byte*>(columns.data())},
                              {.dtype = "float32",
                               .shape = {2, 2},
                               .values = reinterpret_cast<const std::byte*>(exact.data()),
                               .spread = spread.data(),
                               .alternatives = {}});
  EXPECT_FALSE(report.mismatch) << report.mismatch->message;
}

TEST(Comparison, TakesIntegersExactlyOrAsRoundingMakesThem) {
  const std::vector<std::int64_t> found = {3, 5};
  const std::vector<std::int64_t> exact = {3, 4};
  const std::vector<std::int64_t> rounded = {3, 5};
  const TensorView view{
      .dtype = "int64", .shape = {2}, .strides = {1}, .data = reinterpret_cast<const std::byte*>(found.data())};
  ExpectedTensor expected{.dtype = "int64",
                          .shape = {2},
                          .values = reinterpret_cast<const std::byte*>(exact.data()),
                          .spread = nullptr,
                          .alternatives = {}};
  EXPECT_TRUE(compare(view, expected).mismatch);
  expected.alternatives = {reinterpret_cast<const std::byte*>(rounded.data())};
  EXPECT_FALSE(compare(view, expected).mismatch);
}

TEST(Comparison, ReadsHalfAndBrainFloats) {
  const std::uint16_t half_three = 0x4200;
  const std::uint16_t brain_three = 0x4040;
  const double three = 3.0;
  const double spread = 1e-3;
  for (const auto& [dtype, bits] : {std::pair<const char*, const std::uint16_t*>{"float16", &half_three},
                                    std::pair<const char*, const std::uint16_t*>{"bfloat16", &brain_three}}) {
    const auto report =
        compare({.dtype = dtype, .shape = {}, .strides = {}, .data = reinterpret_cast<const std::byte*>(bits)},
                {.dtype = dtype,
                 .shape = {},
                 .values = reinterpret_cast<const std::byte*>(&three),
                 .spread = &spread,
                 .alternatives = {}});
    EXPECT_FALSE(report.mismatch) << dtype;
    EXPECT_EQ(report.worst, 0) << dtype;
  }
}

TEST(SpanBytes, RefusesNegativeStridesAndOverflow) {
  EXPECT_EQ(span_bytes({.dtype = "float32", .shape = {2, 3}, .strides = {3, 1}}), 24U);
  EXPECT_EQ(span_bytes({.dtype = "float32", .shape = {0, 3}, .strides = {3, 1}}), 0U);
  EXPECT_FALSE(span_bytes({.dtype = "float32", .shape = {2}, .strides = {-1}}));
  EXPECT_FALSE(span_bytes({.dtype = "float32", .shape = {-2}, .strides = {1}}));
  EXPECT_FALSE(span_bytes({.dtype = "float32", .shape = {1LL << 62, 1LL << 62}, .strides = {1, 1}}));
  EXPECT_FALSE(span_bytes({.dtype = "complex64", .shape = {1}, .strides = {1}}));
}

}  // namespace
}  // namespace tritonrl::verify
