#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "base/json.h"
#include "task/task.h"
#include "ttir/cost_model.h"
#include "verify/guest_device.h"

namespace tritonrl::verify {

// One call as it was traced, and the values of the task's dimensions then.
struct CountedCall {
  std::vector<task::Dimension> dims;
  const DeviceTrace* trace = nullptr;
};

// Modelled, never measured.
struct ModelledCall {
  double us = 0;
  double operators_us = 0;  // of it, torch's
  double count_error = 0;   // the largest relative error of a scaled count; 0 when nothing was scaled
  bool large_grid = false;  // a launch seems to have more programs along an axis than a device takes
  base::Json evidence;      // kernels with their share, formulas of what was scaled, and what did not scale cleanly
};

// What calls take on a device, from their traces: launches by their counts, torch operators by what dispatch shows.
class SpeedModel {
 public:
  // `product`: how torch computes products of this task.
  SpeedModel(const ttir::DeviceProfile& profile, ttir::Product product) : profile_(profile), product_(product) {}

  // What a compiler says of a kernel: {"registers", "spills", "shared"}. Kernels that it never saw are estimated.
  void compiled(const GuestKernel& kernel, const base::Json& evidence);

  ModelledCall as_counted(const DeviceTrace& trace) const;
  // At `dims`, from calls at other sizes. Launches and operators are matched by name, and may be more or fewer there;
  // launches by their place, where not all calls launch the same kernels.
  ModelledCall at(const std::vector<task::Dimension>& dims, std::span<const CountedCall> calls) const;

 private:
  struct Group;
  std::vector<Group> groups_of(std::span<const CountedCall> calls) const;
  std::vector<Group> groups_by(std::span<const CountedCall> calls,
                               const std::function<std::string(const LaunchRecord&, std::size_t)>& key) const;

  const ttir::DeviceProfile& profile_;
  ttir::Product product_;
  std::map<const GuestKernel*, ttir::KernelShape> compiled_;
};

}  // namespace tritonrl::verify
