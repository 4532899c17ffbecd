#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "sandbox/policy.h"

namespace tritonrl::sandbox {

// Where a guest may write: its home, its temporary files, Triton's cache.
inline constexpr const char* kGuestTmp = "/tmp";
// Under it.
inline constexpr const char* kHomeFolder = "/home";
inline constexpr const char* kTritonCacheFolder = "/triton";

// Gives the calling process a mount namespace and in it a root that holds the policy's paths, read-only, a few devices
// and an empty /tmp that belongs to `owner`; nothing of the old root can be reached afterwards.
void enter_private_root(const Policy& policy, unsigned owner);

// The nvidia nodes of /dev that this policy's GPU needs and the machine has.
std::vector<std::filesystem::path> gpu_devices(const Policy& policy);

// An empty file system in memory on `folder`, in the mount namespace of this process and its children.
void mount_scratch(const std::string& folder, std::uint64_t bytes);

}  // namespace tritonrl::sandbox
