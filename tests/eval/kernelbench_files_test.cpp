#include "eval/kernelbench_files.h"

#include <gtest/gtest.h>

#include <memory>

#include "base/file.h"
#include "tests/base/temporary_folder.h"
#include "verify/kernelbench_run.h"

namespace tritonrl::eval {
namespace {

using base::Json;

Json verdict(bool accepted) {
  return {{"accepted", accepted}, {"stage", "correct"}, {"reason", accepted ? Json() : Json("wrong-result")},
          {"compiled", true},     {"speedup", nullptr}, {"provenance", {{"profile", "h200"}}}};
}

verify::Candidate candidate(const std::string& id, int level, std::int64_t sample, const std::string& text) {
  task::Task task;
  task.id = id;
  task.level = level;
  return {.task = std::make_shared<task::Task>(task), .sample = sample, .text = text, .response = true};
}

const std::string kResponse = "<think>tile</think>\n```python\nclass ModelNew:\n    pass\n```\n";

TEST(KernelBenchFiles, AreReadBackAsARun) {
  const tests::TemporaryFolder folder;
  const std::vector<verify::Candidate> candidates = {candidate("level1/23", 1, 0, kResponse),
                                                     candidate("level1/23", 1, 1, kResponse),
                                                     candidate("level2/7", 2, 0, "no code")};
  write_kernelbench_files(folder.path(), candidates, {verdict(true), verdict(false), verdict(false)});
  std::vector<std::string> asked;
  const auto run = verify::read_run(folder.path() / "level1", [&](const std::string& id) {
    asked.push_back(id);
    return candidates[0].task;
  });
  EXPECT_EQ(asked, (std::vector<std::string>{"level1/23", "level1/23"}));
  EXPECT_EQ(run[0].text, "class ModelNew:\n    pass\n");
  const Json results = Json::parse(base::read_file(folder.path() / "level1" / "eval_results.json"));
  EXPECT_EQ(results.at("23").at(0).at("correctness"), true);
  EXPECT_EQ(results.at("23").at(1).at("sample_id"), 1);
  EXPECT_TRUE(std::filesystem::exists(folder.path() / "level2" / "level_2_problem_7_sample_0_kernel.py"));
}

TEST(KernelBenchFiles, NumberTasksOfOtherSuites) {
  const tests::TemporaryFolder folder;
  write_kernelbench_files(folder.path(), {candidate("softmax", 1, 0, kResponse), candidate("gelu", 1, 0, kResponse)},
                          {verdict(true), verdict(true)});
  const Json problems = Json::parse(base::read_file(folder.path() / "level1" / "problems.json"));
  EXPECT_EQ(problems, (Json{{"1", "gelu"}, {"2", "softmax"}}));
}

}  // namespace
}  // namespace tritonrl::eval
