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
  for (Sample& sample : group.samples) sample.outcome.correct = correct;
  return {group};
}

std::shared_ptr<const task::Task> some_task(const Sample& /*sample*/) { return std::make_shared<task::Task>(); }

Audit audit_of(double share, int rejected) {
  const auto judge = std::make_shared<CountingJudge>(rejected);
  return {{.share = share}, [judge]() -> Judge& { return *judge; }};
}

TEST(Audit, ChecksItsShareOfAcceptedSamples) {
  Audit audit = audit_of(0.1, 0);
  for (int step = 0; step < 20; ++step) audit.check(step, groups_of(100, true), some_task);
  EXPECT_NEAR(static_cast<double>(audit.checked()), 200, 45);
  EXPECT_FALSE(audit.failed());
  Audit wrong = audit_of(1, 0);
  wrong.check(0, groups_of(100, false), some_task);
  EXPECT_EQ(wrong.checked(), 0);
}

TEST(Audit, DrawsTheSameOfAStepAgain) {
  Audit first = audit_of(0.3, 0);
  Audit second = audit_of(0.3, 0);
  first.check(7, groups_of(50, true), some_task);
  second.check(7, groups_of(50, true), some_task);
  EXPECT_EQ(first.checked(), second.checked());
}

TEST(Audit, FailsWhereDisagreementIsSurelyTooMuch) {
  Audit audit = audit_of(1, 10);
  audit.check(0, groups_of(10, true), some_task);
  EXPECT_EQ(audit.disagreed(), 1);
  audit.check(1, groups_of(100, true), some_task);
  EXPECT_TRUE(audit.failed()) << "11 of 110";
  Audit rare = audit_of(1, 100);
  rare.check(0, groups_of(100, true), some_task);
  EXPECT_FALSE(rare.failed()) << "1 of 100";
}

}  // namespace
}  // namespace tritonrl::rl
