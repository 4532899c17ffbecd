#include "rollout/stop_text.h"

#include <gtest/gtest.h>

namespace tritonrl::rollout {
namespace {

TEST(StopText, HoldsBackWhatMayBecomeAStopText) {
  const std::vector<std::string> stops = {"</answer>", "END"};
  StopText text(stops);
  EXPECT_EQ(text.push("one </ans"), "one ");
  EXPECT_EQ(text.push("wer? E"), "</answer? ");
  EXPECT_EQ(text.push("N"), "");
  EXPECT_EQ(text.push("d"), "ENd");
  EXPECT_FALSE(text.stopped());
  EXPECT_EQ(text.push(" more ENDless"), " more ");
  EXPECT_TRUE(text.stopped());
  EXPECT_EQ(text.push("x"), "");
  EXPECT_EQ(text.finish(), "");
}

TEST(StopText, GivesTheRestAtTheEnd) {
  const std::vector<std::string> stops = {"###"};
  StopText text(stops);
  EXPECT_EQ(text.push("a ##"), "a ");
  EXPECT_EQ(text.finish(), "##");
}

TEST(StopText, NeverSplitsACharacter) {
  const std::vector<std::string> none;
  StopText text(none);
  EXPECT_EQ(text.push("\xE2\x82"), "");
  EXPECT_EQ(text.push("\xAC!"), "\xE2\x82\xAC!");
  EXPECT_EQ(text.push("\xE2"), "");
  EXPECT_EQ(text.finish(), "\xEF\xBF\xBD");
}

TEST(StopText, TakesTheFirstOfSeveral) {
  const std::vector<std::string> stops = {"cd", "bcde"};
  StopText text(stops);
  EXPECT_EQ(text.push("abcde"), "a");
  EXPECT_TRUE(text.stopped());
}

}  // namespace
}  // namespace tritonrl::rollout
