#include "base/temporary_folder.h"

#include <stdlib.h>

#include <cerrno>
#include <string>

#include "base/error.h"

namespace tritonrl::base {

TemporaryFolder::TemporaryFolder(std::string_view name) {
  std::string path = (std::filesystem::temp_directory_path() / name).string() + "-XXXXXX";
  if (mkdtemp(path.data()) == nullptr) throw HostError::from_errno("make " + path, errno);
  path_ = path;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

}  // namespace tritonrl::base
