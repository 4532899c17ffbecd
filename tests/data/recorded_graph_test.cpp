#include "data/recorded_graph.h"

#include <gtest/gtest.h>

namespace tritonrl::data {
namespace {

using base::Json;

Json op(const char* name, const std::vector<int>& reads) { return {{"name", name}, {"reads", reads}, {"rank", 2}}; }

TEST(RecordedGraph, LeavesOutWhatOnlyMovesData) {
  const Json recorded = Json::array({op("T", {}), op("linear", {-1}), op("reshape", {1}), op("__getitem__", {2}),
                                     op("relu", {3}), op("contiguous", {4})});
  EXPECT_EQ(graph_of_recording(recorded).text(), "linear:-1 relu:0");
}

TEST(RecordedGraph, OneNameForOneOperator) {
  const Json recorded = Json::array({op("__radd__", {-1}), op("add_", {0}), op("__truediv__", {1, -2}),
                                     op("__rsub__", {2}), op("__matmul__", {3, -1}), op("bmm", {4, -1})});
  EXPECT_EQ(graph_of_recording(recorded).text(), "add:-1 add:0 div:1,-2 sub:2 matmul:3,-1 matmul:4,-1");
}

TEST(RecordedGraph, WhatReadsNoInputIsAConstant) {
  const Json recorded = Json::array({op("ones", {}), op("tril", {0}), op("mul", {-1, 1})});
  EXPECT_EQ(graph_of_recording(recorded).text(), "mul:-1");
}

}  // namespace
}  // namespace tritonrl::data
