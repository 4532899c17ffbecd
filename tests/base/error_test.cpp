#include "base/error.h"

#include <gtest/gtest.h>

#include <cerrno>
#include <new>

namespace tritonrl::base {
namespace {

TEST(Place, NamesOnlyWhatIsKnown) {
  EXPECT_EQ(Place({.file = "a.toml"}).text(), "a.toml");
  EXPECT_EQ(Place({.file = "a.toml", .line = 3}).text(), "a.toml:3");
  EXPECT_EQ(Place({.file = "a.toml", .line = 3, .column = 7}).text(), "a.toml:3:7");
  EXPECT_EQ(Place({.file = "a.toml", .line = 0, .column = 7}).text(), "a.toml");
}

TEST(InputError, SaysWhereWhatAndWhatToDo) {
  const InputError error({.file = "a.toml", .line = 3}, "unknown key 'alpah'", "did you mean 'alpha'?");
  EXPECT_STREQ(error.what(), "a.toml:3: unknown key 'alpah'; did you mean 'alpha'?");
  EXPECT_EQ(error.where().line, 3U);
  EXPECT_EQ(error.problem(), "unknown key 'alpah'");
  EXPECT_EQ(error.advice(), "did you mean 'alpha'?");
}

TEST(InputError, LeavesOutWhatIsEmpty) {
  EXPECT_STREQ(InputError({}, "no task was given").what(), "no task was given");
}

TEST(InputError, ShowsControlCharactersOfFileNamesInsteadOfSendingThem) {
  EXPECT_STREQ(InputError({.file = "a\x1b[2Jb"}, "is bad").what(), "a\\x1b[2Jb: is bad");
}

TEST(HostError, KnowsWhichErrorsARetryMayCure) {
  EXPECT_TRUE(HostError::from_errno("write x", ENOSPC).retryable());
  EXPECT_FALSE(HostError::from_errno("write x", EIO).retryable());
  EXPECT_STREQ(HostError::from_errno("write x", ENOSPC).what(), "cannot write x: No space left on device");
  EXPECT_FALSE(HostError("worker died").retryable());
  EXPECT_TRUE(HostError("worker died", Retry::kYes).retryable());
}

TEST(ExitStatus, TellsBadInputFromAFailedMachine) {
  EXPECT_EQ(exit_status(InputError({}, "bad")), 2);
  EXPECT_EQ(exit_status(HostError("bad")), 3);
  EXPECT_EQ(exit_status(std::bad_alloc()), 3);
}

TEST(BugDeathTest, AbortsAndNamesFileAndLine) {
  EXPECT_DEATH(bug("two is three"), "error_test.cpp:[0-9]+: bug in .*two is three");
  EXPECT_DEATH(check(1 > 2, "order is broken"), "error_test.cpp:[0-9]+.*order is broken");
  check(true, "nothing happens");
}

}  // namespace
}  // namespace tritonrl::base
