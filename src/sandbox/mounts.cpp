#include "sandbox/mounts.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>
#include <utility>

#include "base/error.h"
#include "base/file.h"

namespace tritonrl::sandbox {
namespace {

namespace fs = std::filesystem;

constexpr const char* kStage = "/tmp";  // any folder: the new root is built on top of it, then it is left behind

[[noreturn]] void fail(const std::string& action) { throw base::HostError::from_errno(action, errno); }

// A copy of the mounts at and under a path, at no place yet.
struct Tree {
  fs::path place;
  base::UniqueFd fd;
  bool is_folder = true;
};

void restrict_tree(int fd, std::uint64_t attributes, const fs::path& path) {
  struct mount_attr change = {};
  change.attr_set = attributes;
  if (mount_setattr(fd, "", AT_EMPTY_PATH | AT_RECURSIVE, &change, sizeof change) != 0)
    fail("make " + path.string() + " read-only");
}

bool covers(const fs::path& folder, const fs::path& path) {
  return std::mismatch(folder.begin(), folder.end(), path.begin(), path.end()).first == folder.end();
}

Tree take(const fs::path& source, fs::path place, std::uint64_t attributes) {
  Tree tree{.place = std::move(place),
            .fd = base::UniqueFd(open_tree(AT_FDCWD, source.c_str(),
                                           OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC | static_cast<unsigned>(AT_RECURSIVE)))};
  if (!tree.fd) fail("take " + source.string() + " into the sandbox");
  restrict_tree(tree.fd.get(), attributes, source);
  struct stat about = {};
  if (fstat(tree.fd.get(), &about) != 0) fail("look at " + source.string());
  tree.is_folder = S_ISDIR(about.st_mode);
  return tree;
}

// Each read path at its own place and, where it leads over a symbolic link, at the real one too.
std::vector<std::pair<fs::path, fs::path>> placed_sources(const Policy& policy) {
  std::vector<std::pair<fs::path, fs::path>> result;  // place, source
  for (const fs::path& given : policy.read_paths()) {
    std::error_code error;
    const fs::path real = fs::canonical(given, error);
    if (error) continue;
    result.emplace_back(given.lexically_normal(), real);
    result.emplace_back(real, real);
  }
  std::sort(result.begin(), result.end());
  std::vector<std::pair<fs::path, fs::path>> kept;
  for (auto& entry : result) {
    const bool covered =
        std::any_of(kept.begin(), kept.end(), [&](const auto& above) { return covers(above.first, entry.first); });
    if (!covered) kept.push_back(std::move(entry));
  }
  return kept;
}

std::vector<Tree> take_trees(const Policy& policy) {
  constexpr std::uint64_t kFiles = MOUNT_ATTR_RDONLY | MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV;
  constexpr std::uint64_t kDevices = MOUNT_ATTR_NOSUID | MOUNT_ATTR_NOEXEC;
  std::vector<Tree> trees;
  for (const auto& [place, source] : placed_sources(policy)) trees.push_back(take(source, place, kFiles));
  // null: discarded output. zero: nothing but memory. urandom: seeds of libraries without getrandom.
  for (const char* device : {"/dev/null", "/dev/zero", "/dev/urandom"}) trees.push_back(take(device, device, kDevices));
  for (const fs::path& device : gpu_devices(policy)) trees.push_back(take(device, device, kDevices));
  return trees;
}

void make_folders(const fs::path& path) {
  std::error_code error;
  fs::create_directories(path, error);
  if (error) throw base::HostError::from_errno("make " + path.string() + " in the sandbox's root", error.value());
}

void put(const Tree& tree, const fs::path& root) {
  const fs::path target = root / tree.place.relative_path();
  make_folders(tree.is_folder ? target : target.parent_path());
  if (!tree.is_folder) {
    const base::UniqueFd file(open(target.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
    if (!file) fail("make " + target.string());
  }
  if (move_mount(tree.fd.get(), "", AT_FDCWD, target.c_str(), MOVE_MOUNT_F_EMPTY_PATH) != 0)
    fail("mount " + tree.place.string() + " in the sandbox");
}

void mount_tmpfs(const fs::path& path, unsigned long flags, const std::string& options) {
  if (mount("tmpfs", path.c_str(), "tmpfs", flags, options.c_str()) != 0) fail("mount a tmpfs on " + path.string());
}

void mount_tmp(const fs::path& root, const Policy& policy, unsigned owner) {
  const fs::path tmp = root / fs::path(kGuestTmp).relative_path();
  make_folders(tmp);
  // noexec: what a guest writes can never be loaded as code. One inode for 4 KiB at most: they are memory too.
  const std::uint64_t bytes = policy.limits().disk_bytes;
  mount_tmpfs(tmp, MS_NOSUID | MS_NODEV | MS_NOEXEC,
              fmt::format("size={},nr_inodes={},mode=700,uid={},gid={}", std::max<std::uint64_t>(bytes, 4096),
                          std::clamp<std::uint64_t>(bytes / 4096, 64, 65536), owner, owner));
  for (const char* folder : {kHomeFolder, kTritonCacheFolder}) {
    const fs::path path = tmp.string() + folder;
    make_folders(path);
    if (chown(path.c_str(), owner, owner) != 0) fail("give the guest its " + path.string());
  }
}

void become_root(const fs::path& root) {
  if (chdir(root.c_str()) != 0) fail("enter the sandbox's root");
  // The old root ends up on top of the new one, from where it is taken away.
  if (syscall(SYS_pivot_root, ".", ".") != 0) fail("change the root");
  if (umount2(".", MNT_DETACH) != 0) fail("leave the old root");
  if (chdir("/") != 0) fail("enter the sandbox's root");
  struct mount_attr read_only = {};
  read_only.attr_set = MOUNT_ATTR_RDONLY;
  if (mount_setattr(AT_FDCWD, "/", 0, &read_only, sizeof read_only) != 0) fail("make the sandbox's root read-only");
}

}  // namespace

std::vector<fs::path> gpu_devices(const Policy& policy) {
  const std::optional<int> gpu = policy.gpu();
  if (!gpu) return {};
  const std::vector<fs::path> candidates = {"/dev/nvidiactl", "/dev/nvidia-uvm", "/dev/nvidia-uvm-tools",
                                            fmt::format("/dev/nvidia{}", *gpu)};
  std::vector<fs::path> result;
  std::error_code error;
  for (const fs::path& path : candidates)
    if (fs::exists(path, error)) result.push_back(path);
  return result;
}

void enter_private_root(const Policy& policy, unsigned owner) {
  if (unshare(CLONE_NEWNS) != 0) fail("make a mount namespace");
  if (mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0) fail("keep mounts private");
  const std::vector<Tree> trees = take_trees(policy);  // before the stage hides anything
  mount_tmpfs(kStage, MS_NOSUID | MS_NODEV | MS_NOEXEC, "size=1m,nr_inodes=4096,mode=755");
  mount_tmp(kStage, policy, owner);
  for (const Tree& tree : trees) put(tree, kStage);
  if (policy.gpu()) {
    // The CUDA driver reads it, and a new pid namespace needs one of its own.
    make_folders(fs::path(kStage) / "proc");
    if (mount("proc", (fs::path(kStage) / "proc").c_str(), "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC, nullptr) != 0)
      fail("mount /proc in the sandbox");
  }
  become_root(kStage);
}

void mount_scratch(const std::string& folder, std::uint64_t bytes) {
  if (mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0) fail("keep mounts private");
  mount_tmpfs(folder, MS_NOSUID | MS_NODEV, fmt::format("size={},mode=700", bytes));
}

}  // namespace tritonrl::sandbox
