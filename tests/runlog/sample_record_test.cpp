#include "runlog/sample_record.h"

#include <gtest/gtest.h>

#include "tests/base/temporary_folder.h"

namespace tritonrl::runlog {
namespace {

TEST(SampleRecord, ReadsBackWhatWasWritten) {
  const tests::TemporaryFolder folder;
  const SampleRecord record{.task = "level1/23",
                            .level = 1,
                            .sample = 3,
                            .policy_step = 7,
                            .prompt = "write",
                            .response = "<think>tile</think>code",
                            .token_ids = {5, 6, 7},
                            .classes = "ppc",
                            .logprobs = {-0.5F, -0.25F, 0.0F},
                            .advantages = {0.5F, 0.5F, -1.0F},
                            .finish = "stop",
                            .reward_correct = 1,
                            .reward_speedup = 1.84,
                            .verdict = {{"accepted", true}},
                            .audit = {{"accepted", false}}};
  const auto file = folder.path() / "step-000007.jsonl";
  write_samples(file, {record, record});
  const auto read = read_samples(file);
  ASSERT_EQ(read.size(), 2U);
  EXPECT_EQ(read[1].json(), record.json());
  EXPECT_EQ(record.json().at("plan_tokens"), 2);
}

}  // namespace
}  // namespace tritonrl::runlog
