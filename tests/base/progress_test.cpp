#include "base/progress.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>
#include <unistd.h>

#include <algorithm>
#include <sstream>

#include "base/file.h"

namespace tritonrl::base {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;

class ProgressTest : public ::testing::Test {
 protected:
  ProgressConfig config(const Terminal& terminal) {
    return {.out = &out_, .terminal = terminal, .now = [this] { return now_; }};
  }
  void wait(double seconds) {
    now_ += std::chrono::duration_cast<std::chrono::steady_clock::duration>(std::chrono::duration<double>(seconds));
  }
  std::string taken() {
    std::string text = out_.str();
    out_.str("");
    return text;
  }

  std::ostringstream out_;
  std::chrono::steady_clock::time_point now_;
};

constexpr Terminal kScreen{.interactive = true, .color = false, .columns = 100};
constexpr Terminal kColorScreen{.interactive = true, .color = true, .columns = 100};
constexpr Terminal kFile{};

TEST_F(ProgressTest, ShowsNothingForAShortJob) {
  {
    Progress progress("checking", 10, config(kScreen));
    for (int i = 0; i < 10; ++i) {
      wait(0.19);
      progress.advance();
    }
  }
  EXPECT_EQ(out_.str(), "");
}

TEST_F(ProgressTest, RedrawsOneLineWithShareRateAndTimeLeft) {
  Progress progress("checking", 10, config(kScreen));
  wait(4.0);
  progress.advance(2);
  EXPECT_EQ(taken(), "\r\x1b[Kchecking [####....................] 20% 2/10 2.0s each 16s left");
  wait(0.05);
  progress.advance();
  EXPECT_EQ(taken(), "") << "too soon to draw again";
  wait(0.1);
  progress.advance();
  EXPECT_THAT(taken(), HasSubstr("40% 4/10"));
  progress.advance(6);
  progress.finish();
  EXPECT_EQ(taken(), "\r\x1b[Kchecking [########################] 100% 10/10 2.4/s in 4s\n");
  progress.finish();
  EXPECT_EQ(taken(), "");
}

TEST_F(ProgressTest, WritesPlainLinesSeldomToALogFile) {
  Progress progress("checking", 1000, config(kFile));
  for (int second = 0; second < 100; ++second) {
    wait(1.0);
    progress.advance(10);
  }
  progress.finish();
  const std::string text = taken();
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 5);
  EXPECT_THAT(text, Not(HasSubstr("\r")));
  EXPECT_THAT(text, Not(HasSubstr("\x1b")));
  EXPECT_THAT(text, HasSubstr("checking 2% 20/1000 10.0/s 1m38s left\n"));
  EXPECT_THAT(text, EndsWith("checking 100% 1000/1000 10.0/s in 1m40s\n"));
}

TEST_F(ProgressTest, ColoursTheLabelOnlyWhereColourIsWanted) {
  Progress colored("checking", 10, config(kColorScreen));
  Progress plain("checking", 10, config(kScreen));
  wait(3.0);
  colored.advance();
  EXPECT_THAT(taken(), HasSubstr("\x1b[36mchecking\x1b[0m ["));
  plain.advance();
  EXPECT_THAT(taken(), Not(HasSubstr("\x1b[36m")));
}

TEST_F(ProgressTest, NeverWrapsANarrowTerminal) {
  Progress progress("a label that is much longer than the window", 10,
                    config({.interactive = true, .color = true, .columns = 20}));
  wait(3.0);
  progress.advance();
  EXPECT_EQ(taken(), "\r\x1b[Ka label that is muc");
}

TEST_F(ProgressTest, CountsWithoutATotal) {
  Progress progress("reading", 0, config(kScreen));
  wait(3.0);
  progress.advance(300);
  EXPECT_EQ(taken(), "\r\x1b[Kreading 300 100/s");
}

TEST_F(ProgressTest, SurvivesMoreThanItsTotal) {
  Progress progress("reading", 3, config(kFile));
  wait(3.0);
  progress.advance(6);
  EXPECT_THAT(taken(), HasSubstr("100% 6/3"));
}

TEST_F(ProgressTest, DoesNotSayDoneBeforeItIs) {
  Progress progress("reading", 1000, config(kFile));
  wait(3.0);
  progress.advance(999);
  EXPECT_THAT(taken(), HasSubstr("99% 999/1000"));
}

TEST(DurationText, IsShort) {
  EXPECT_EQ(duration_text(0.2), "0s");
  EXPECT_EQ(duration_text(59.4), "59s");
  EXPECT_EQ(duration_text(185), "3m05s");
  EXPECT_EQ(duration_text(7800), "2h10m");
  EXPECT_EQ(duration_text(1e300), "2400h00m");
  EXPECT_EQ(duration_text(-1.0), "0s");
}

class TerminalTest : public ::testing::Test {
 protected:
  TerminalTest() : pty_(::posix_openpt(O_RDWR | O_NOCTTY)) {
    ::setenv("TERM", "xterm", 1);
    ::unsetenv("NO_COLOR");
  }
  ~TerminalTest() override { ::unsetenv("NO_COLOR"); }
  UniqueFd pty_;
};

TEST_F(TerminalTest, IsInteractiveAndColouredOnATerminal) {
  if (!pty_) GTEST_SKIP() << "this machine gives no pseudo terminal";
  EXPECT_TRUE(Terminal::of(pty_.get()).interactive);
  EXPECT_TRUE(Terminal::of(pty_.get()).color);
}

TEST_F(TerminalTest, HonoursNoColorUnlessItIsEmpty) {
  if (!pty_) GTEST_SKIP() << "this machine gives no pseudo terminal";
  ::setenv("NO_COLOR", "1", 1);
  EXPECT_TRUE(Terminal::of(pty_.get()).interactive);
  EXPECT_FALSE(Terminal::of(pty_.get()).color);
  ::setenv("NO_COLOR", "", 1);
  EXPECT_TRUE(Terminal::of(pty_.get()).color);
}

TEST_F(TerminalTest, RedrawsNothingOnADumbTerminal) {
  ::setenv("TERM", "dumb", 1);
  EXPECT_FALSE(Terminal::of(pty_.get()).interactive);
  EXPECT_FALSE(Terminal::of(pty_.get()).color);
}

TEST_F(TerminalTest, IsNotInteractiveOnAPipeOrABadDescriptor) {
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  const UniqueFd reading(ends[0]);
  const UniqueFd writing(ends[1]);
  EXPECT_FALSE(Terminal::of(writing.get()).interactive);
  EXPECT_FALSE(Terminal::of(-1).interactive);
}

}  // namespace
}  // namespace tritonrl::base
