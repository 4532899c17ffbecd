#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <deque>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tests/ttir/parser_fixture.h"
#include "ttir/launch.h"

namespace tritonrl::tests {

using ttir::Address;
using ttir::AddressSpace;
using ttir::Argument;
using ttir::Code;
using ttir::Contents;
using ttir::Finding;
using ttir::LaunchOptions;
using ttir::LaunchReport;
using ttir::ProgramId;

// A kernel of the given parameters and body, arrays as its arguments, and a launch.
class LaunchFixture {
 public:
  LaunchFixture(std::string_view parameters, std::string_view body)
      : code_(ttir::lower(ttir::parse_module(kernel_text(body, parameters)))) {}
  // A whole module.
  explicit LaunchFixture(std::string_view module) : code_(ttir::lower(ttir::parse_module(module))) {}

  // An argument that points at `values`, which the fixture keeps; arrays lie far apart.
  template <typename T>
  LaunchFixture& array(std::vector<T> values, Contents contents = Contents::kDefined) {
    auto& bytes = memory_.emplace_back(values.size() * sizeof(T));
    std::ranges::copy(std::as_bytes(std::span(values)), bytes.begin());
    const Address base = 0x10000 * (memory_.size() + 1) * 16;
    space_.add(base, bytes.size(), bytes.data(), "array", contents);
    Argument argument;
    argument.integer = static_cast<std::int64_t>(base);
    argument.extent = {.name = "", .begin = base, .end = base + bytes.size(), .known = true};
    arguments_.push_back(argument);
    return *this;
  }

  LaunchFixture& integer(std::int64_t value) {
    arguments_.emplace_back().integer = value;
    return *this;
  }

  LaunchReport run(std::uint32_t programs = 1) { return run(ProgramId{programs, 1, 1}); }
  LaunchReport run(ProgramId grid) { return ttir::launch(code_, space_, grid, arguments_, options); }

  // What the array that was added as number `index` holds.
  template <typename T>
  std::vector<T> values(std::size_t index) const {
    const auto& bytes = memory_[index];
    std::vector<T> found(bytes.size() / sizeof(T));
    std::memcpy(found.data(), bytes.data(), bytes.size());
    return found;
  }

  const Code& code() const { return code_; }
  LaunchOptions options;

 private:
  Code code_;
  AddressSpace space_;
  std::deque<std::vector<std::byte>> memory_;
  std::vector<Argument> arguments_;
};

inline std::vector<std::string> rule_ids(const LaunchReport& report) {
  std::vector<std::string> ids;
  for (const Finding& finding : report.findings) ids.emplace_back(finding.rule->id);
  return ids;
}

}  // namespace tritonrl::tests
