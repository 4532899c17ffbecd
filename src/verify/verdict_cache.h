#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "base/json.h"

namespace tritonrl::verify {

// Verdicts by the digest of everything they depend on. One file each, written whole or not at all: a killed program and
// several writers leave nothing half done. A file that cannot be read as a verdict counts as absent.
class VerdictCache {
 public:
  explicit VerdictCache(std::filesystem::path folder);

  std::optional<base::Json> find(const std::string& key) const;
  // A full or broken disk is a HostError.
  void store(const std::string& key, const base::Json& verdict) const;

 private:
  std::filesystem::path file(const std::string& key) const;

  std::filesystem::path folder_;
};

}  // namespace tritonrl::verify
