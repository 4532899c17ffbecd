#include "base/live_screen.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "base/log.h"

namespace tritonrl::base {
namespace {

using ::testing::HasSubstr;
using ::testing::MatchesRegex;

constexpr Terminal kTerminal{.interactive = true, .color = false, .unicode = true, .columns = 12};

class LiveScreenTest : public ::testing::Test {
 protected:
  void TearDown() override { log::reset_output(); }
  std::string taken() {
    std::string text = out_.str();
    out_.str("");
    return text;
  }
  std::ostringstream out_;
};

TEST_F(LiveScreenTest, DrawsItsLinesAgainInPlace) {
  LiveScreen screen({.out = &out_, .terminal = kTerminal});
  screen.draw({"one", "two"});
  EXPECT_EQ(taken(), "one\ntwo\n");
  screen.draw({"only"});
  EXPECT_EQ(taken(), "\x1b[2A\r\x1b[Jonly\n");
}

TEST_F(LiveScreenTest, NeverWrapsAndCutsBetweenCharacters) {
  LiveScreen screen({.out = &out_, .terminal = kTerminal});
  screen.draw({"0123456789abcdef", "▁▂▃▄▅▆▇█▁▂▃▄▅▆"});
  EXPECT_EQ(taken(), "0123456789a\n▁▂▃▄▅▆▇█▁▂▃\n");
}

TEST_F(LiveScreenTest, HasLogMessagesAboveIt) {
  log::set_output(out_, kTerminal);
  {
    LiveScreen screen({.out = &out_, .terminal = kTerminal});
    screen.draw({"state"});
    taken();
    log::info("message");
    EXPECT_THAT(taken(), MatchesRegex("\x1b.1A\r\x1b.J[0-9:]+ info message\nstate\n"));
  }
  log::info("later");
  EXPECT_THAT(taken(), MatchesRegex("\r\x1b.K[0-9:]+ info later\n")) << "the screen is gone";
}

TEST_F(LiveScreenTest, DrawsNothingWhereNobodyWatches) {
  LiveScreen screen({.out = &out_, .terminal = {}});
  EXPECT_FALSE(screen.live());
  screen.draw({"state"});
  EXPECT_EQ(taken(), "");
}

}  // namespace
}  // namespace tritonrl::base
