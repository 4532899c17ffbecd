#pragma once

#include <filesystem>
#include <string_view>

namespace tritonrl::base {

// A folder among the machine's temporary ones, for this user alone, that is gone with this object.
class TemporaryFolder {
 public:
  explicit TemporaryFolder(std::string_view name);  // of which its own begins
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  TemporaryFolder(TemporaryFolder&&) = delete;
  TemporaryFolder& operator=(TemporaryFolder&&) = delete;

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace tritonrl::base
