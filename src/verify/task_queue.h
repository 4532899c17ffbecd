#pragma once

#include <cstddef>
#include <deque>
#include <map>
#include <mutex>
#include <optional>
#include <vector>

namespace tritonrl::verify {

// Work of many tasks for many workers. A worker that has begun with a task goes on with it as long as there is work of
// it, since changing costs a new process of the reference. Safe from any thread.
class TaskQueue {
 public:
  using TaskId = const void*;

  // `tasks`: of each piece of work.
  explicit TaskQueue(const std::vector<TaskId>& tasks);

  // The number of a piece of work for a worker whose last one was of `last`; nothing when none is left. First of its
  // own task, then of one that nobody works on, then of the one with most left to do.
  std::optional<std::size_t> next(TaskId last);

 private:
  using Waiting = std::deque<std::size_t>;
  Waiting* waiting_for(TaskId last);

  std::mutex mutex_;
  std::map<TaskId, std::size_t> places_;
  std::vector<Waiting> by_task_;  // in the order in which tasks first come
  std::size_t first_not_begun_ = 0;
};

}  // namespace tritonrl::verify
