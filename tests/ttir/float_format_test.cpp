#include "ttir/lanes/float_format.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

namespace tritonrl::ttir {
namespace {

template <Element kValue>
struct Of {
  static constexpr Element kElement = kValue;
};

template <class T>
class FloatFormatTest : public testing::Test {
 public:
  using Format = FloatFormat<T::kElement>;

  // What the bits mean, by the definition of the format.
  static float meaning(std::uint32_t bits) {
    constexpr FormatLayout kLayout = Format::kLayout;
    const std::uint32_t magnitude = bits & Format::kMagnitude;
    const auto exponent = static_cast<int>(magnitude >> kLayout.mantissa_bits);
    const std::uint32_t mantissa = magnitude & (Format::kSmallestNormal - 1);
    const float sign = (bits & Format::kSign) != 0 ? -1.0F : 1.0F;
    const float nan = std::numeric_limits<float>::quiet_NaN();
    if (Format::kHasInfinity && magnitude >= Format::kInfinity) {
      return mantissa == 0 ? sign * std::numeric_limits<float>::infinity() : nan;
    }
    if (kLayout.specials == Specials::kOneNan && magnitude == Format::kMagnitude) return nan;
    if (kLayout.specials == Specials::kNanIsMinusZero && bits == Format::kSign) return nan;
    const double fraction = std::ldexp(mantissa, -kLayout.mantissa_bits) + (exponent == 0 ? 0.0 : 1.0);
    return sign * static_cast<float>(std::ldexp(fraction, (exponent == 0 ? 1 : exponent) - kLayout.bias));
  }

  // The finite values that are not negative, in order, with the bits' last one at the even indices.
  static std::vector<float> ladder() {
    std::vector<float> values;
    for (std::uint32_t bits = 0; bits <= Format::kLargest; ++bits) values.push_back(meaning(bits));
    return values;
  }

