#include "base/log.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>
#include <thread>
#include <vector>

#include "base/error.h"
#include "base/file.h"
#include "tests/base/temporary_folder.h"

namespace tritonrl::base {
namespace {

using ::testing::HasSubstr;
using ::testing::MatchesRegex;
using ::testing::Not;

class Log : public ::testing::Test {
 protected:
  void TearDown() override {
    log::reset_output();
    log::set_level(log::Level::kInfo);
  }
  std::ostringstream out_;
};

TEST_F(Log, WritesPlainLinesWhereThereIsNoTerminal) {
  log::set_output(out_, {});
  log::warning("{} of {} tasks are broken", 2, 7);
  EXPECT_THAT(out_.str(), MatchesRegex("[0-9]+:[0-9]+:[0-9]+ warning 2 of 7 tasks are broken\n"));
}

TEST_F(Log, ColoursTheLevelWhereColourIsWanted) {
  log::set_output(out_, {.interactive = true, .color = true});
  log::error("broken");
  EXPECT_THAT(out_.str(), HasSubstr("\x1b[31merror\x1b[0m broken"));
}

TEST_F(Log, HasNoColourInATerminalUnderNoColor) {
  log::set_output(out_, {.interactive = true, .color = false});
  log::error("broken");
  EXPECT_THAT(out_.str(), Not(HasSubstr("\x1b[31m")));
  EXPECT_THAT(out_.str(), HasSubstr("\r\x1b[K"));  // makes room where a progress bar stood
}

TEST_F(Log, DropsWhatIsBelowTheLevel) {
  log::set_output(out_, {});
  log::debug("hidden");
  log::set_level(log::Level::kError);
  log::warning("hidden");
  EXPECT_EQ(out_.str(), "");
  log::set_level(log::Level::kDebug);
  log::debug("shown");
  EXPECT_THAT(out_.str(), HasSubstr("debug shown"));
  log::set_level(log::Level::kOff);
  log::error("hidden");
  EXPECT_THAT(out_.str(), Not(HasSubstr("hidden")));
}

TEST_F(Log, DoesNotReadBracesInAMessageAsAFormat) {
  log::set_output(out_, {});
  log::write(log::Level::kInfo, "{} {0} {:d}");
  EXPECT_THAT(out_.str(), HasSubstr("{} {0} {:d}"));
}

TEST_F(Log, KeepsLinesOfSeveralThreadsWhole) {
  log::set_output(out_, {});
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([] {
      for (int j = 0; j < 100; ++j) log::info("a line of text");
    });
  }
  for (std::thread& thread : threads) thread.join();
  std::istringstream lines(out_.str());
  std::string line;
  int count = 0;
  while (std::getline(lines, line)) {
    ++count;
    EXPECT_THAT(line, MatchesRegex("[0-9:]+ info a line of text"));
  }
  EXPECT_EQ(count, 400);
}

TEST_F(Log, KeepsACopyInAFile) {
  const tests::TemporaryFolder folder;
  const auto file = folder.path() / "log.txt";
  log::set_output(out_, {});
  for (int life = 0; life < 2; ++life) {
    const log::FileCopy copy(file);
    log::warning("seen by all {}", life);
    log::note("for the file");
  }
  log::info("too late");
  EXPECT_THAT(out_.str(), Not(HasSubstr("for the file")));
  EXPECT_THAT(read_file(file), MatchesRegex("[-0-9]+ [0-9:]+ warning seen by all 0\n"
                                            "[-0-9]+ [0-9:]+ info for the file\n"
                                            "[-0-9]+ [0-9:]+ warning seen by all 1\n"
                                            "[-0-9]+ [0-9:]+ info for the file\n"));
  EXPECT_THROW(log::FileCopy(folder.path() / "none/log.txt"), HostError);
}

}  // namespace
}  // namespace tritonrl::base
