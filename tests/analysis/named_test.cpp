#include "analysis/named.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <deque>
#include <string>

namespace tritonrl::analysis {
namespace {

std::vector<std::string_view> names_of(const Named<int>& named) {
  std::vector<std::string_view> names;
  for (const auto& [name, value] : named) names.push_back(name);
  return names;
}

TEST(Named, KeepsTheOrderInWhichNamesCame) {
  Named<int> named;
  for (const char* name : {"b", "a", "c"}) named.set(name, 1);
  named.set("a", 2);
  EXPECT_THAT(names_of(named), testing::ElementsAre("b", "a", "c"));
  EXPECT_EQ(*named.find("a"), 2);
  EXPECT_EQ(named.find("d"), nullptr);
}

class NamedOfSize : public testing::TestWithParam<int> {
 protected:
  NamedOfSize() {
    for (int i = 0; i < GetParam(); ++i) named_.set(texts_.emplace_back("name" + std::to_string(i)), i);
  }
  std::deque<std::string> texts_;
  Named<int> named_;
};

TEST_P(NamedOfSize, FindsEveryNameAndNoOther) {
  ASSERT_EQ(named_.size(), texts_.size());
  for (int i = 0; i < GetParam(); ++i) EXPECT_EQ(*named_.find("name" + std::to_string(i)), i);
  EXPECT_FALSE(named_.contains("other"));
}

TEST_P(NamedOfSize, TakesTheLastValueOfAName) {
  for (const std::string& text : texts_) named_.set(text, -1);
  EXPECT_EQ(named_.size(), texts_.size());
  for (const auto& [name, value] : named_) EXPECT_EQ(value, -1) << name;
}

TEST_P(NamedOfSize, ForgetsWhatIsCutOff) {
  for (const std::size_t size : {std::size_t{1000}, std::size_t{17}, std::size_t{16}, std::size_t{3}}) {
    named_.truncate(size);
    ASSERT_LE(named_.size(), size);
    for (std::size_t i = 0; i < texts_.size(); ++i) EXPECT_EQ(named_.contains(texts_[i]), i < named_.size());
  }
  named_.set("again", 7);
  EXPECT_EQ(*named_.find("again"), 7);
}

TEST_P(NamedOfSize, IsCopiedWithItsIndex) {
  Named<int> twin = named_;
  twin.set("own", 1);
  EXPECT_FALSE(named_.contains("own"));
  for (const std::string& text : texts_) EXPECT_TRUE(twin.contains(text));
}

TEST_P(NamedOfSize, IsLaidOverAnother) {
  Named<int> below;
  below.set("name0", 100);
  below.set("kept", 200);
  below.set_all(named_);
  EXPECT_EQ(*below.find("kept"), 200);
  for (const auto& [name, value] : named_) EXPECT_EQ(*below.find(name), value);
}

INSTANTIATE_TEST_SUITE_P(Sizes, NamedOfSize, testing::Values(1, 15, 16, 17, 18, 5000));

}  // namespace
}  // namespace tritonrl::analysis
