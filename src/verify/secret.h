#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace tritonrl::verify {

// What seeds are drawn from: kept in a file of the user's, so that verdicts repeat and no candidate can guess inputs.
class Secret {
 public:
  // Reads the file; makes it, readable by its owner only, where there is none.
  static Secret load(const std::filesystem::path& file);
  // $TRITONRL_SECRET, else tritonrl/secret in the user's data folder.
  static std::filesystem::path default_file();

  // The same for the same task and code.
  std::uint64_t seed(std::string_view task_key, std::string_view code_sha256) const;
  // Tells secrets apart without telling them.
  std::string fingerprint() const;

 private:
  explicit Secret(std::string bytes) : bytes_(std::move(bytes)) {}
  std::string bytes_;
};

}  // namespace tritonrl::verify
