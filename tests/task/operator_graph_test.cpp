#include "task/operator_graph.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"

namespace tritonrl::task {
namespace {

using testing::ElementsAre;
using testing::Pair;

TEST(OperatorGraph, ReadsItsOwnText) {
  const std::string text = "linear:-1 relu:0 add:1,-1";
  EXPECT_EQ(OperatorGraph::parse(text).text(), text);
  EXPECT_TRUE(OperatorGraph::parse("").empty());
}

TEST(OperatorGraph, RefusesWordsThatMakeNoSense) {
  for (const char* text : {"relu", ":1", "relu:0", "relu:x", "relu:-1 add:0,1"}) {
    EXPECT_THROW(OperatorGraph::parse(text), base::InputError) << text;
  }
}

TEST(OperatorGraph, OneOperatorIsLevelOne) { EXPECT_EQ(OperatorGraph::parse("softmax:-1").level(), 1); }

TEST(OperatorGraph, AProductWithItsNeighboursIsLevelTwo) {
  EXPECT_EQ(OperatorGraph::parse("linear:-1 gelu:0 add:1,-1").level(), 2);
}

TEST(OperatorGraph, TwoProductsAreAModel) {
  EXPECT_EQ(OperatorGraph::parse("linear:-1 relu:0 linear:1").level(), 3);
  EXPECT_EQ(OperatorGraph::parse("conv2d:-1 conv2d:0").level(), 3);
}

TEST(OperatorGraph, ManyOperatorsAreAModel) {
  std::string text = "relu:-1";
  for (int n = 0; n < 12; ++n) text += " relu:" + std::to_string(n);
  EXPECT_EQ(OperatorGraph::parse(text).level(), 3);
}

TEST(OperatorGraph, PairsAreWhoReadsWhom) {
  EXPECT_THAT(OperatorGraph::parse("linear:-1 relu:0 add:1,0").adjacent_pairs(),
              ElementsAre(Pair("linear", "add"), Pair("linear", "relu"), Pair("relu", "add")));
}

TEST(OperatorGraph, CompositionKnowsNoOrder) {
  EXPECT_EQ(OperatorGraph::parse("relu:-1 exp:0").composition(), OperatorGraph::parse("exp:-1 relu:0").composition());
}

}  // namespace
}  // namespace tritonrl::task
