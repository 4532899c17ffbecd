#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/static_check.h"

namespace tritonrl::analysis {

// A file under tests/cases/: a header of `# key: value` lines, then a candidate, judged header and all.
struct CaseFile {
  std::filesystem::path path;
  std::string text;
  std::string expected_rule;  // empty: it must be accepted
  std::vector<std::string> expected_suspects;
  std::string rule;
  std::string role;  // caught, similar or disguised
  std::string task;  // relative to tests/cases/
  std::string entry = "ModelNew";
  std::string policy = "strict";
  bool response = false;

  std::string name() const;  // cheating/torch_matmul
};

// Throws std::runtime_error for a header that does not say what is expected, or says something unknown.
CaseFile read_case(const std::filesystem::path& path);

std::filesystem::path cases_folder();
// Every case, in order of path.
std::vector<CaseFile> all_cases();

StaticReport check_case(const CaseFile& file);

}  // namespace tritonrl::analysis
