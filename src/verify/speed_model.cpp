#include "verify/speed_model.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <string_view>
#include <utility>

#include "base/error.h"
#include "ttir/count_scaling.h"

#include <fmt/format.h>

namespace tritonrl::verify {
namespace {

// Beyond this a scaled count is said to be doubtful.
constexpr double kDoubtful = 0.02;

constexpr std::array<double, 3> kMostInGrid = {2147483647, 65535, 65535};

std::vector<double> values_of(const std::vector<task::Dimension>& dims) {
  std::vector<double> values;
  values.reserve(dims.size());
  for (const auto& dim : dims) values.push_back(static_cast<double>(dim.value));
  return values;
}

// Scales counts of one kind and remembers the worst.
class Scaler {
 public:
  Scaler(const std::vector<task::Dimension>& dims, std::span<const CountedCall> calls)
      : scaling_(names_of(dims), sizes_of(calls), values_of(dims)) {}

  ttir::ScaledCount scale(std::string_view what, std::span<const double> counts) {
    ttir::ScaledCount scaled = scaling_.scale(counts);
    if (scaled.error > kDoubtful)
      notes.insert(fmt::format("{}: {} is up to {:.0f} % off", what, scaled.formula, 100 * scaled.error));
    worst = std::max(worst, scaled.error);
    return scaled;
  }

  // Whatever comes of it is no count that times are modelled from.
  ttir::ScaledCount scale_quietly(std::span<const double> counts) const { return scaling_.scale(counts); }

  const std::string& unknown() const { return scaling_.unknown(); }

  std::set<std::string> notes;
  double worst = 0;

 private:
  static std::vector<std::string> names_of(const std::vector<task::Dimension>& dims) {
    std::vector<std::string> names;
    for (const auto& dim : dims) names.push_back(dim.name);
    return names;
  }
  static std::vector<std::vector<double>> sizes_of(std::span<const CountedCall> calls) {
    std::vector<std::vector<double>> sizes;
    sizes.reserve(calls.size());
    for (const auto& call : calls) sizes.push_back(values_of(call.dims));
    return sizes;
  }

