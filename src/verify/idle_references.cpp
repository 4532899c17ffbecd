#include "verify/idle_references.h"

#include <algorithm>
#include <utility>

namespace tritonrl::verify {

void IdleReferences::put(OpenReference reference) {
  if (!reference.oracle || !reference.oracle->holds_cases()) return;
  std::list<OpenReference> closed;  // destroyed after the lock: a process ends
  const std::scoped_lock lock(mutex_);
  waiting_.push_back(std::move(reference));
  if (waiting_.size() > most_) closed.splice(closed.end(), waiting_, waiting_.begin());
}

std::optional<OpenReference> IdleReferences::take(const std::shared_ptr<const task::Task>& task) {
  const std::scoped_lock lock(mutex_);
  const auto found = std::ranges::find(waiting_, task, &OpenReference::task);
  if (found == waiting_.end()) return std::nullopt;
  OpenReference taken = std::move(*found);
  waiting_.erase(found);
  return taken;
}

}  // namespace tritonrl::verify
