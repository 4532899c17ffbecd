#include "verify/verdict_facts.h"

#include <gtest/gtest.h>

#include "base/error.h"

namespace tritonrl::verify {
namespace {

using base::Json;

TEST(VerdictFacts, CallWhatIsWrongValidAsFarAsItsLayersGot) {
  const Json layers = {{{"name", "syntax"}, {"passed", true}},
                       {{"name", "functionality"}, {"passed", true}},
                       {{"name", "correct"}, {"passed", false}}};
  const Json wrong = {{"accepted", false}, {"valid", nullptr}, {"reason", "wrong-result"}, {"layers", layers}};
  EXPECT_TRUE(read_facts(wrong, {}).valid);
  EXPECT_EQ(read_facts(wrong, {}).reason, "wrong-result");
  Json cheat = wrong;
  cheat["layers"][1]["passed"] = false;
  EXPECT_FALSE(read_facts(cheat, {}).valid);
  cheat = wrong;
  cheat["valid"] = false;
  EXPECT_FALSE(read_facts(cheat, {}).valid);
}

TEST(VerdictFacts, OfWrongResultsHaveNoSpeed) {
  Json verdict = {{"accepted", false}, {"compiled", true}, {"correct", false}, {"speedup", {{"value", 3.0}}}};
  EXPECT_EQ(read_facts(verdict, {}).speedup, 0);
  verdict["correct"] = true;  // and rejected for something else
  EXPECT_EQ(read_facts(verdict, {}).speedup, 3);
  EXPECT_FALSE(read_facts(verdict, {}).accepted);
}

TEST(VerdictFacts, WhatDoesNotCompileHasNoRightResults) {
  Json verdict = {{"accepted", false}, {"compiled", true}, {"correct", true}};
  EXPECT_TRUE(read_facts(verdict, {}).right_results);
  verdict["compiled"] = false;
  EXPECT_FALSE(read_facts(verdict, {}).right_results);
}

TEST(VerdictFacts, AreNotMadeOfAMachinesFailure) {
  EXPECT_THROW(read_facts(Json{{"error", "no memory"}}, {}), base::InputError);
}

}  // namespace
}  // namespace tritonrl::verify
