#include "verify/secret.h"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <thread>
#include <vector>

#include "tests/base/temporary_folder.h"

namespace tritonrl::verify {
namespace {

TEST(Secret, IsOneForAllThatStartAtOnce) {
  for (int attempt = 0; attempt < 20; ++attempt) {
    const tests::TemporaryFolder folder;
    std::vector<std::string> found(4);
    {
      std::vector<std::jthread> threads;
      for (std::string& own : found) {
        threads.emplace_back([&] { own = Secret::load(folder.path() / "new/secret").fingerprint(); });
      }
    }
    EXPECT_EQ(std::set(found.begin(), found.end()).size(), 1U);
    std::size_t files = 0;
    for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator(folder.path() / "new")) ++files;
    EXPECT_EQ(files, 1U) << "no draft is left";
  }
}

TEST(Secret, DrawsTheSameSeedAgainAndOthersForOtherCode) {
  const tests::TemporaryFolder folder;
  const Secret secret = Secret::load(folder.path() / "secret");
  EXPECT_EQ(secret.seed("task", "code"), Secret::load(folder.path() / "secret").seed("task", "code"));
  EXPECT_NE(secret.seed("task", "code"), secret.seed("task", "other"));
  EXPECT_NE(secret.seed("task", "code"), Secret::load(folder.path() / "another").seed("task", "code"));
}

}  // namespace
}  // namespace tritonrl::verify
