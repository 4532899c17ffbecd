#include "sandbox/landlock.h"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>

#include "base/error.h"
#include "base/file.h"

namespace tritonrl::sandbox {
namespace {

// From the kernel's interface, here by value: headers of older systems know only the first of them.
constexpr unsigned kVersion = 1U << 0;
constexpr int kPathBeneath = 1;
constexpr std::uint64_t kExecute = 1ULL << 0;
constexpr std::uint64_t kWriteFile = 1ULL << 1;
constexpr std::uint64_t kReadFile = 1ULL << 2;
constexpr std::uint64_t kReadDir = 1ULL << 3;
constexpr std::uint64_t kRemoveDir = 1ULL << 4;
constexpr std::uint64_t kRemoveFile = 1ULL << 5;
constexpr std::uint64_t kMakeDir = 1ULL << 7;
constexpr std::uint64_t kMakeReg = 1ULL << 8;
constexpr std::uint64_t kMakeFifo = 1ULL << 10;
constexpr std::uint64_t kMakeSym = 1ULL << 12;
constexpr std::uint64_t kRefer = 1ULL << 13;
constexpr std::uint64_t kTruncate = 1ULL << 14;
constexpr std::uint64_t kIoctlDev = 1ULL << 15;
constexpr std::uint64_t kTcp = 0b11;     // bind, connect
constexpr std::uint64_t kScopes = 0b11;  // abstract unix sockets, signals

// Rights on files that each version of the interface knows.
constexpr std::array<std::uint64_t, 5> kKnownRights = {(1ULL << 13) - 1, (1ULL << 14) - 1, (1ULL << 15) - 1,
                                                       (1ULL << 15) - 1, (1ULL << 16) - 1};

struct RulesetAttributes {
  std::uint64_t handled_access_fs;
  std::uint64_t handled_access_net;
  std::uint64_t scoped;
};

struct __attribute__((packed)) PathBeneath {
  std::uint64_t allowed_access;
  std::int32_t parent_fd;
};

std::uint64_t known_rights(int abi) {
  return kKnownRights[static_cast<std::size_t>(std::clamp(abi, 1, static_cast<int>(kKnownRights.size()))) - 1];
}

void allow(int ruleset, const std::filesystem::path& path, std::uint64_t rights) {
  const base::UniqueFd fd(open(path.c_str(), O_PATH | O_CLOEXEC));
  if (!fd) {
    if (errno == ENOENT || errno == ENOTDIR) return;  // not on this machine
    throw base::HostError::from_errno("open " + path.string() + " for Landlock", errno);
  }
  struct stat about = {};
  if (fstat(fd.get(), &about) != 0) throw base::HostError::from_errno("look at " + path.string(), errno);
  constexpr std::uint64_t kOfFiles = kExecute | kWriteFile | kReadFile | kTruncate | kIoctlDev;
  PathBeneath rule = {.allowed_access = S_ISDIR(about.st_mode) ? rights : rights & kOfFiles, .parent_fd = fd.get()};
  if (syscall(SYS_landlock_add_rule, ruleset, kPathBeneath, &rule, 0) != 0)
    throw base::HostError::from_errno("allow " + path.string() + " by Landlock", errno);
}

}  // namespace

int landlock_abi() {
  const long abi = syscall(SYS_landlock_create_ruleset, nullptr, 0, kVersion);
  return abi > 0 ? static_cast<int>(abi) : 0;
}

void restrict_with_landlock(const FileAccess& access) {
  const int abi = landlock_abi();
  if (abi == 0) throw base::HostError::from_errno("use Landlock", errno);
  const std::uint64_t known = known_rights(abi);
  const RulesetAttributes attributes = {
      .handled_access_fs = known, .handled_access_net = abi >= 4 ? kTcp : 0, .scoped = abi >= 6 ? kScopes : 0};
  std::size_t size = sizeof(std::uint64_t);  // older kernels know fewer fields
  if (abi >= 4) size = 2 * sizeof(std::uint64_t);
  if (abi >= 6) size = sizeof attributes;
  const base::UniqueFd ruleset(static_cast<int>(syscall(SYS_landlock_create_ruleset, &attributes, size, 0)));
  if (!ruleset) throw base::HostError::from_errno("make a Landlock ruleset", errno);

  constexpr std::uint64_t kRead = kReadFile | kReadDir;
  constexpr std::uint64_t kWrite =
      kRead | kWriteFile | kRemoveDir | kRemoveFile | kMakeDir | kMakeReg | kMakeFifo | kMakeSym | kRefer | kTruncate;
  for (const auto& path : access.read) allow(ruleset.get(), path, kRead & known);
  for (const auto& path : access.write) allow(ruleset.get(), path, kWrite & known);
  for (const auto& path : access.devices) allow(ruleset.get(), path, (kReadFile | kWriteFile | kIoctlDev) & known);

  if (syscall(SYS_landlock_restrict_self, ruleset.get(), 0) != 0)
    throw base::HostError::from_errno("restrict the process with Landlock", errno);
}

}  // namespace tritonrl::sandbox
