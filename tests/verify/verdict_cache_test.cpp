#include "verify/verdict_cache.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>
#include <thread>

#include "base/digest.h"
#include "base/error.h"

namespace tritonrl::verify {
namespace {

using base::Json;

class VerdictCacheTest : public testing::Test {
 protected:
  ~VerdictCacheTest() override { std::filesystem::remove_all(folder_); }

  std::filesystem::path folder_ =
      std::filesystem::path(testing::TempDir()) /
      ("verdicts-" + std::to_string(getpid()) + testing::UnitTest::GetInstance()->current_test_info()->name());
  std::string key_ = base::sha256_hex("one");
};

TEST_F(VerdictCacheTest, GivesBackWhatWasStoredAlsoAfterARestart) {
  VerdictCache(folder_).store(key_, Json{{"accepted", true}});
  const auto found = VerdictCache(folder_).find(key_);
  ASSERT_TRUE(found);
  EXPECT_EQ(*found, (Json{{"accepted", true}}));
}

TEST_F(VerdictCacheTest, KnowsNothingOfOtherKeys) {
  const VerdictCache cache(folder_);
  cache.store(key_, Json{{"accepted", true}});
  EXPECT_FALSE(cache.find(base::sha256_hex("two")));
}

TEST_F(VerdictCacheTest, TakesADamagedFileForAbsentAndReplacesIt) {
  const VerdictCache cache(folder_);
  cache.store(key_, Json{{"accepted", true}});
  for (const std::string text : {"", "{", "[]", "{\"key\": \"other\", \"verdict\": {}}"}) {
    std::ofstream(folder_ / key_.substr(0, 2) / key_.substr(2)) << text;
    EXPECT_FALSE(cache.find(key_)) << text;
  }
  cache.store(key_, Json{{"accepted", false}});
  EXPECT_EQ(cache.find(key_), (Json{{"accepted", false}}));
}

TEST_F(VerdictCacheTest, WritersAtOnceLeaveOneWholeVerdict) {
  const VerdictCache cache(folder_);
  std::vector<std::jthread> writers;
  for (int n = 0; n < 4; ++n) {
    writers.emplace_back([&, n] {
      for (int i = 0; i < 50; ++i) cache.store(key_, Json{{"writer", n}});
    });
  }
  writers.clear();
  const auto found = cache.find(key_);
  ASSERT_TRUE(found);
  EXPECT_TRUE(found->contains("writer"));
  const auto entries = std::distance(std::filesystem::directory_iterator(folder_ / key_.substr(0, 2)), {});
  EXPECT_EQ(entries, 1) << "drafts are left behind";
}

TEST_F(VerdictCacheTest, AFolderThatCannotBeWrittenIsAnInputError) {
  EXPECT_THROW(VerdictCache("/proc/verdicts"), base::InputError);
}

}  // namespace
}  // namespace tritonrl::verify
