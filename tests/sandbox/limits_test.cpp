// Bombs: each ends with the name of the limit that it met.
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <new>
#include <system_error>
#include <thread>
#include <vector>

#include "guest_test.h"

namespace tritonrl::sandbox {
namespace {

[[noreturn]] void fail_with_errno(const char* what) { throw std::system_error(errno, std::generic_category(), what); }

void write_file(const std::string& path, std::size_t bytes) {
  const int fd = open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
  if (fd < 0) fail_with_errno("open");
  const std::vector<char> block(1 << 16, 'x');
  for (std::size_t done = 0; done < bytes; done += block.size())
    if (write(fd, block.data(), block.size()) < 0) fail_with_errno("write");
  close(fd);
}

class LimitsTest : public GuestTest {};

// As an allocator does it: a sanitizer's own would end the guest in its own way.
char* allocate(std::size_t bytes) {
  void* block = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (block == MAP_FAILED) throw std::bad_alloc();
  return static_cast<char*>(block);
}

TEST_F(LimitsTest, MemoryBombReachesTheMemoryLimit) {
  expect_limit(
      [] {
        while (true) std::memset(allocate(16 << 20), 1, 16 << 20);
      },
      Limit::kMemory);
}

TEST_F(LimitsTest, OneHugeAllocationReachesTheMemoryLimit) {
  expect_limit([] { allocate(std::size_t{1} << 34); }, Limit::kMemory);
}

#ifndef __SANITIZE_ADDRESS__
TEST_F(LimitsTest, FailedNewNamesTheLimitEvenWhereItAborts) {
  expect_limit(
      []() noexcept {
        try {
          const std::vector<char> block(std::size_t{1} << 34);
        } catch (...) {
          std::abort();
        }
      },
      Limit::kMemory);
}
#endif

TEST_F(LimitsTest, RefusedMemoryIsNoCrime) {
  expect_completes([] {
    void* refused = mmap(nullptr, std::size_t{1} << 34, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    expect(refused == MAP_FAILED && errno == ENOMEM, "mmap of 16 GiB");
  });
}

TEST_F(LimitsTest, MemoryCannotBeHadPastTheLimitByOtherWays) {
  expect_completes([] {
    constexpr std::size_t kBytes = std::size_t{1} << 30;
    const void* shared = mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    expect(shared == MAP_FAILED && errno == EPERM, "shared memory");
    expect_refused(memfd_create("x", 0), EPERM, "memfd_create");
    void* readable = mmap(nullptr, kBytes, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    expect(readable != MAP_FAILED, "readable memory");
    expect_refused(mprotect(readable, kBytes, PROT_READ | PROT_WRITE), ENOMEM, "mprotect to writable");
    const std::string file = "/tmp/file";
    const int fd = open(file.c_str(), O_RDWR | O_CREAT, 0600);
    expect_refused(ftruncate(fd, 1 << 30), EFBIG, "a large file");
  });
  expect_forbidden(
      [] {
        mmap(nullptr, std::size_t{1} << 30, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_GROWSDOWN, -1, 0);
      },
      "mmap");
}

TEST_F(LimitsTest, EndlessLoopReachesTheCpuLimit) {
  Limits limits = tight_limits();
  limits.cpu_s = 1;
  limits.wall_s = 300;  // on a busy machine a second of CPU time takes long
  const Outcome outcome = run(
      [] {
        std::atomic<std::uint64_t> spins = 0;
        while (true) ++spins;
      },
      Policy::deny_all().limits(limits));
  EXPECT_EQ(outcome.ending, Ending(LimitReached{Limit::kCpu}));
  EXPECT_LT(outcome.usage.cpu_s, 3);
}

TEST_F(LimitsTest, LoopThatBlocksSignalsReachesTheCpuLimitToo) {
  Limits limits = tight_limits();
  limits.cpu_s = 1;
  limits.wall_s = 300;  // on a busy machine a second of CPU time takes long
  const auto guest = [] {
    expect(std::signal(SIGXCPU, SIG_IGN) == SIG_ERR, "ignoring SIGXCPU");
    sigset_t all;
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, nullptr);
    std::atomic<std::uint64_t> spins = 0;
    while (true) ++spins;
  };
  EXPECT_EQ(run(guest, Policy::deny_all().limits(limits)).ending, Ending(LimitReached{Limit::kCpu}));
}

TEST_F(LimitsTest, SleepForEverReachesTheWallLimit) {
  Limits limits = tight_limits();
  limits.wall_s = 0.2;
  const Outcome outcome =
      run([] { std::this_thread::sleep_for(std::chrono::hours(1)); }, Policy::deny_all().limits(limits));
  EXPECT_EQ(outcome.ending, Ending(LimitReached{Limit::kWall}));
  EXPECT_GE(outcome.usage.wall_s, 0.2);
  EXPECT_LT(outcome.usage.wall_s, 5);
}

TEST_F(LimitsTest, ThreadBombReachesTheLimitOnProcesses) {
  expect_limit(
      [] {
        while (true) std::thread([] { std::this_thread::sleep_for(std::chrono::hours(1)); }).detach();
      },
      Limit::kProcesses);
}

TEST_F(LimitsTest, ThreadsWithinTheLimitRun) {
  expect_completes([] {
    std::atomic<int> ran = 0;
    std::vector<std::thread> threads;
    for (int i = 0; i < 8; ++i) threads.emplace_back([&ran] { ++ran; });
    for (std::thread& thread : threads) thread.join();
    expect(ran == 8, "eight threads");
  });
}

TEST_F(LimitsTest, DiskBombReachesTheDiskLimit) {
  expect_limit(
      [] {
        for (int i = 0;; ++i) write_file("/tmp/file" + std::to_string(i), 1 << 20);
      },
      Limit::kDisk);
}

TEST_F(LimitsTest, ManyEmptyFilesReachTheDiskLimit) {
  expect_limit(
      [] {
        for (int i = 0;; ++i) write_file("/tmp/file" + std::to_string(i), 0);
      },
      Limit::kDisk);
}

TEST_F(LimitsTest, OneLargeFileReachesTheLimitOnFiles) {
  expect_limit([] { write_file("/tmp/file", 3 << 20); }, Limit::kFileBytes);
}

TEST_F(LimitsTest, OutputBombReachesTheOutputLimit) {
  const Outcome outcome = run([] {
    const std::string text(1 << 12, 'x');
    while (write(1, text.data(), text.size()) > 0) {
    }
  });
  EXPECT_EQ(outcome.ending, Ending(LimitReached{Limit::kOutput}));
  EXPECT_EQ(outcome.output, std::string(outcome.output.size(), 'x'));
  EXPECT_LE(outcome.output.size(), 16384U);
}

TEST_F(LimitsTest, OutputUpToTheLimitIsFine) {
  const Outcome outcome = run([] {
    const std::string text(1 << 15, 'x');
    expect(write(1, text.data(), text.size()) == 1 << 15, "write to stdout");
    expect(write(2, text.data(), text.size()) == 1 << 15, "write to stderr");
  });
  EXPECT_TRUE(outcome.completed()) << outcome.text();
  EXPECT_EQ(outcome.output_bytes, 1U << 16);
}

TEST_F(LimitsTest, OpenFilesRunOut) {
  expect_completes([] {
    int last = 0;
    for (int i = 0; i < 100 && last >= 0; ++i) last = open("/dev/null", O_RDONLY | O_CLOEXEC);
    expect_refused(last, EMFILE, "the hundredth file");
  });
}

TEST_F(LimitsTest, LimitsCannotBeRaised) {
  expect_completes([] {
    const rlimit more = {.rlim_cur = 1000, .rlim_max = 1000};
    expect_refused(setrlimit(RLIMIT_NOFILE, &more), EPERM, "setrlimit");
    rlimit now = {};
    expect(getrlimit(RLIMIT_NOFILE, &now) == 0 && now.rlim_max == 64, "getrlimit");
  });
}

}  // namespace
}  // namespace tritonrl::sandbox
