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

struct IdleReferencesConfig {
  std::size_t most_open = 0;       // with their cases: in training those of a few tasks come by turns
  std::size_t most_processes = 0;  // for whatever task is next: on a GPU their contexts are dear
};

// References between candidates. Safe from any thread.
class IdleReferences {
 public:
  explicit IdleReferences(IdleReferencesConfig config) : config_(config) {}

  // Stays open where it holds cases for others; the one that has waited longest makes room.
  void put(OpenReference reference);
  std::optional<OpenReference> take(const std::shared_ptr<const task::Task>& task);
  // Of a reference that was closed; nothing where there is none.
  std::unique_ptr<GuestProcess> take_process();
  void close_processes();

 private:
  void close(Oracle& oracle);

  IdleReferencesConfig config_;
  std::mutex mutex_;
  std::list<OpenReference> open_;  // the last came last
  std::vector<std::unique_ptr<GuestProcess>> processes_;
};

}  // namespace tritonrl::verify
