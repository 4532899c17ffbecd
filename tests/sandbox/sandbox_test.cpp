#include "sandbox/sandbox.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include "sandbox/facilities.h"

namespace tritonrl::sandbox {
namespace {

TEST(Sandbox, CompletesWhenTheGuestReturns) {
  if (!facilities().missing().empty()) GTEST_SKIP() << facilities().missing().front();
  const Outcome outcome = Sandbox(Policy::deny_all()).run([] { (void)!write(1, "hello\n", 6); });
  EXPECT_EQ(outcome.ending, Ending(Completed{})) << outcome.text();
  EXPECT_EQ(outcome.output, "hello\n");
  EXPECT_TRUE(outcome.missing.empty());
}

}  // namespace
}  // namespace tritonrl::sandbox
