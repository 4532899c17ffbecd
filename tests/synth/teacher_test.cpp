#include "synth/teacher.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "analysis/static_check.h"
#include "base/error.h"
#include "synth/families.h"
#include "task/dimensions.h"
#include "task/reference.h"

namespace tritonrl::synth {
namespace {

using ::testing::HasSubstr;

TEST(Teacher, TheSameSeedMakesTheSameBytes) {
  TeacherConfig config;
  config.seed = 9;
  for (std::uint64_t index = 0; index < 100; ++index) {
    const auto one = teach(config, index);
    const auto two = teach(config, index);
    EXPECT_EQ(task::task_row(one.task), task::task_row(two.task));
    ASSERT_EQ(one.samples.size(), two.samples.size());
    for (std::size_t n = 0; n < one.samples.size(); ++n) EXPECT_EQ(to_json(one.samples[n]), to_json(two.samples[n]));
  }
  const auto first = teach(config, 0);
  config.seed = 10;
  EXPECT_NE(task::task_row(teach(config, 0).task), task::task_row(first.task));
}

TEST(Teacher, KnowsThousandsOfDifferentTasks) {
  const auto counts = count_distinct(0, 1500);
  const std::map<int, std::uint64_t> goals = {{1, 10000}, {2, 5000}, {3, 500}};
  for (const auto& [level, families] : counts) {
    EXPECT_GE(balanced_count(families, 0.15), goals.at(level)) << "level " << level;
  }
}

TEST(Teacher, EveryTaskIsAReferenceWithItsDimensionsAndVariants) {
  TeacherConfig config;
  config.samples = 1;
  for (std::uint64_t index = 0; index < 500; ++index) {
    const auto task = teach(config, index).task;
    const auto tree = task::parse_reference(task.source, {.file = task.id});
    task::check_dimensions(task, tree);
    EXPECT_EQ(task::find_dimensions(tree).size(), task.dims.size()) << task.source;
    EXPECT_EQ(task.variants.size(), 3U);
    for (const auto& variant : task.variants) EXPECT_NE(task::rewritten_source(task, variant), task.source);
  }
}

TEST(Teacher, NothingThatIsFlatAfarFollowsWhatIsFarFromZero) {
  TeacherConfig config;
  config.families = {"row_reduction",   "column_reduction", "softmax",      "linear_rows",
                     "reduction_chain", "column_chain",     "softmax_chain"};
  int seen = 0;
  for (std::uint64_t index = 0; index < 2000; ++index) {
    const std::string source = teach(config, index).task.source;
    for (const char* far :
         {"= torch.log_softmax(", "= torch.logsumexp(", "= torch.sum(", "= torch.amax(", "= torch.amin("}) {
      const auto at = source.find(far);
      if (at == std::string::npos) continue;
      ++seen;
      for (const char* flat : {"clamp", "hardswish", "hardsigmoid", "relu6", "torch.tanh", "torch.sigmoid"})
        EXPECT_EQ(source.find(flat, at), std::string::npos) << flat << " in " << source;
    }
  }
  EXPECT_GT(seen, 500);
}

TEST(Teacher, FaultFreeResponsesPassTheStaticLayers) {
  TeacherConfig config;
  config.make_no_faults();
  for (const Family& family : families()) {
    config.families = {std::string(family.name)};
    for (std::uint64_t index = 0; index < 10; ++index) {
      const auto task = teach(config, index);
      const auto profile = analysis::profile_reference(task.task.source);
      for (const auto& sample : task.samples) {
        const auto report = analysis::check_response(sample.response, {.reference = &profile});
        EXPECT_TRUE(report.accepted()) << (report.reason() != nullptr ? report.reason()->message : "") << "\n"
                                       << sample.response;
      }
    }
  }
}

TEST(Teacher, CompactResponsesAreShortAndPassTheStaticLayers) {
  TeacherConfig config;
  config.make_no_faults();
  config.compact = true;
  std::set<std::string> families;
  for (std::uint64_t index = 0; index < 200; ++index) {
    const auto task = teach(config, index);
    families.insert(task.family);
    const auto profile = analysis::profile_reference(task.task.source);
    for (const auto& sample : task.samples) {
      EXPECT_LT(sample.response.size(), 1300U) << sample.response;
      const std::size_t comment = sample.response.find("\n    # ");
      if (comment != std::string::npos) {  // it names a step of the plan
        const std::size_t from = comment + 7;
        const std::string words = sample.response.substr(from, sample.response.find('\n', from) - from);
        EXPECT_LT(sample.response.find(words), sample.response.find("</think>")) << sample.response;
      }
      EXPECT_TRUE(analysis::check_response(sample.response, {.reference = &profile}).accepted()) << sample.response;
    }
  }
  EXPECT_EQ(families.size(), compact_families().size());
}

TEST(Teacher, ResponsesDifferInWordsAndStyle) {
  TeacherConfig config;
  config.make_no_faults();
  config.samples = 40;
  std::set<std::string> responses;
  for (const auto& sample : teach(config, 3).samples) responses.insert(sample.response);
  EXPECT_GE(responses.size(), 38U);
}

TEST(Teacher, RefusesWhatIsNoConfiguration) {
  const auto refusal = [](auto change) -> std::string {
    TeacherConfig config;
    change(config);
    try {
      check(config);
    } catch (const base::InputError& error) {
      return error.what();
    }
    return "accepted";
  };
  EXPECT_THAT(refusal([](TeacherConfig& c) { c.slips = 1.5; }), HasSubstr("slips is 1.5"));
  EXPECT_THAT(refusal([](TeacherConfig& c) { c.cheats = -0.1; }), HasSubstr("between 0 and 1"));
  EXPECT_THAT(refusal([](TeacherConfig& c) { c.cheat_kinds = {"torch", "magic"}; }), HasSubstr("no cheat 'magic'"));
  EXPECT_THAT(refusal([](TeacherConfig& c) { c.cheat_kinds = {}; }), HasSubstr("cheat_kinds is empty"));
  EXPECT_THAT(refusal([](TeacherConfig& c) { c.levels = {1.0}; }), HasSubstr("three shares"));
  EXPECT_THAT(refusal([](TeacherConfig& c) { c.levels = {0, 0, 0}; }), HasSubstr("not all of them zero"));
  EXPECT_THAT(refusal([](TeacherConfig& c) { c.families = {"softmaxx"}; }), HasSubstr("did you mean 'softmax'"));
  EXPECT_THAT(refusal([](TeacherConfig& c) { c.samples = -1; }), HasSubstr("negative"));
  EXPECT_THAT(refusal([](TeacherConfig& c) {
                c.compact = true;
                c.families = {"attention"};
              }),
              HasSubstr("attention has no compact kernels"));
  EXPECT_EQ(refusal([](TeacherConfig&) {}), "accepted");
}

}  // namespace
}  // namespace tritonrl::synth
