#pragma once

#include <filesystem>
#include <vector>

namespace tritonrl::sandbox {

// The version of the kernel's Landlock; 0: it has none.
int landlock_abi();

// What the calling thread may reach from now on. Everything else is refused, and so is TCP, and signals and abstract
// sockets across the sandbox's border where the kernel can.
struct FileAccess {
  std::vector<std::filesystem::path> read;
  std::vector<std::filesystem::path> write;    // and read, make, remove
  std::vector<std::filesystem::path> devices;  // read, write, and ioctl calls of the driver
};
void restrict_with_landlock(const FileAccess& access);

}  // namespace tritonrl::sandbox
