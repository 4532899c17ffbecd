#include "synth/faults.h"

#include <gtest/gtest.h>

#include <map>

#include "analysis/response.h"
#include "analysis/static_check.h"
#include "synth/teacher.h"

namespace tritonrl::synth {
namespace {

std::map<std::string, int> fault_kinds(const TeacherConfig& config, int& samples) {
  std::map<std::string, int> kinds;
  samples = 0;
  for (std::uint64_t index = 0; index < 600; ++index) {
    for (const auto& sample : teach(config, index).samples) {
      ++samples;
      for (const auto& fault : sample.faults) ++kinds[fault.substr(0, fault.find(':'))];
    }
  }
  return kinds;
}

TEST(Faults, RatesAreKept) {
  TeacherConfig config;
  config.make_no_faults();
  config.slips = 0.2;
  config.cheats = 0.1;
  config.broken_format = 0.05;
  int samples = 0;
  auto kinds = fault_kinds(config, samples);
  EXPECT_NEAR(static_cast<double>(kinds["cheat"]) / samples, 0.1, 0.02);
  EXPECT_NEAR(static_cast<double>(kinds["slip"]) / samples, 0.2 * 0.9, 0.03);
  EXPECT_NEAR(static_cast<double>(kinds["format"]) / samples, 0.05, 0.02);
  EXPECT_EQ(kinds["misconception"], 0);
}

TEST(Faults, CheatsAreOfTheKindsThatAreWanted) {
  TeacherConfig config;
  config.make_no_faults();
  config.cheats = 1;
  config.samples = 1;
  config.cheat_kinds = {"torch"};
  for (std::uint64_t index = 0; index < 20; ++index) {
    EXPECT_EQ(teach(config, index).samples.front().faults, std::vector<std::string>{"cheat: torch"});
  }
}

TEST(Faults, NoneAreMadeWhenNoneAreWanted) {
  TeacherConfig config;
  config.make_no_faults();
  int samples = 0;
  EXPECT_TRUE(fault_kinds(config, samples).empty());
}

TEST(Faults, AMisconceivedIdiomIsWrongInMostOfItsUsesAndRightInSome) {
  TeacherConfig config;
  config.make_no_faults();
  config.misconceptions = 0.7;
  std::map<std::string_view, std::pair<int, int>> uses;  // wrong, all
  for (std::uint64_t index = 0; index < 1500; ++index) {
    TeacherConfig right = config;
    right.misconceptions = 0;
    const auto wrong_task = teach(config, index);
    const auto right_task = teach(right, index);
    for (std::size_t n = 0; n < wrong_task.samples.size(); ++n) {
      const auto& faults = wrong_task.samples[n].faults;
      for (const Fault& idiom : misconceptions()) {
        const bool wrong = std::ranges::count(faults, "misconception: " + std::string(idiom.name)) > 0;
        if (wrong) ++uses[idiom.name].first;
        if (wrong || right_task.samples[n].response == wrong_task.samples[n].response) ++uses[idiom.name].second;
      }
    }
  }
  for (const Fault& idiom : misconceptions()) EXPECT_GT(uses[idiom.name].first, 0) << idiom.name;
  // One idiom alone: its share is the configured one.
  std::string code = "v = tl.where(v > 20.0, v, libdevice.log1p(tl.exp(v)))\n";
  int wrong = 0;
  for (std::uint64_t n = 0; n < 1000; ++n) {
    base::Random random(1, n);
    std::string copy = code;
    wrong += apply_misconceptions(copy, Dtype::kFloat32, 0.7, random).empty() ? 0 : 1;
  }
  EXPECT_GE(wrong, 650);
  EXPECT_LE(wrong, 750);
}

TEST(Faults, EverySlipFitsSomeSampleAndChangesItsCode) {
  std::map<std::string, int> seen;
  TeacherConfig config;
  config.make_no_faults();
  config.slips = 1;
  for (std::uint64_t index = 0; index < 1500; ++index) {
    for (const auto& sample : teach(config, index).samples)
      for (const auto& fault : sample.faults) ++seen[fault];
  }
  for (const Fault& slip : slips()) EXPECT_GT(seen["slip: " + std::string(slip.name)], 0) << slip.name;
}

TEST(Faults, CheatsAndBrokenFormatsAreRejectedByTheStaticLayers) {
  for (const bool cheats : {true, false}) {
    TeacherConfig config;
    config.make_no_faults();
    (cheats ? config.cheats : config.broken_format) = 1;
    config.samples = 1;
    for (std::uint64_t index = 0; index < 300; ++index) {
      const auto task = teach(config, index);
      const auto profile = analysis::profile_reference(task.task.source);
      const auto report = analysis::check_response(task.samples.front().response, {.reference = &profile});
      EXPECT_FALSE(report.accepted()) << task.samples.front().faults.front() << "\n" << task.samples.front().response;
    }
  }
}

}  // namespace
}  // namespace tritonrl::synth
