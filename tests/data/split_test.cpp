#include "data/split.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace tritonrl::data {
namespace {

using testing::Contains;
using testing::Not;

std::vector<task::Task> many_tasks() {
  const std::vector<std::string> names = {"relu", "exp", "tanh", "softmax", "linear", "mul"};
  std::vector<task::Task> tasks;
  const auto add = [&](std::string graph, std::int64_t size) {
    task::Task task;
    task.id = "t" + std::to_string(tasks.size());
    task.source = "# " + task.id;
    task.graph = std::move(graph);
    task.dims = {{"N", size}};
    tasks.push_back(std::move(task));
  };
  for (const auto& first : names) {
    for (const auto& second : names) {
      for (const std::int64_t size : {64, 128, 256}) add(first + ":-1 " + second + ":0", size);
    }
  }
  add("relu:-1 exp:0 tanh:1", 64);
  return tasks;
}

TEST(Split, PartsHaveNoTaskAndButForSizesNoGraphInCommon) {
  const auto tasks = many_tasks();
  const Split split = split_tasks(tasks, {});
  EXPECT_EQ(split.train.size() + split.dev.size() + split.test.size(), tasks.size());
  std::set<std::string> ids;
  std::set<std::string> trained;
  for (const auto& task : split.train) {
    ids.insert(task.id);
    trained.insert(task.graph);
  }
  for (const auto& task : split.dev) {
    ids.insert(task.id);
    EXPECT_THAT(trained, Not(Contains(task.graph)));
  }
  for (const auto& each : split.test) {
    ids.insert(each.task.id);
    EXPECT_TRUE(!trained.contains(each.task.graph) || each.slices == std::vector<std::string>{"unseen-size"});
  }
  EXPECT_EQ(ids.size(), tasks.size());
}

TEST(Split, OneGraphOfManyTasksDoesNotFillDev) {
  auto tasks = many_tasks();
  const task::Task often = tasks.front();
  for (int n = 0; n < 100; ++n) {
    tasks.push_back(often);
    tasks.back().id = "often/" + std::to_string(n);
  }
  const Split split = split_tasks(tasks, {.dev_share = 0.05, .test_share = 0.1, .seed = 3});
  EXPECT_LE(split.dev.size(), tasks.size() / 20 + 1);
  EXPECT_GT(split.dev.size(), tasks.size() / 40);
  EXPECT_FALSE(split_tasks({often, often}, {.dev_share = 0.4, .test_share = 0}).dev.empty())
      << "too many is all there is";
}

TEST(Split, TheTestHasAllFourSlices) {
  const auto counts = split_tasks(many_tasks(), {}).json().at("test_slices");
  for (const char* slice : {"unseen-size", "unseen-composition", "unseen-pair", "longer"}) {
    EXPECT_GT(counts.at(slice).get<int>(), 0) << slice;
  }
  EXPECT_EQ(counts.at("none").get<int>(), 0);
}

TEST(Split, ProgramsWithoutAGraphAreHeldOutByTheirTreeAndBySize) {
  std::vector<task::Task> tasks = many_tasks();
  for (auto& task : tasks) {
    task.source = "# " + task.graph;
    task.graph.clear();
  }
  const Split split = split_tasks(tasks, {.dev_share = 0.05, .test_share = 0.1, .seed = 3});
  std::set<std::string> tested;
  for (const auto& each : split.test) tested.insert(each.task.source);
  for (const auto& task : split.dev) EXPECT_THAT(tested, Not(Contains(task.source))) << "a program of dev and test";
  const auto counts = split.json().at("test_slices");
  EXPECT_GT(counts.at("unseen-size").get<int>(), 0);
  EXPECT_GT(counts.at("unseen-composition").get<int>(), 0);
  EXPECT_EQ(counts.at("none").get<int>(), 0);
}

TEST(Split, IsTheSameInWhateverOrderTasksCome) {
  auto tasks = many_tasks();
  const auto ids = [](const Split& split) {
    std::vector<std::string> found;
    for (const auto& task : split.train) found.push_back(task.id);
    return found;
  };
  const auto first = ids(split_tasks(tasks, {.seed = 3}));
  std::ranges::reverse(tasks);
  auto second = ids(split_tasks(tasks, {.seed = 3}));
  EXPECT_EQ(first, second);
}

}  // namespace
}  // namespace tritonrl::data
