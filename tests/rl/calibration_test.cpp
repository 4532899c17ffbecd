#include "rl/calibration.h"

#include <gtest/gtest.h>

#include <cmath>

namespace tritonrl::rl {
namespace {

using base::Json;

Json verdict(double speedup, const char* kind) {
  return {{"accepted", true}, {"speedup", {{"value", speedup}, {"kind", kind}}}};
}

Group group_of(const std::vector<std::pair<double, double>>& pairs) {
  Group group;
  for (const auto& [modelled, measured] : pairs) {
    Sample& sample = group.samples.emplace_back();
    sample.verdict = verdict(modelled, "modelled");
    sample.audit = verdict(measured, "measured");
  }
  return group;
}

TEST(Calibration, ScalesNothingBeforeItHasSeenEnough) {
  Calibration calibration;
  calibration.see(std::vector{group_of({{1, 2}, {2, 4}})});
  EXPECT_EQ(calibration.pairs(), 2U);
  EXPECT_EQ(calibration.factor(), 1);
  EXPECT_TRUE(std::isnan(calibration.rank_correlation()));
}

TEST(Calibration, FindsTheMedianRatio) {
  Calibration calibration;
  calibration.see(std::vector{
      group_of({{1, 0.8}, {2, 1.6}, {3, 2.4}, {0.5, 0.4}, {1.5, 1.2}, {2.5, 2}, {1.2, 9}, {1.1, 0.88}, {0.7, 0.56}})});
  EXPECT_NEAR(calibration.factor(), 0.8, 1e-9);
  EXPECT_NEAR(calibration.error(), 1, 1e-9);
  EXPECT_GT(calibration.rank_correlation(), 0.5);
}

TEST(Calibration, KnowsAnOrderFromItsReverse) {
  Calibration calibration;
  calibration.see(std::vector{group_of({{1, 3}, {2, 2}, {3, 1}})});
  EXPECT_NEAR(calibration.rank_correlation(), -1, 1e-9);
}

TEST(Calibration, TakesPairsOfOneModelledAndOneMeasuredSpeedAlone) {
  Calibration calibration;
  Group group = group_of({{1, 2}, {1, 2}, {1, 2}, {1, 2}});
  group.samples[0].audit = Json();                  // was not audited
  group.samples[1].audit = verdict(2, "modelled");  // on no GPU
  group.samples[2].audit["accepted"] = false;       // and has no speed that counts
  group.samples[3].verdict["speedup"]["value"] = 0;
  calibration.see(std::vector{group});
  EXPECT_EQ(calibration.pairs(), 0U);
}

TEST(Calibration, GoesOnFromWhatWasSaved) {
  Calibration first;
  first.see(std::vector(20, group_of({{1, 2}, {1, 3}, {2, 3}, {1, 4}})));
  EXPECT_EQ(first.pairs(), 64U);
  Calibration second;
  second.go_on_from(Json::parse(first.saved().dump()));
  EXPECT_EQ(second.factor(), first.factor());
  EXPECT_EQ(second.error(), first.error());
}

}  // namespace
}  // namespace tritonrl::rl
