#include "verify/task_queue.h"

#include <algorithm>

namespace tritonrl::verify {

TaskQueue::TaskQueue(const std::vector<TaskId>& tasks) {
  for (std::size_t n = 0; n < tasks.size(); ++n) {
    const auto [place, added] = places_.emplace(tasks[n], by_task_.size());
    if (added) by_task_.emplace_back();
    by_task_[place->second].push_back(n);
  }
}

TaskQueue::Waiting* TaskQueue::waiting_for(TaskId last) {
  const auto found = places_.find(last);
  if (found != places_.end() && !by_task_[found->second].empty()) return &by_task_[found->second];
  if (first_not_begun_ < by_task_.size()) return &by_task_[first_not_begun_++];
  const auto most = std::ranges::max_element(by_task_, {}, &Waiting::size);
  return most == by_task_.end() || most->empty() ? nullptr : &*most;
}

std::optional<std::size_t> TaskQueue::next(TaskId last) {
  const std::scoped_lock lock(mutex_);
  Waiting* const waiting = waiting_for(last);
  if (waiting == nullptr) return std::nullopt;
  const std::size_t taken = waiting->front();
  waiting->pop_front();
  return taken;
}

}  // namespace tritonrl::verify
