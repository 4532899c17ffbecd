#include "tests/analysis/case_file.h"

#include <algorithm>
#include <stdexcept>

#include "analysis/rule.h"
#include "base/file.h"
#include "base/text.h"
#include "task/suite.h"

namespace tritonrl::analysis {
namespace {

[[noreturn]] void fail(const std::filesystem::path& path, const std::string& problem) {
  throw std::runtime_error(path.string() + ": " + problem);
}

void read_expectation(CaseFile& file, std::string_view value) {
  const auto words = base::split(value, ' ');
  if (value == "accept") return;
  if (words.size() != 2 || words[0] != "reject") fail(file.path, "expect is 'accept' or 'reject RULE'");
  file.expected_rule = rule(words[1]).id;
}

}  // namespace

std::string CaseFile::name() const { return path.parent_path().filename().string() + "/" + path.stem().string(); }

CaseFile read_case(const std::filesystem::path& path) {
  CaseFile file;
  file.path = path;
  file.text = base::read_file(path);
  bool described = false;
  bool expected = false;
  std::string_view rest = file.text;
  if (rest.starts_with("\xEF\xBB\xBF")) rest.remove_prefix(3);
  while (rest.starts_with("# ")) {
    const std::string_view line = base::strip(rest.substr(2, rest.find('\n') - 2));
    rest.remove_prefix(std::min(rest.size(), rest.find('\n') + 1));
    const auto colon = line.find(": ");
    if (colon == std::string_view::npos) fail(path, "this is no `# key: value` line: " + std::string(line));
    const std::string_view key = line.substr(0, colon);
    const std::string value(base::strip(line.substr(colon + 2)));
    if (key == "case") {
      described = true;
    } else if (key == "expect") {
      read_expectation(file, value);
      expected = true;
    } else if (key == "rule") {
      file.rule = rule(value).id;
    } else if (key == "role") {
      if (value != "caught" && value != "similar" && value != "disguised")
        fail(path, "role is caught, similar or disguised");
      file.role = value;
    } else if (key == "suspect") {
      file.expected_suspects.emplace_back(rule(value).id);
    } else if (key == "task") {
      file.task = value;
    } else if (key == "policy") {
      file.policy = value;
    } else if (key == "entry") {
      file.entry = value;
    } else if (key == "format") {
      if (value != "response") fail(path, "format is response, or is left out");
      file.response = true;
    } else if (key == "verify" || key == "static" || key == "general" || key == "cuda") {
      // For the run-time layers: tests/verify/test_cases.py reads and checks them.
    } else {
      fail(path, "unknown key '" + std::string(key) + "'");
    }
  }
  if (!described || !expected) fail(path, "a case says `# case:` and `# expect:`");
  if (file.rule.empty() != file.role.empty()) fail(path, "rule and role go together");
  return file;
}

std::filesystem::path cases_folder() { return std::filesystem::path(TRITONRL_SOURCE_DIR) / "tests" / "cases"; }

std::vector<CaseFile> all_cases() {
  std::vector<std::filesystem::path> paths;
  for (const char* folder : {"honest", "wrong", "cheating", "hostile"}) {
    for (const auto& entry : std::filesystem::directory_iterator(cases_folder() / folder)) {
      if (entry.path().extension() == ".py" || entry.path().extension() == ".md") paths.push_back(entry.path());
    }
  }
  std::ranges::sort(paths);
  std::vector<CaseFile> cases;
  for (const auto& path : paths) cases.push_back(read_case(path));
  return cases;
}

StaticReport check_case(const CaseFile& file) {
  CheckOptions options;
  options.entry = file.entry == "none" ? std::nullopt : std::optional(file.entry);
  options.policy = policy_named(file.policy).value();
  ReferenceProfile reference;
  if (!file.task.empty()) {
    reference = profile_reference(task::load_task_file(cases_folder() / file.task).source);
    options.reference = &reference;
  }
  return file.response ? check_response(file.text, options) : check_source(file.text, options);
}

}  // namespace tritonrl::analysis
