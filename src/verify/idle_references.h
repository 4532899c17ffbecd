#pragma once

#include <cstddef>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "analysis/reference_profile.h"
#include "task/task.h"
#include "verify/oracle.h"
#include "verify/reference_times.h"

namespace tritonrl::verify {

// The reference of a task, and what is known of it.
struct OpenReference {
  std::string key;
  std::shared_ptr<const task::Task> task;
  analysis::ReferenceProfile profile;
  std::optional<std::vector<task::Variant>> stand_ins;  // once they are known
  std::unique_ptr<Oracle> oracle;                       // once it was asked
  std::shared_ptr<ReferenceTimes> times;                // where they are measured
};

// References between candidates: in training those of a few tasks come by turns. Safe from any thread.
class IdleReferences {
 public:
  explicit IdleReferences(std::size_t most) : most_(most) {}

  // Closes what holds no case for others; and where there are more than `most`, the one that has waited longest.
  void put(OpenReference reference);
  std::optional<OpenReference> take(const std::shared_ptr<const task::Task>& task);

 private:
  std::size_t most_;
  std::mutex mutex_;
  std::list<OpenReference> waiting_;  // the last came last
};

}  // namespace tritonrl::verify
