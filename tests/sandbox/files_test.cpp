// What a guest finds on its disk.
#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <set>

#include "../base/temporary_folder.h"
#include "guest_test.h"

namespace tritonrl::sandbox {
namespace {

class FilesTest : public GuestTest {
 protected:
  static std::set<std::string> names_in(const char* folder) {
    std::set<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) names.insert(entry.path().filename());
    return names;
  }
};

std::string variable(const char* name) {
  const char* value = getenv(name);  // NOLINT(concurrency-mt-unsafe)
  return value == nullptr ? "" : value;
}

TEST_F(FilesTest, MachineIsNotThere) {
  expect_completes([] {
    for (const char* path : {"/etc/passwd", "/proc/1/environ", "/proc/self/mem", "/sys/kernel", "/dev/shm", "/dev/tty",
                             "/home", "/root", "/var/run/docker.sock", "/usr/bin/env"})
      expect_refused(open(path, O_RDONLY), ENOENT, path);
    struct stat root = {};
    struct stat above = {};
    expect(stat("/", &root) == 0 && stat("/../../..", &above) == 0 && root.st_ino == above.st_ino, "above the root");
  });
}

// Landlock lets nobody list the root itself: what is not named cannot be found.
TEST_F(FilesTest, RootCannotBeListedOrWritten) {
  expect_completes([] {
    expect_refused(open("/", O_RDONLY | O_DIRECTORY), EACCES, "the root");
    expect(open("/file", O_WRONLY | O_CREAT, 0600) < 0, "a file in the root");
    expect(mkdir("/folder", 0700) < 0, "a folder in the root");
    expect(open("/dev/file", O_WRONLY | O_CREAT, 0600) < 0, "a file in /dev");
  });
}

TEST_F(FilesTest, TmpIsEmptyAndPrivate) {
  expect_completes([] {
    expect(names_in("/tmp") == std::set<std::string>{"home", "triton"}, "what is in /tmp");
    std::ofstream("/tmp/left-behind") << "x";
    expect(std::filesystem::exists("/tmp/left-behind"), "a file in /tmp");
    expect(variable("HOME") == "/tmp/home" && names_in("/tmp/home").empty(), "an empty home");
    std::filesystem::create_directories("/tmp/triton/a/b");
    std::filesystem::rename("/tmp/left-behind", "/tmp/triton/a/b/moved");
    expect(std::filesystem::file_size("/tmp/triton/a/b/moved") == 1, "a file moved");
    struct stat about = {};
    expect(stat("/tmp/triton/a/b/moved", &about) == 0 && about.st_uid == getuid(), "its owner");
  });
}

TEST_F(FilesTest, ReadPathsAreReadOnly) {
  const tests::TemporaryFolder folder;
  folder.file("data/inside.txt", "content");
  const std::string inside = folder.path() / "data/inside.txt";
  const std::string beside = folder.file("beside.txt", "secret");
  chmod(folder.path().c_str(), 0755);
  const Policy policy = Policy::deny_all().allow_read(folder.path() / "data").limits(tight_limits());
  expect_completes(
      [&] {
        std::string text;
        expect(static_cast<bool>(std::ifstream(inside) >> text) && text == "content", "a file under a read path");
        expect(open(inside.c_str(), O_WRONLY) < 0, "writing");
        expect(truncate(inside.c_str(), 0) < 0, "truncating");
        expect(unlink(inside.c_str()) < 0, "removing");
        expect(chmod(inside.c_str(), 0777) < 0, "changing its mode");
        expect(open((inside + "2").c_str(), O_WRONLY | O_CREAT, 0600) < 0, "a new file");
        expect(rename(inside.c_str(), "/tmp/stolen") < 0, "moving away");
        expect(symlink(beside.c_str(), "/tmp/link") == 0, "a link");
        expect_refused(open("/tmp/link", O_RDONLY), ENOENT, "a file beside, through a link");
        expect_refused(open(beside.c_str(), O_RDONLY), ENOENT, "a file beside");
      },
      policy);
  EXPECT_TRUE(std::filesystem::exists(inside));
}

TEST_F(FilesTest, ReadPathsThroughLinksAndNestedAndMissing) {
  const tests::TemporaryFolder folder;
  folder.file("real/deep/file.txt", "content");
  std::filesystem::create_directory_symlink(folder.path() / "real", folder.path() / "link");
  chmod(folder.path().c_str(), 0755);
  const std::string by_link = folder.path() / "link/deep/file.txt";
  const std::string by_name = folder.path() / "real/deep/file.txt";
  const Policy policy = Policy::deny_all()
                            .allow_read(folder.path() / "link/deep")
                            .allow_read(folder.path() / "real/deep/file.txt")
                            .allow_read(folder.path() / "not-there")
                            .limits(tight_limits());
  expect_completes(
      [&] {
        expect(open(by_link.c_str(), O_RDONLY) >= 0, "through the link");
        expect(open(by_name.c_str(), O_RDONLY) >= 0, "by its real name");
      },
      policy);
}

TEST_F(FilesTest, DevicesAreFew) {
  expect_completes([] {
    char byte = 1;
    const int zero = open("/dev/zero", O_RDONLY);
    expect(read(zero, &byte, 1) == 1 && byte == 0, "/dev/zero");
    expect(write(open("/dev/null", O_WRONLY), &byte, 1) == 1, "/dev/null");
    expect(read(open("/dev/urandom", O_RDONLY), &byte, 1) == 1, "/dev/urandom");
    expect_refused(mknod("/tmp/device", S_IFCHR | 0600, 0), EPERM, "mknod");
  });
}

TEST_F(FilesTest, DescriptorsOfTheProgramAreClosed) {
  const int secret = open("/etc/passwd", O_RDONLY);
  ASSERT_GE(secret, 3);
  expect_completes([] {
    for (int fd = 3; fd < 200; ++fd) expect_refused(fcntl(fd, F_GETFD), EBADF, "descriptor " + std::to_string(fd));
    char byte = 0;
    expect(read(0, &byte, 1) == 0, "standard input is empty");
  });
  close(secret);
}

TEST_F(FilesTest, EnvironmentIsScrubbed) {
  setenv("TRITONRL_SECRET", "x", 1);
  expect_completes([] {
    expect(getenv("TRITONRL_SECRET") == nullptr, "a variable of the program");
    expect(variable("TRITON_CACHE_DIR") == "/tmp/triton", "Triton's cache");
    expect(variable("TMPDIR") == "/tmp", "temporary files");
    for (int i = 0; i < 500; ++i) setenv(("NAME" + std::to_string(i)).c_str(), std::string(1000, 'x').c_str(), 1);
  });
  unsetenv("TRITONRL_SECRET");
}

}  // namespace
}  // namespace tritonrl::sandbox
