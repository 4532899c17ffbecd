#include "base/append_log.h"

#include <gtest/gtest.h>

#include <fstream>
#include <vector>

#include "base/error.h"
#include "tests/base/temporary_folder.h"

namespace tritonrl::base {
namespace {

std::vector<Json> rows_of(const std::filesystem::path& path) {
  std::vector<Json> rows;
  const AppendLog log(path, [&](const Json& row) { rows.push_back(row); });
  return rows;
}

TEST(AppendLog, KeepsWhatWasAdded) {
  const tests::TemporaryFolder folder;
  const auto path = folder.path() / "log.jsonl";
  {
    AppendLog log(path, [](const Json&) { FAIL(); });
    log.add({{"n", 1}});
    log.add({{"n", 2}});
  }
  EXPECT_EQ(rows_of(path), (std::vector<Json>{{{"n", 1}}, {{"n", 2}}}));
}

TEST(AppendLog, DropsALineThatAKillCutShort) {
  const tests::TemporaryFolder folder;
  const auto path = folder.path() / "log.jsonl";
  std::ofstream(path) << "{\"n\": 1}\n{\"n\": 2, \"tex";
  EXPECT_EQ(rows_of(path), (std::vector<Json>{{{"n", 1}}}));
  {
    AppendLog log(path, [](const Json&) {});
    log.add({{"n", 3}});
  }
  EXPECT_EQ(rows_of(path), (std::vector<Json>{{{"n", 1}}, {{"n", 3}}}));
}

TEST(AppendLog, DropsTheOnlyLineWhereItWasCutShort) {
  const tests::TemporaryFolder folder;
  const auto path = folder.path() / "log.jsonl";
  std::ofstream(path) << std::string(200'000, 'x');
  EXPECT_TRUE(rows_of(path).empty());
}

TEST(AppendLog, BelongsToOneProcessAtATime) {
  const tests::TemporaryFolder folder;
  const auto path = folder.path() / "log.jsonl";
  const AppendLog first(path, [](const Json&) {});
  EXPECT_THROW(AppendLog(path, [](const Json&) {}), InputError);
}

}  // namespace
}  // namespace tritonrl::base
