#include "ttir/count_scaling.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

namespace tritonrl::ttir {
namespace {

using Sizes = std::vector<double>;

// Samples as quick_sizes() makes them: a base, each dimension doubled, all doubled.
std::vector<Sizes> samples(const Sizes& base) {
  std::vector<Sizes> found{base};
  for (std::size_t d = 0; d < base.size(); ++d) {
    found.push_back(base);
    found.back()[d] *= 2;
  }
  found.push_back(base);
  for (double& size : found.back()) size *= 2;
  return found;
}

ScaledCount scaled(const std::vector<Sizes>& sizes, const Sizes& target,
                   const std::function<double(const Sizes&)>& count) {
  std::vector<std::string> names;
  for (std::size_t d = 0; d < target.size(); ++d) names.emplace_back(1, static_cast<char>('m' + d));
  std::vector<double> counts;
  for (const auto& sample : sizes) counts.push_back(count(sample));
  return CountScaling(names, sizes, target).scale(counts);
}

TEST(CountScaling, FindsOneMonomial) {
  const auto count = [](const Sizes& s) { return s[0] * s[1] * s[2] * 2; };
  const auto found = scaled(samples({256, 256, 512}), {4096, 2048, 1000}, count);
  EXPECT_NEAR(found.value, 4096.0 * 2048 * 1000 * 2, 1);
  EXPECT_LT(found.error, 1e-9);
  EXPECT_EQ(found.formula, "2 m n o");
}

TEST(CountScaling, FindsASumOfTwo) {
  const auto count = [](const Sizes& s) { return 2 * s[0] * s[2] + 2 * s[2] * s[1]; };
  const auto found = scaled(samples({256, 256, 512}), {4096, 2048, 1024}, count);
  EXPECT_NEAR(found.value, count({4096, 2048, 1024}), 1);
  EXPECT_LT(found.error, 1e-9);
}

TEST(CountScaling, FindsASquareAndAConstant) {
  const auto square = [](const Sizes& s) { return s[0] * s[1] * s[1] / 64; };
  EXPECT_NEAR(scaled(samples({2, 256}), {64, 4096}, square).value, square({64, 4096}), 1);
  const auto offset = [](const Sizes& s) { return 3 * s[0] + 1000; };
  EXPECT_NEAR(scaled({{64}, {128}, {192}}, {8192}, offset).value, offset({8192}), 1e-3);
}

TEST(CountScaling, FindsTheCubeOfASquareProduct) {
  const auto square_product = [](const Sizes& s) { return 2 * s[0] * s[0] * s[0]; };
  const auto found = scaled({{256}, {512}, {768}}, {4096}, square_product);
  EXPECT_NEAR(found.value, square_product({4096}), 1);
  EXPECT_EQ(found.formula, "2 m^3");
  const auto tiles = [](const Sizes& s) { return s[0] * s[0] * s[0] / 32 + 2 * s[0] * s[0]; };
  EXPECT_NEAR(scaled({{256}, {512}, {768}}, {4096}, tiles).value, tiles({4096}), 1);
}

TEST(CountScaling, AGridThatIsFixedStaysSo) {
  const auto found = scaled({{256}, {512}, {1024}}, {65536}, [](const Sizes&) { return 132; });
  EXPECT_EQ(found.value, 132);
  EXPECT_EQ(found.formula, "132");
}

TEST(CountScaling, SaysHowFarOffItIsWhereNoFormulaHolds) {
  const auto limited = [](const Sizes& s) { return std::min(s[0], 528.0); };
  const auto found = scaled({{192}, {384}, {768}}, {4096}, limited);
  EXPECT_GT(found.error, 0.05);
  const auto ragged = [](const Sizes& s) { return std::ceil(s[0] / 64) * 64; };
  EXPECT_LT(scaled({{1000}, {2000}, {3000}}, {9000}, ragged).error, 0.03);
}

TEST(CountScaling, CountsThatAreNothingStayNothing) {
  const auto found = scaled(samples({64, 64}), {4096, 4096}, [](const Sizes&) { return 0; });
  EXPECT_EQ(found.value, 0);
  EXPECT_EQ(found.error, 0);
}

TEST(CountScaling, OneSampleIsTakenAsItIs) {
  const CountScaling scaling({"m"}, {{64}}, {64});
  EXPECT_EQ(scaling.scale(std::vector<double>{7}).value, 7);
  EXPECT_EQ(scaling.unknown(), "");
}

TEST(CountScaling, NamesADimensionThatNeverVaried) {
  const CountScaling scaling({"m", "n"}, {{64, 32}, {128, 32}}, {4096, 64});
  EXPECT_EQ(scaling.unknown(), "n");
}

}  // namespace
}  // namespace tritonrl::ttir
