#include "analysis/static_check.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "tests/analysis/candidate.h"

namespace tritonrl::analysis {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;
using tests::candidate;
using tests::rejections;
using tests::suspicions;

std::string honest() { return candidate("o = torch.empty_like(x)\nk[(1,)](x, o, x.numel(), B=128)\nreturn o"); }

StaticReport check(const std::string& source, Policy policy = Policy::kStrict,
                   const ReferenceProfile* reference = nullptr) {
  CheckOptions options;
  options.policy = policy;
  options.reference = reference;
  return check_source(source, options);
}

// The report

TEST(StaticCheck, AcceptsAnHonestCandidate) {
  const auto report = check(honest());
  EXPECT_TRUE(report.accepted()) << report.reason()->message;
  EXPECT_EQ(report.reason(), nullptr);
  ASSERT_EQ(report.layers.size(), 2U);
  EXPECT_EQ(report.layers[0].layer, Layer::kSyntax);
  EXPECT_EQ(report.layers[1].layer, Layer::kFunctionality);
  for (const auto& layer : report.layers) {
    EXPECT_TRUE(layer.passed);
    EXPECT_GE(layer.seconds, 0.0);
    EXPECT_LT(layer.seconds, 60.0);
  }
}

TEST(StaticCheck, StopsAtTheFirstLayerThatRejects) {
  const auto report = check("def f(:\n");
  ASSERT_EQ(report.layers.size(), 1U);
  EXPECT_FALSE(report.accepted());
  EXPECT_EQ(report.reason()->rule, "syntax-error");
}

TEST(StaticCheck, GivesTheFirstRejectionAsTheReason) {
  const auto report = check(candidate(
      "import time\ntime.time()\no = torch.empty_like(x)\nk[(1,)](x, o, x.numel(), B=128)\nreturn torch.relu(o)"));
  ASSERT_NE(report.reason(), nullptr);
  EXPECT_EQ(report.reason()->rule, "forbidden-import");
}

TEST(StaticCheck, KeepsSuspicionsOfAcceptedCandidates) {
  const std::string source = honest() + "@triton.jit\ndef unused(x):\n    tl.store(x, tl.load(x) + 1)\n";
  const auto report = check(source);
  EXPECT_TRUE(report.accepted());
  EXPECT_THAT(suspicions(report), Contains("kernel-never-launched"));
}

TEST(StaticCheck, NamesRulesOfTheCatalogue) {
  for (const std::string& source : {std::string("print 1"), std::string("x = 1"), honest(),
                                    candidate("return torch.relu(x)"), candidate("return eval('x')")}) {
    const auto report = check(source);
    for (const auto& layer : report.layers)
      for (const auto& finding : layer.findings) EXPECT_EQ(rule(finding.rule).layer, layer.layer) << finding.rule;
  }
}

// Syntax

TEST(StaticCheck, RefusesWhatIsNoCandidate) {
  EXPECT_THAT(rejections(check("")), Contains("no-kernel"));
  EXPECT_THAT(rejections(check("")), Contains("entry-missing"));
  EXPECT_THAT(rejections(check(std::string("x = 1\0", 6))), Contains("not-utf8"));
  EXPECT_THAT(rejections(check("x = '\xFF'")), Contains("not-utf8"));
  EXPECT_THAT(rejections(check(std::string(300, '('))), Contains("nesting-too-deep"));
}

TEST(StaticCheck, RefusesASourceThatIsTooLargeWhateverItHolds) {
  const std::string large = honest() + "#" + std::string(std::size_t{1} << 20, '.');
  EXPECT_THAT(rejections(check(large)), Contains("source-too-large"));
  EXPECT_THAT(rejections(check(honest() + std::string(std::size_t{1} << 20, '\n'))), Contains("source-too-large"));
  EXPECT_THAT(rejections(check("'''" + std::string(std::size_t{1} << 20, '\xFF') + "'''" + honest())),
              Contains("source-too-large"));
  const std::string nearly = honest() + "#" + std::string((std::size_t{1} << 20) - honest().size() - 1, '.');
  EXPECT_TRUE(check(nearly).accepted()) << "a mebibyte exactly is fine";
}

TEST(StaticCheck, IgnoresAByteOrderMark) { EXPECT_TRUE(check("\xEF\xBB\xBF" + honest()).accepted()); }

TEST(StaticCheck, TakesCarriageReturns) {
  std::string source;
  for (const char c : honest()) source += c == '\n' ? "\r\n" : std::string(1, c);
  EXPECT_TRUE(check(source).accepted());
}

// Positions

TEST(StaticCheck, PointsAtTheLineAndColumn) {
  const auto report =
      check(candidate("o = torch.empty_like(x)\nk[(1,)](x, o, x.numel(), B=128)\nreturn torch.relu(o)"));
  const auto* reason = report.reason();
  ASSERT_NE(reason, nullptr);
  EXPECT_EQ(reason->rule, "torch-compute");
  EXPECT_EQ(reason->where, (base::Position{tests::kFirstBodyLine + 2, 16}));
  EXPECT_EQ(reason->length, std::string_view("torch.relu(o)").size());
}

TEST(StaticCheck, CountsLinesFromTheStartOfAResponse) {
  const std::string code = candidate("o = torch.empty_like(x)\nk[(1,)](x, o, x.numel(), B=128)\nreturn torch.relu(o)");
  const std::string response = "<think>plan\nplan</think>\n\n```python\n" + code + "```\n";
  const auto report = check_response(response, {});
  ASSERT_NE(report.reason(), nullptr);
  EXPECT_EQ(report.reason()->where, (base::Position{tests::kFirstBodyLine + 2 + 4, 16}));
}

TEST(StaticCheck, SaysWhyAResponseHoldsNoCode) {
  const auto message = [](std::string_view response) { return check_response(response, {}).reason()->message; };
  EXPECT_THAT(message("Sorry."), HasSubstr("no fenced code block"));
  EXPECT_THAT(message("```python\nclass ModelNew: pass\n"), HasSubstr("not closed"));
  EXPECT_THAT(message("```python\nx = 1\n```\n"), HasSubstr("defines ModelNew"));
  EXPECT_THAT(rejections(check_response("", {})), Contains("no-code"));
}

// The entry

TEST(StaticCheck, FollowsAnotherEntry) {
  CheckOptions options;
  options.entry = "softly";
  const std::string source = std::string(tests::kHeader) +
                             "def softly(x):\n    o = torch.empty_like(x)\n    k[(1,)](x, o, 4, B=128)\n    return o\n";
  EXPECT_TRUE(check_source(source, options).accepted());
  options.entry = "harshly";
  EXPECT_THAT(rejections(check_source(source, options)), Contains("entry-missing"));
}

TEST(StaticCheck, AppliesOnlyRulesWithoutAnEntryToLibraries) {
  CheckOptions options;
  options.entry.reset();
  const std::string library = "import os\nimport socket as s\n" + candidate("return torch.relu(x)");
  for (const auto& id : rejections(check_source(library, options))) EXPECT_FALSE(rule(id).needs_entry) << id;
  EXPECT_THAT(rejections(check_source(library, options)), Not(Contains("forbidden-import")));
  EXPECT_THAT(rejections(check_source("exec('x')\n" + honest(), options)), Contains("dynamic-code"));
}

TEST(StaticCheck, LeavesNeedlessRulesOutOfLibraries) {
  CheckOptions options;
  options.entry.reset();
  for (const char* body :
       {"return torch.relu(x)", "return undefined_thing(x)", "return self.cache[x.data_ptr() % 16]", "pass"}) {
    const auto report = check_source(candidate(body), options);
    for (const auto& layer : report.layers)
      for (const auto& finding : layer.findings)
        EXPECT_FALSE(rule(finding.rule).needs_entry) << finding.rule << " for " << body;
  }
}

// Policies

constexpr std::string_view kLinearAndRelu =
    "import torch\nimport torch.nn as nn\nclass Model(nn.Module):\n    def __init__(self):\n        "
    "super().__init__()\n"
    "        self.l = nn.Linear(4, 4)\n    def forward(self, x):\n        return torch.relu(self.l(x))\n"
    "def get_inputs():\n    return [torch.rand(4)]\ndef get_init_inputs():\n    return []\n";

TEST(Policy, NamesRoundTrip) {
  for (const Policy policy : {Policy::kStrict, Policy::kCore, Policy::kAny})
    EXPECT_EQ(policy_named(policy_name(policy)), policy);
  EXPECT_FALSE(policy_named("lenient"));
  EXPECT_FALSE(policy_named(""));
}

TEST(Policy, StrictForbidsEveryComputeCoreTheMainOnesAnyNone) {
  const auto reference = profile_reference(kLinearAndRelu);
  const std::string pointwise =
      candidate("o = torch.empty_like(x)\nk[(1,)](x, o, x.numel(), B=128)\nreturn torch.relu(o)");
  const std::string main =
      candidate("o = torch.empty_like(x)\ny = torch.mm(x, x)\nk[(1,)](y, o, x.numel(), B=128)\nreturn o");
  EXPECT_THAT(rejections(check(pointwise, Policy::kStrict, &reference)), Contains("torch-compute"));
  EXPECT_TRUE(check(pointwise, Policy::kCore, &reference).accepted());
  EXPECT_TRUE(check(pointwise, Policy::kAny, &reference).accepted());
  EXPECT_THAT(rejections(check(main, Policy::kStrict, &reference)), Contains("torch-compute"));
  EXPECT_THAT(rejections(check(main, Policy::kCore, &reference)), Contains("torch-compute"));
  EXPECT_TRUE(check(main, Policy::kAny, &reference).accepted());
}

TEST(Policy, NoneAllowsResultsThatNoKernelTouched) {
  for (const Policy policy : {Policy::kStrict, Policy::kAny}) {
    EXPECT_THAT(
        rejections(check(candidate("o = torch.empty_like(x)\nk[(1,)](x, o, 4, B=128)\nreturn torch.relu(x)"), policy)),
        Contains("launch-result-unused"));
    EXPECT_THAT(rejections(check(candidate("return torch.relu(x)"), policy)), Contains("no-launch"));
  }
}

TEST(Policy, NoneAllowsTampering) {
  for (const Policy policy : {Policy::kStrict, Policy::kAny}) {
    EXPECT_THAT(
        rejections(check(
            "torch_allclose = None\n" +
                candidate(
                    "torch.allclose = lambda *a: True\no = torch.empty_like(x)\nk[(1,)](x, o, 4, B=128)\nreturn o"),
            policy)),
        Contains("patches-module"));
  }
}

// The same question, the same answer

TEST(StaticCheck, AnswersTheSameTwice) {
  const std::string source = candidate(
      "import gc\nself.n = getattr(self, 'n', 0) + 1\nif self.n > 3:\n    return x\no = "
      "torch.empty_like(x)\nk[(1,)](x, o, 4, B=128)\nreturn torch.relu(o)");
  const auto once = tests::describe(check(source));
  for (int i = 0; i < 5; ++i) EXPECT_EQ(tests::describe(check(source)), once);
}

}  // namespace
}  // namespace tritonrl::analysis
