#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "ttir/finding.h"

namespace tritonrl::ttir {

// The findings of one view, in the order of their first occurrence: one for each rule and location.
class FindingLog {
 public:
  explicit FindingLog(std::size_t max_findings) : max_findings_(max_findings) {}

  // `message` is called for the first occurrence alone.
  template <typename Message>
  void add(const SanitizerRule& rule, LocationId location, ProgramId program, std::int64_t lane, std::uint64_t times,
           Message&& message) {
    if (Finding* known = find(rule, location)) {
      known->occurrences += times;
    } else if (findings_.size() < max_findings_) {
      append({&rule, location, program, lane, std::forward<Message>(message)(), times});
    }
  }

  const std::vector<Finding>& findings() const { return findings_; }

 private:
  struct Key {
    const SanitizerRule* rule;
    LocationId location;
    bool operator==(const Key&) const = default;
  };
  struct KeyHash {
    std::size_t operator()(const Key& key) const;
  };
  Finding* find(const SanitizerRule& rule, LocationId location);
  void append(Finding finding);

  std::size_t max_findings_;
  std::vector<Finding> findings_;
  std::unordered_map<Key, std::size_t, KeyHash> index_;
};

}  // namespace tritonrl::ttir
