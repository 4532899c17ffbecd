#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/file.h"
#include "ttir/ir/program.h"
#include "ttir/unsupported.h"

namespace tritonrl::tests {

// A module with one kernel, whose body is `body` and a return.
inline std::string kernel_text(std::string_view body, std::string_view parameters = {}) {
  return "module {\n  tt.func public @kernel(" + std::string(parameters) + ") {\n" + std::string(body) +
         "\n    tt.return\n  }\n}\n";
}

inline std::vector<std::filesystem::path> data_files() {
  std::vector<std::filesystem::path> files;
  const auto folder = std::filesystem::path(TRITONRL_SOURCE_DIR) / "tests" / "ttir" / "data";
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    if (entry.path().extension() == ".ttir") files.push_back(entry.path());
  return files;
}

inline std::string data_text(std::string_view name) {
  return base::read_file(std::filesystem::path(TRITONRL_SOURCE_DIR) / "tests" / "ttir" / "data" / name);
}

// "3:7: problem" of the InputError that `text` is refused with, "unsupported: ..." of an UnsupportedError, or "".
inline std::string refusal(std::string_view text) {
  try {
    ttir::parse_module(text);
  } catch (const base::InputError& error) {
    return std::to_string(error.where().line) + ":" + std::to_string(error.where().column) + ": " + error.problem();
  } catch (const ttir::UnsupportedError& error) {
    return std::string("unsupported: ") + error.what();
  }
  return {};
}

}  // namespace tritonrl::tests
