#include "base/file.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>
#include <thread>

#include "base/error.h"
#include "tests/base/temporary_folder.h"

namespace tritonrl::base {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using tests::message_of;
using tests::TemporaryFolder;

constexpr std::size_t kMiB = std::size_t{1} << 20;

std::size_t entries_of(const fs::path& folder) {
  return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
}

std::string refusal_to_read(const fs::path& path, std::size_t max_bytes = kMiB) {
  return message_of<InputError>([&] { read_file(path, max_bytes); });
}

std::string refusal_to_write(const fs::path& path) {
  return message_of<InputError>([&] { write_file_atomically(path, "x"); });
}

// Root may read and write anything: permissions are tested as somebody else.
class AsNobody {
 public:
  AsNobody() {
    if (was_root_) become(65534);
  }
  ~AsNobody() {
    if (was_root_) become(0);
  }
  AsNobody(const AsNobody&) = delete;
  AsNobody& operator=(const AsNobody&) = delete;

 private:
  static void become(uid_t user) { EXPECT_EQ(::seteuid(user), 0); }

  bool was_root_ = ::geteuid() == 0;
};

constexpr fs::perms kReadOnlyFolder =
    fs::perms::owner_read | fs::perms::owner_exec | fs::perms::others_read | fs::perms::others_exec;

TEST(ReadFile, ReturnsEveryByte) {
  const TemporaryFolder folder;
  const std::string binary("a\0b\r\n\xff", 6);
  EXPECT_EQ(read_file(folder.file("binary", binary)), binary);
  EXPECT_EQ(read_file(folder.file("empty", "")), "");
}

TEST(ReadFile, ReadsExactlyUpToTheLimit) {
  const TemporaryFolder folder;
  const fs::path path = folder.file("f", std::string(5000, 'x'));
  EXPECT_EQ(read_file(path, 5000).size(), 5000U);
  EXPECT_THAT(refusal_to_read(path, 4999), HasSubstr("holds 5000 bytes, more than the limit of 4999 bytes"));
}

TEST(ReadFile, SaysThatAFileIsMissing) {
  const TemporaryFolder folder;
  EXPECT_THAT(refusal_to_read(folder.path() / "nowhere.py"), HasSubstr("nowhere.py: no such file"));
  EXPECT_THAT(refusal_to_read(""), HasSubstr("no such file"));
  const fs::path file = folder.file("plain", "");
  EXPECT_THAT(refusal_to_read(file / "below"), HasSubstr("part of the path is not a folder"));
}

TEST(ReadFile, SaysThatItMetAFolder) {
  const TemporaryFolder folder;
  EXPECT_THAT(refusal_to_read(folder.path()), HasSubstr("is a folder where a file was expected"));
}

TEST(ReadFile, SaysThatLinksLeadInACircleOrNowhere) {
  const TemporaryFolder folder;
  fs::create_symlink("b", folder.path() / "a");
  fs::create_symlink("a", folder.path() / "b");
  EXPECT_THAT(refusal_to_read(folder.path() / "a"), HasSubstr("lead in a circle"));
  fs::create_symlink("gone", folder.path() / "dangling");
  EXPECT_THAT(refusal_to_read(folder.path() / "dangling"), HasSubstr("no such file"));
}

TEST(ReadFile, FollowsALink) {
  const TemporaryFolder folder;
  folder.file("real", "content");
  fs::create_symlink("real", folder.path() / "link");
  EXPECT_EQ(read_file(folder.path() / "link"), "content");
}

TEST(ReadFile, SaysThatPermissionIsDenied) {
  const TemporaryFolder folder;
  const fs::path path = folder.file("secret", "x");
  fs::permissions(path, fs::perms::none);
  fs::permissions(folder.path(), fs::perms::all);
  const AsNobody nobody;
  EXPECT_THAT(refusal_to_read(path), HasSubstr("permission denied"));
}

TEST(ReadFile, RefusesAPathOfAMegabyte) {
  const std::string message = refusal_to_read(std::string(kMiB, 'a'));
  EXPECT_THAT(message, HasSubstr("the path is too long"));
  EXPECT_LT(message.size(), 200U);
}

TEST(ReadFile, RefusesALargeSparseFileWithoutReadingIt) {
  const TemporaryFolder folder;
  const fs::path path = folder.file("sparse", "");
  fs::resize_file(path, std::uintmax_t{1} << 40);
  EXPECT_THAT(refusal_to_read(path), HasSubstr("holds 1099511627776 bytes"));
}

TEST(ReadFile, ReadsA100MegabyteFileWhenToldTo) {
  const TemporaryFolder folder;
  const fs::path path = folder.file("sparse", "");
  fs::resize_file(path, 100 * kMiB);
  EXPECT_EQ(read_file(path, 100 * kMiB).size(), 100 * kMiB);
}

TEST(ReadFile, StopsReadingAnEndlessDeviceAtTheLimit) {
  EXPECT_THAT(refusal_to_read("/dev/zero"), HasSubstr("more than the limit of 1048576 bytes"));
  EXPECT_EQ(read_file("/dev/null"), "");
}

TEST(ReadFile, ReadsAPipeToItsEnd) {
  const TemporaryFolder folder;
  const fs::path path = folder.path() / "pipe";
  ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
  std::thread writer([&] {
    const UniqueFd fd(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
    for (int i = 0; i < 10; ++i) {
      EXPECT_EQ(::write(fd.get(), "0123456789", 10), 10);
    }
  });
  EXPECT_EQ(read_file(path).size(), 100U);
  writer.join();
}

TEST(ReadFile, ReadsFilesThatDoNotTellTheirSize) { EXPECT_THAT(read_file("/proc/self/status"), HasSubstr("Pid:")); }

TEST(ReadFile, RefusesASocket) {
  const TemporaryFolder folder;
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  const std::string path = (folder.path() / "s").string();
  ASSERT_LT(path.size(), sizeof address.sun_path);
  std::memcpy(address.sun_path, path.c_str(), path.size() + 1);
  const UniqueFd socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  ASSERT_EQ(::bind(socket.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
  EXPECT_THAT(refusal_to_read(path), HasSubstr("not a file that can be read"));
}

TEST(WriteFileAtomically, WritesAndReplaces) {
  const TemporaryFolder folder;
  const fs::path path = folder.path() / "out.json";
  write_file_atomically(path, "first");
  EXPECT_EQ(read_file(path), "first");
  write_file_atomically(path, std::string(3 * kMiB, 'y'));
  EXPECT_EQ(read_file(path), std::string(3 * kMiB, 'y'));
  write_file_atomically(path, "");
  EXPECT_EQ(read_file(path), "");
  EXPECT_EQ(entries_of(folder.path()), 1U) << "a draft was left behind";
}

TEST(WriteFileAtomically, WritesIntoTheWorkingFolder) {
  const TemporaryFolder folder;
  const fs::path before = fs::current_path();
  fs::current_path(folder.path());
  write_file_atomically("plain", "x");
  fs::current_path(before);
  EXPECT_EQ(read_file(folder.path() / "plain"), "x");
}

TEST(WriteFileAtomically, KeepsModeAndLink) {
  const TemporaryFolder folder;
  const fs::path path = folder.file("real", "old");
  fs::permissions(path, fs::perms::owner_read | fs::perms::owner_write | fs::perms::owner_exec);
  fs::create_symlink("real", folder.path() / "link");
  write_file_atomically(folder.path() / "link", "new");
  EXPECT_TRUE(fs::is_symlink(folder.path() / "link"));
  EXPECT_EQ(read_file(path), "new");
  EXPECT_EQ(fs::status(path).permissions(), fs::perms::owner_read | fs::perms::owner_write | fs::perms::owner_exec);
}

TEST(WriteFileAtomically, WritesWhereADanglingLinkPoints) {
  const TemporaryFolder folder;
  fs::create_symlink("later", folder.path() / "link");
  write_file_atomically(folder.path() / "link", "new");
  EXPECT_EQ(read_file(folder.path() / "later"), "new");
}

TEST(WriteFileAtomically, SaysWhyAPlaceCannotBeWritten) {
  const TemporaryFolder folder;
  EXPECT_THAT(refusal_to_write(folder.path() / "no" / "such" / "f"), HasSubstr("its folder does not exist"));
  EXPECT_THAT(refusal_to_write(folder.path()), HasSubstr("it is a folder"));
  EXPECT_THAT(refusal_to_write(folder.path() / ""), HasSubstr("it is a folder"));
  EXPECT_THAT(refusal_to_write(""), HasSubstr("cannot be written"));
  EXPECT_THAT(refusal_to_write(folder.file("plain", "") / "below"), HasSubstr("its folder does not exist"));
  EXPECT_THAT(refusal_to_write(folder.path() / std::string(300, 'n')), HasSubstr("File name too long"));
  fs::create_symlink("b", folder.path() / "a");
  fs::create_symlink("a", folder.path() / "b");
  EXPECT_THAT(refusal_to_write(folder.path() / "a"), HasSubstr("cannot be written"));
}

TEST(WriteFileAtomically, SaysThatAFolderIsNotWritable) {
  const TemporaryFolder folder;
  fs::permissions(folder.path(), kReadOnlyFolder);
  {
    const AsNobody nobody;
    EXPECT_THAT(refusal_to_write(folder.path() / "f"), HasSubstr("cannot be written: Permission denied"));
  }
  fs::permissions(folder.path(), fs::perms::owner_all);
}

TEST(WriteFileAtomically, BlamesTheMachineForAFullDisk) {
  EXPECT_THAT(message_of<HostError>([] { write_file_atomically("/dev/full", "x"); }),
              HasSubstr("cannot write /dev/full: No space left on device"));
  EXPECT_TRUE(fs::is_character_file("/dev/full")) << "the device must not be replaced by a file";
}

TEST(WriteFileAtomically, WritesToADeviceInPlace) {
  write_file_atomically("/dev/null", "x");
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
}

// In a child process with a file size limit, so that the write fails half way.
int status_of_limited_write(const fs::path& path) {
  const pid_t child = ::fork();
  if (child == 0) {
    ::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{.rlim_cur = 4096, .rlim_max = 4096};
    ::setrlimit(RLIMIT_FSIZE, &limit);
    int status = 0;
    try {
      write_file_atomically(path, std::string(100000, 'x'));
    } catch (const HostError&) {
      status = 3;
    } catch (...) {
      status = 9;
    }
    ::_exit(status);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST(WriteFileAtomically, LeavesTheOldContentWhenAWriteFailsHalfWay) {
  const TemporaryFolder folder;
  const fs::path path = folder.file("kept", "old");
  EXPECT_EQ(status_of_limited_write(path), 3);
  EXPECT_EQ(read_file(path), "old");
  EXPECT_EQ(status_of_limited_write(folder.path() / "new"), 3);
  EXPECT_EQ(entries_of(folder.path()), 1U) << "half a file was left behind";
}

TEST(WriteFileAtomically, NeverShowsAReaderHalfAFile) {
  const TemporaryFolder folder;
  const fs::path path = folder.file("f", std::string(200000, 'a'));
  std::thread writer([&] {
    for (int i = 0; i < 40; ++i) write_file_atomically(path, std::string(200000, i % 2 == 0 ? 'b' : 'a'));
  });
  for (int i = 0; i < 200; ++i) {
    const std::string content = read_file(path);
    ASSERT_EQ(content.size(), 200000U);
    ASSERT_EQ(content, std::string(200000, content[0]));
  }
  writer.join();
}

TEST(UniqueFd, ClosesOnceAndMoves) {
  UniqueFd first(::open("/dev/null", O_RDONLY | O_CLOEXEC));
  const int number = first.get();
  UniqueFd second = std::move(first);
  EXPECT_FALSE(first);  // NOLINT(bugprone-use-after-move): that it is empty is the point
  EXPECT_EQ(second.get(), number);
  second.reset();
  EXPECT_EQ(::fcntl(number, F_GETFD), -1);
}

}  // namespace
}  // namespace tritonrl::base
