#include "data/task_rows.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "base/json.h"
#include "data/overlap.h"
#include "tests/base/temporary_folder.h"

namespace tritonrl::data {
namespace {

using testing::ElementsAre;

constexpr const char* kSource = R"(import torch
N = 32
class Model(torch.nn.Module):
    def forward(self, x):
        return torch.relu(x)
def get_inputs():
    return [torch.rand(N)]
def get_init_inputs():
    return []
)";

std::vector<std::string> reasons_of(const std::vector<TaskRow>& rows) {
  std::vector<std::string> reasons;
  for (const auto& row : rows) {
    const auto* problem = std::get_if<Problem>(&row.content);
    reasons.push_back(problem == nullptr ? "" : problem->reason);
  }
  return reasons;
}

TEST(TaskRows, BadRowsAreProblemsAndTheRestGoesOn) {
  const tests::TemporaryFolder folder;
  const auto file = folder.path() / "rows.jsonl";
  std::ofstream(file) << base::json_line({{"id", "a"}, {"source", kSource}}) << '\n'
                      << "{not json\n"
                      << base::json_line({{"id", "a"}, {"source", kSource}}) << '\n'
                      << base::json_line({{"id", "b"}, {"source", "def ("}}) << '\n'
                      << base::json_line({{"id", "c"}, {"source", "x = 1\n"}}) << '\n'
                      << base::json_line({{"id", "d"}, {"text", "?"}}) << '\n'
                      << base::json_line({{"python_code", kSource}, {"entry_point", "Absent"}}) << '\n'
                      << base::json_line({{"code", kSource}, {"level", 1}, {"problem_id", 19}, {"name", "19_ReLU"}})
                      << '\n'
                      << "[1, 2]\n";
  const auto rows = read_task_rows(file, {});
  EXPECT_THAT(reasons_of(rows), ElementsAre("", "bad-row", "duplicate-id", "not-python", "not-a-task", "bad-row",
                                            "no-entry-point", "", "bad-row"));
  EXPECT_EQ(rows[7].id, "level1/19");
  EXPECT_EQ(rows[1].where.line, 2U);
}

TEST(TaskRows, OfAFolderThatGivesAnIdTwiceTheFirstIsKept) {
  const tests::TemporaryFolder folder;
  std::filesystem::create_directories(folder.path() / "level1");
  std::ofstream(folder.path() / "level1/1_A.py") << kSource;
  std::ofstream(folder.path() / "level1/1_B.py") << kSource;
  std::ofstream(folder.path() / "level1/2_C.py") << "x = 1\n";
  EXPECT_THAT(reasons_of(read_task_rows(folder.path(), {})), ElementsAre("", "duplicate-id", "not-a-task"));
}

TEST(TaskRows, WhatIsNoSourceIsOneError) {
  const tests::TemporaryFolder folder;
  std::ofstream(folder.path() / "empty.jsonl") << "\n";
  std::ofstream(folder.path() / "notes.txt") << "hello\n";
  EXPECT_THROW(read_task_rows(folder.path() / "absent.jsonl", {}), base::InputError);
  EXPECT_THROW(read_task_rows(folder.path() / "empty.jsonl", {}), base::InputError);
  EXPECT_THROW(read_task_rows(folder.path() / "notes.txt", {}), base::InputError);
}

TEST(TaskIndex, FindsTheSameProblemByTreeAndByGraph) {
  task::Task first;
  first.source = kSource;
  first.graph = "relu:-1";
  TaskIndex index;
  index.add("suite:first", first);
  task::Task renamed = first;
  renamed.id = "other";
  renamed.source.replace(renamed.source.find("(self, x)"), 9, "(self, y)");
  renamed.source.replace(renamed.source.find("relu(x)"), 7, "relu(y)");
  EXPECT_EQ(index.find(renamed)->by, "tree");
  task::Task method = first;
  method.source.replace(method.source.find("torch.relu(x)"), 13, "x.relu()");
  EXPECT_EQ(index.find(method)->by, "graph");
  EXPECT_EQ(index.find(method)->with, "suite:first");
  method.graph = "gelu:-1";
  EXPECT_FALSE(index.find(method));
}

}  // namespace
}  // namespace tritonrl::data
