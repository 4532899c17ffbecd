#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>

#include "rl/judge.h"
#include "rl/sample.h"

namespace tritonrl::rl {

struct AuditConfig {
  double share = 0.01;     // of accepted samples
  double most = 0.01;      // share of disagreement above which training must stop,
  std::int64_t least = 3;  // once there were as many: a single one says little about a share
  std::uint64_t seed = 1;
};

// Judges some of the accepted samples again, in full and with other seeds: what training rewards must not drift from
// what is right.
class Audit {
 public:
  // `judge` is asked for once there is something to judge.
  Audit(const AuditConfig& config, std::function<Judge&()> judge);

  // Draws from a step's samples, and leaves the second verdict with each; which ones depends on seed and step alone.
  // `task_of` knows a sample's task.
  void check(std::int64_t step, std::span<Group> groups,
             const std::function<std::shared_ptr<const task::Task>(const Sample&)>& task_of);

  std::int64_t checked() const { return checked_; }
  std::int64_t disagreed() const { return disagreed_; }
  void go_on_from(std::int64_t checked, std::int64_t disagreed);

  bool failed() const;

 private:
  AuditConfig config_;
  std::function<Judge&()> judge_;
  std::int64_t checked_ = 0;
  std::int64_t disagreed_ = 0;
};

}  // namespace tritonrl::rl
