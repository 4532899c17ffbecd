#pragma once

#include <cstdlib>
#include <filesystem>
#include <optional>

namespace tritonrl::verify {

// The Python that tests compile with: $TRITONRL_PYTHON, else the tree's own.
inline std::optional<std::filesystem::path> test_python() {
  const char* named = std::getenv("TRITONRL_PYTHON");
  const std::filesystem::path path = named != nullptr ? named : TRITONRL_SOURCE_DIR "/.venv/bin/python";
  return std::filesystem::exists(path) ? std::optional(path) : std::nullopt;
}

}  // namespace tritonrl::verify
