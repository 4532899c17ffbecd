#include "rl/audit.h"

#include <gtest/gtest.h>

namespace tritonrl::rl {
namespace {

// Rejects every `rejected`-th candidate.
class CountingJudge final : public Judge {
 public:
  explicit CountingJudge(int rejected) : rejected_(rejected) {}
  void submit(verify::Candidate /*candidate*/) override { ++waiting_; }
  std::vector<base::Json> collect() override {
    std::vector<base::Json> verdicts;
    for (; waiting_ > 0; --waiting_) {
      ++count_;
      verdicts.push_back({{"accepted", rejected_ == 0 || count_ % rejected_ != 0}});
    }
    return verdicts;
  }

 private:
  int rejected_;
  int count_ = 0;
  int waiting_ = 0;
};

std::vector<Group> groups_of(int samples, bool correct) {
  Group group;
  group.samples.resize(static_cast<std::size_t>(samples));
  for (Sample& sample : group.samples) sample.outcome.valid = sample.outcome.correct = correct;
  return {group};
}

std::shared_ptr<const task::Task> some_task(const Sample& /*sample*/) { return std::make_shared<task::Task>(); }

Audit audit_of(double share, int rejected) {
  const auto judge = std::make_shared<CountingJudge>(rejected);
  return {{.share = share}, [judge]() -> Judge& { return *judge; }};
}

std::vector<Group> check(Audit& audit, std::int64_t step, int samples, bool correct = true) {
  auto groups = groups_of(samples, correct);
  audit.check(step, groups, some_task);
  return groups;
}

TEST(Audit, ChecksItsShareOfAcceptedSamples) {
  Audit audit = audit_of(0.1, 0);
  for (int step = 0; step < 20; ++step) check(audit, step, 100);
  EXPECT_NEAR(static_cast<double>(audit.checked()), 200, 45);
  EXPECT_FALSE(audit.failed());
  Audit wrong = audit_of(1, 0);
  check(wrong, 0, 100, false);
  EXPECT_EQ(wrong.checked(), 0);
}

TEST(Audit, DrawsTheSameOfAStepAgain) {
  Audit first = audit_of(0.3, 0);
  Audit second = audit_of(0.3, 0);
  check(first, 7, 50);
  check(second, 7, 50);
  EXPECT_EQ(first.checked(), second.checked());
}

TEST(Audit, FailsAboveItsShareOnceThereWereEnough) {
  Audit audit = audit_of(1, 3);
  check(audit, 0, 3);
  EXPECT_EQ(audit.disagreed(), 1);
  EXPECT_FALSE(audit.failed()) << "1 of 3 says little";
  check(audit, 1, 6);
  EXPECT_TRUE(audit.failed()) << "3 of 9";

  Audit rare = audit_of(1, 100);
  check(rare, 0, 1000);
  EXPECT_EQ(rare.disagreed(), 10);
  EXPECT_FALSE(rare.failed()) << "1 % is not above 1 %";
  rare.go_on_from(999, 10);
  EXPECT_TRUE(rare.failed());
}

TEST(Audit, LeavesTheSecondVerdictWithTheSample) {
  Audit audit = audit_of(1, 2);
  const auto groups = check(audit, 0, 4);
  EXPECT_EQ(groups[0].samples[0].audit.at("accepted"), true);
  EXPECT_EQ(groups[0].samples[1].audit.at("accepted"), false);
}

}  // namespace
}  // namespace tritonrl::rl