  ttir::CountScaling scaling_;
};

struct OperatorTotal {
  std::vector<double> count;  // by call
  std::vector<double> bytes;
  std::vector<double> flops;
};

std::map<std::string, OperatorTotal> operators_of(std::span<const CountedCall> calls) {
  std::map<std::string, OperatorTotal> found;
  for (std::size_t i = 0; i < calls.size(); ++i) {
    for (const auto& op : calls[i].trace->operators) {
      if (op.detail.on_host != 0) continue;
      OperatorTotal& total = found[op.name];
      for (auto* counts : {&total.count, &total.bytes, &total.flops}) counts->resize(calls.size());
      total.count[i] += 1;
      total.bytes[i] += static_cast<double>(op.bytes);
      total.flops[i] += op.detail.flops;
    }
  }
  return found;
}

}  // namespace

// The launches of one kernel, over all calls; or those in one place, where it depends on sizes which kernel that is.
struct SpeedModel::Group {
  std::string name;
  std::vector<double> launches;             // by call
  std::vector<ttir::LaunchWork> work;       // of all launches of a call
  std::vector<double> frame_bytes;          // by call
  std::array<std::vector<double>, 3> grid;  // by axis and call: the largest
  ttir::KernelShape shape;                  // of the last call that launched it
  std::set<const GuestKernel*> kernels;
};

void SpeedModel::compiled(const GuestKernel& kernel, const base::Json& evidence) {
  ttir::KernelShape shape =
      ttir::kernel_shape(kernel.code, {{"options", base::Json::object()}, {"evidence", evidence}});
  shape.warps = kernel.shape.warps;
  shape.stages = kernel.shape.stages;
  compiled_[&kernel] = shape;
}

// What every call launches is matched by name. Where some do not launch what others do, nothing follows from a name:
// then places in the call are matched, where there are as many in each, and else all launches are taken together.
std::vector<SpeedModel::Group> SpeedModel::groups_of(std::span<const CountedCall> calls) const {
  auto groups = groups_by(calls, [](const LaunchRecord& launch, std::size_t /*place*/) { return launch.kernel->name; });
  const auto is_in_all = [](const Group& group) {
    return std::ranges::find(group.launches, 0.0) == group.launches.end();
  };
  if (std::ranges::all_of(groups, is_in_all)) return groups;
  const std::size_t places = calls.front().trace->launches.size();
  const bool alike =
      std::ranges::all_of(calls, [&](const CountedCall& call) { return call.trace->launches.size() == places; });
  groups = groups_by(calls, [&](const LaunchRecord& /*launch*/, std::size_t place) {
    return alike ? fmt::format("launch {}", place + 1) : "all launches";
  });
  // How many there would be at other sizes is not known from a few that differ.
  for (Group& group : groups) std::ranges::fill(group.launches, std::ranges::max(group.launches));
  return groups;
}

std::vector<SpeedModel::Group> SpeedModel::groups_by(
    std::span<const CountedCall> calls, const std::function<std::string(const LaunchRecord&, std::size_t)>& key) const {
  std::vector<Group> groups;
  for (std::size_t i = 0; i < calls.size(); ++i) {
    const auto& launches = calls[i].trace->launches;
    for (std::size_t place = 0; place < launches.size(); ++place) {
      const LaunchRecord& launch = launches[place];
      const std::string own = key(launch, place);
      auto group = std::ranges::find(groups, own, &Group::name);
      if (group == groups.end()) {
        groups.push_back({.name = own,
                          .launches = std::vector<double>(calls.size()),
                          .work = std::vector<ttir::LaunchWork>(calls.size()),
                          .frame_bytes = std::vector<double>(calls.size()),
                          .grid = {},
                          .shape = {},
                          .kernels = {}});
        group = groups.end() - 1;
        group->grid.fill(std::vector<double>(calls.size()));
      }
      const auto known = compiled_.find(launch.kernel);
      group->shape = known != compiled_.end() ? known->second : launch.kernel->shape;
      group->launches[i] += 1;
      group->frame_bytes[i] = static_cast<double>(group->shape.frame_bytes);
      for (std::size_t axis = 0; axis < 3; ++axis) {
        double& largest = group->grid[axis][i];
        largest = std::max(largest, static_cast<double>(launch.grid[axis]));
      }
      group->kernels.insert(launch.kernel);
      for (const auto& [name, field] : ttir::LaunchWork::fields()) group->work[i].*field += launch.cost.work.*field;
    }
  }
  return groups;
}

ModelledCall SpeedModel::as_counted(const DeviceTrace& trace) const {
  const CountedCall call{.dims = {}, .trace = &trace};
  return at({}, {&call, 1});
}

ModelledCall SpeedModel::at(const std::vector<task::Dimension>& dims, std::span<const CountedCall> calls) const {
  base::check(!calls.empty(), "a call is modelled from at least one that was counted");
  ModelledCall modelled{.us = profile_.call_us, .operators_us = 0, .count_error = 0, .evidence = base::Json::object()};
  Scaler scaler(dims, calls);
  base::Json kernels = base::Json::array();
  for (const Group& group : groups_of(calls)) {
    const double launches = scaler.scale(group.name + ": launches", group.launches).value;
    if (launches <= 0) continue;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      modelled.large_grid |= scaler.scale_quietly(group.grid[axis]).value > kMostInGrid[axis];
    }
    ttir::LaunchWork each;
    std::string programs;
    for (const auto& [name, field] : ttir::LaunchWork::fields()) {
      std::vector<double> counts;
      counts.reserve(group.work.size());
      for (const auto& work : group.work) counts.push_back(work.*field);
      const auto scaled = scaler.scale(fmt::format("{}: {}", group.name, name), counts);
      each.*field = scaled.value / launches;
      if (name == "programs") programs = scaled.formula;
    }
    ttir::KernelShape shape = group.shape;
    if (group.kernels.size() > 1 && shape.registers == 0) {
      shape.frame_bytes =
          static_cast<std::uint64_t>(scaler.scale(group.name + ": live tensors", group.frame_bytes).value);
    }
    const ttir::ModelledTime time = ttir::modelled_launch(each, shape, profile_);
    modelled.us += launches * time.us;
    kernels.push_back({{"name", group.name},
                       {"launches", launches},
                       {"programs", programs},
                       {"us", launches * time.us},
                       {"bound", time.bound},
                       {"resident", ttir::resident_programs(shape, profile_)},
                       {"registers", shape.registers}});
    if (calls.size() > 1 && group.kernels.size() > 1)
      scaler.notes.insert(group.name + ": compiled anew for other sizes; its shape is the last one's");
  }
  for (const auto& [name, total] : operators_of(calls)) {
    const double count = scaler.scale(name + ": calls", total.count).value;
    if (count <= 0) continue;
    modelled.operators_us += count * ttir::modelled_operator_us(
                                         name, scaler.scale(name + ": bytes", total.bytes).value / count,
                                         scaler.scale(name + ": flops", total.flops).value / count, product_, profile_);
  }
  modelled.us += modelled.operators_us;
  modelled.count_error = scaler.worst;
  if (!scaler.unknown().empty())
    scaler.notes.insert(scaler.unknown() + " was the same in every call that was counted, and is not the task's");
  modelled.evidence = {{"us", modelled.us}, {"kernels", std::move(kernels)}, {"operators_us", modelled.operators_us}};
  if (calls.size() > 1) modelled.evidence["count_error"] = modelled.count_error;
  if (!scaler.notes.empty()) modelled.evidence["doubts"] = scaler.notes;
  return modelled;
}

}  // namespace tritonrl::verify
