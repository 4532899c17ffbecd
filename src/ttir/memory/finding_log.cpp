#include "ttir/memory/finding_log.h"

#include <functional>

namespace tritonrl::ttir {

std::size_t FindingLog::KeyHash::operator()(const Key& key) const {
  return std::hash<const void*>{}(key.rule) * 31 + key.location;
}

Finding* FindingLog::find(const SanitizerRule& rule, LocationId location) {
  const auto found = index_.find(Key{&rule, location});
  return found == index_.end() ? nullptr : &findings_[found->second];
}

void FindingLog::append(Finding finding) {
  index_.emplace(Key{finding.rule, finding.location}, findings_.size());
  findings_.push_back(std::move(finding));
}

}  // namespace tritonrl::ttir