  static void expect_bits(float got, float want, float of) {
    if (Format::kLayout.specials == Specials::kNanIsMinusZero && want == 0.0F) want = 0.0F;
    EXPECT_EQ(bits_of(got), bits_of(want)) << "of " << of << ": " << got << " instead of " << want;
  }
};

using Formats =
    testing::Types<Of<Element::kF8E4M3FN>, Of<Element::kF8E5M2>, Of<Element::kF8E4M3FNUZ>, Of<Element::kF8E5M2FNUZ>,
                   Of<Element::kF8E4M3B11FNUZ>, Of<Element::kF16>, Of<Element::kBF16>>;
TYPED_TEST_SUITE(FloatFormatTest, Formats);

TYPED_TEST(FloatFormatTest, EveryPatternIsDecodedAndComesBack) {
  using Narrow = typename TestFixture::Format;
  for (std::uint32_t bits = 0; bits < 2 * Narrow::kSign; ++bits) {
    const float value = Narrow::decode(static_cast<typename Narrow::Bits>(bits));
    const float want = TestFixture::meaning(bits);
    if (std::isnan(want)) {
      ASSERT_TRUE(std::isnan(value)) << bits;
    } else {
      ASSERT_EQ(bits_of(value), bits_of(want)) << bits;
    }
    ASSERT_EQ(Narrow::encode(value), bits);
  }
}

TYPED_TEST(FloatFormatTest, ValuesOfTheFormatAreLeftAlone) {
  using Narrow = typename TestFixture::Format;
  for (const float value : TestFixture::ladder()) {
    TestFixture::expect_bits(Narrow::nearest(value), value, value);
    TestFixture::expect_bits(Narrow::toward_zero(value), value, value);
    if (value == 0.0F) continue;
    TestFixture::expect_bits(Narrow::nearest(-value), -value, -value);
    TestFixture::expect_bits(Narrow::toward_zero(-value), -value, -value);
  }
}

TYPED_TEST(FloatFormatTest, BetweenTwoValuesTheNearerOrTheEvenOneIsTaken) {
  using Narrow = typename TestFixture::Format;
  const std::vector<float> values = TestFixture::ladder();
  for (std::size_t i = 0; i + 1 < values.size(); ++i) {
    const float low = values[i];
    const float high = values[i + 1];
    const float middle = low + (high - low) / 2;
    const float below = std::nextafter(middle, low);
    const float above = std::nextafter(middle, high);
    TestFixture::expect_bits(Narrow::nearest(middle), i % 2 == 0 ? low : high, middle);
    TestFixture::expect_bits(Narrow::nearest(below), low, below);
    TestFixture::expect_bits(Narrow::nearest(above), high, above);
    TestFixture::expect_bits(Narrow::toward_zero(above), low, above);
    TestFixture::expect_bits(Narrow::toward_zero(std::nextafter(high, low)), low, high);
    if (i > 0) TestFixture::expect_bits(Narrow::nearest(-above), -high, -above);
  }
}

TYPED_TEST(FloatFormatTest, PastTheRange) {
  using Narrow = typename TestFixture::Format;
  const std::vector<float> values = TestFixture::ladder();
  const float largest = values.back();
  const float step = largest - values[values.size() - 2];
  const float infinity = std::numeric_limits<float>::infinity();
  const float past = Narrow::kBits == 16 ? infinity : largest;  // satfinite
  if (largest + step / 2 < std::numeric_limits<float>::max()) {
    EXPECT_EQ(Narrow::nearest(std::nextafter(largest + step / 2, 0.0F)), largest);
    EXPECT_EQ(Narrow::nearest(largest + step / 2), past);
  }
  for (const float value : {infinity, std::numeric_limits<float>::max()}) {
    EXPECT_EQ(Narrow::nearest(value), past);
    EXPECT_EQ(Narrow::nearest(-value), -past);
  }
  EXPECT_EQ(Narrow::toward_zero(std::numeric_limits<float>::max()), largest);
  EXPECT_EQ(Narrow::toward_zero(infinity), Narrow::kHasInfinity ? infinity : largest);
  if (Narrow::kLayout.specials != Specials::kNone) {
    EXPECT_TRUE(std::isnan(Narrow::nearest(std::numeric_limits<float>::quiet_NaN())));
    EXPECT_TRUE(std::isnan(Narrow::toward_zero(std::numeric_limits<float>::quiet_NaN())));
  }
}

TEST(FloatFormat, NanIsTheOneOfTheGpu) {
  const float nan = float_of(0xffc12345);
  EXPECT_EQ(FloatFormat<Element::kF16>::encode(FloatFormat<Element::kF16>::nearest(nan)), 0x7fff);
  EXPECT_EQ(FloatFormat<Element::kBF16>::encode(FloatFormat<Element::kBF16>::nearest(nan)), 0x7fff);
  EXPECT_EQ(FloatFormat<Element::kF8E4M3FN>::encode(FloatFormat<Element::kF8E4M3FN>::nearest(nan)), 0x7f);
  EXPECT_EQ(FloatFormat<Element::kF8E5M2>::encode(FloatFormat<Element::kF8E5M2>::nearest(nan)), 0x7f);
}

TEST(FloatFormat, RoundingADoubleTwiceIsRoundingItOnce) {
  using F16 = FloatFormat<Element::kF16>;
  // Just above the middle of 1 and the next f16, by less than a float can tell.
  const double middle = 1.0 + 0x1p-11;
  EXPECT_EQ(F16::nearest(to_odd(middle + 0x1p-40)), 1.0F + 0x1p-10F);
  EXPECT_EQ(F16::nearest(to_odd(middle)), 1.0F);
  EXPECT_EQ(F16::nearest(to_odd(middle - 0x1p-40)), 1.0F);
  EXPECT_EQ(F16::nearest(to_odd(-middle - 0x1p-40)), -1.0F - 0x1p-10F);
  EXPECT_EQ(to_odd(1e300), std::numeric_limits<float>::max());
  EXPECT_EQ(to_odd(std::numeric_limits<double>::infinity()), std::numeric_limits<float>::infinity());
  EXPECT_EQ(to_odd(0.5), 0.5F);
}

TEST(FloatFormat, OddSumKeepsTheDirectionOfWhatWasLost) {
  EXPECT_GT(odd_sum(1.0, 0x1p-80), 1.0);
  EXPECT_LT(odd_sum(1.0, -0x1p-80), 1.0);
  EXPECT_LT(odd_sum(-1.0, -0x1p-80), -1.0);
  EXPECT_EQ(odd_sum(1.0, 2.0), 3.0);
  EXPECT_TRUE(std::isnan(odd_sum(std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity())));
}

}  // namespace
}  // namespace tritonrl::ttir
