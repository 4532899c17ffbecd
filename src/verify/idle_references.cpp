#include "verify/idle_references.h"

#include <algorithm>
#include <utility>

namespace tritonrl::verify {

void IdleReferences::put(OpenReference reference) {
  if (!reference.oracle) return;
  if (config_.most_open == 0 || !reference.oracle->holds_cases()) return close(*reference.oracle);
  std::list<OpenReference> longest;  // destroyed after the lock: a process ends
  const std::scoped_lock lock(mutex_);
  open_.push_back(std::move(reference));
  if (open_.size() > config_.most_open) longest.splice(longest.end(), open_, open_.begin());
}

void IdleReferences::close(Oracle& oracle) {
  if (config_.most_processes == 0) return;
  auto process = oracle.release();
  const std::scoped_lock lock(mutex_);
  if (process && processes_.size() < config_.most_processes) processes_.push_back(std::move(process));
}

std::optional<OpenReference> IdleReferences::take(const std::shared_ptr<const task::Task>& task) {
  const std::scoped_lock lock(mutex_);
  const auto found = std::ranges::find(open_, task, &OpenReference::task);
  if (found == open_.end()) return std::nullopt;
  OpenReference taken = std::move(*found);
  open_.erase(found);
  return taken;
}

void IdleReferences::close_processes() {
  std::vector<std::unique_ptr<GuestProcess>> ended;  // after the lock
  const std::scoped_lock lock(mutex_);
  ended.swap(processes_);
}

std::unique_ptr<GuestProcess> IdleReferences::take_process() {
  const std::scoped_lock lock(mutex_);
  if (processes_.empty()) return nullptr;
  auto process = std::move(processes_.back());
  processes_.pop_back();
  return process;
}

}  // namespace tritonrl::verify
