#include "ttir/cost_model.h"

#include <algorithm>
#include <string_view>
#include <utility>

namespace tritonrl::ttir {
namespace {

std::string_view name_of(WorkKind kind) {
  switch (kind) {
    case WorkKind::kInteger:
      return "integer";
    case WorkKind::kFloat:
      return "float";
    case WorkKind::kSpecial:
      return "special";
    case WorkKind::kDot:
      return "dot";
    case WorkKind::kConversion:
      return "conversion";
    default:
      return "";
  }
}

double peak(const Work& work, const DeviceProfile::Operations& peaks) {
  switch (work.kind) {
    case WorkKind::kSpecial:
      return peaks.special;
    case WorkKind::kConversion:
      return peaks.conversion;
    case WorkKind::kFloat:
      if (work.element == Element::kF64) return peaks.float64;
      return work.element == Element::kF16 || work.element == Element::kBF16 ? peaks.float16 : peaks.float32;
    case WorkKind::kDot:
      if (work.element == Element::kF64) return peaks.dot_float64;
      if (work.element == Element::kF32) return peaks.dot_tf32;
      return bytes_of(work.element) == 1 ? peaks.dot_8_bit : peaks.dot_16_bit;
    default:
      return peaks.integer;
  }
}

void add(TrafficCounters& to, const TrafficCounters& from) {
  to.accesses += from.accesses;
  to.lanes += from.lanes;
  to.masked_off += from.masked_off;
  to.bytes += from.bytes;
  to.sectors += from.sectors;
}

template <typename Cost>
TrafficCounters& traffic_of(Cost& cost, AccessKind kind) {
  return kind == AccessKind::kLoad ? cost.loads : kind == AccessKind::kStore ? cost.stores : cost.atomics;
}

// The user's own line: code that came out of a library function counts where it was called.
const Location& users_line(const Code& code, LocationId id) {
  const Location* location = &code.locations[id];
  while (location->caller) location = &code.locations[*location->caller];
  return *location;
}

class Account {
 public:
  Account(const Code& code, bool by_line) : code_(code), by_line_(by_line) {}

  void add_traffic(const AccessSite& site, const TrafficCounters& traffic) {
    add(traffic_of(cost, site.kind), traffic);
    if (by_line_) add(traffic_of(line(site.location), site.kind), traffic);
  }

  void add_work(const Step& step, std::uint64_t executions) {
    if (step.work.kind == WorkKind::kNone || executions == 0) return;
    if (step.work.kind == WorkKind::kLoopTrip) {
      cost.loop_trips += executions;
      if (by_line_) line(step.location).loop_trips += executions;
      return;
    }
    const std::string name = std::string(name_of(step.work.kind)) + " " + ttir::name_of(step.work.element);
    cost.operations[name] += executions * step.work.operations;
    if (by_line_) line(step.location).operations[name] += executions * step.work.operations;
  }

  LaunchCost finish() {
    for (auto& [place, line] : lines_) cost.lines.push_back(std::move(line));
    return std::move(cost);
  }

  LaunchCost cost;

 private:
  LineCost& line(LocationId id) {
    const Location& location = users_line(code_, id);
    LineCost& found = lines_[{location.file, location.line}];
    found.file = location.file;
    found.line = location.line;
    return found;
  }

  const Code& code_;
  bool by_line_;
  std::map<std::pair<std::string, std::uint32_t>, LineCost> lines_;
};

}  // namespace

LaunchCost cost_of(const Code& code, const LaunchCounters& counters, const DeviceProfile& profile, bool by_line) {
  Account account(code, by_line);
  for (std::size_t i = 0; i < code.sites.size(); ++i) account.add_traffic(code.sites[i], counters.traffic[i]);
  double arithmetic_s = 0;
  for (std::size_t i = 0; i < code.body.size(); ++i) {
    const Step& step = *code.body[i];
    account.add_work(step, counters.executions[i]);
    if (step.work.kind != WorkKind::kNone && step.work.kind != WorkKind::kLoopTrip)
      arithmetic_s += static_cast<double>(counters.executions[i]) * static_cast<double>(step.work.operations) /
                      peak(step.work, profile.operations_per_s);
  }
  LaunchCost cost = account.finish();

  const auto unique_bytes = static_cast<double>(counters.unique_bytes.read + counters.unique_bytes.written);
  const double sector_bytes =
      32.0 * static_cast<double>(cost.loads.sectors + cost.stores.sectors + 2 * cost.atomics.sectors);
  // Whole waves of programs: a part-filled last wave takes as long as a full one.
  const auto programs = static_cast<double>(std::max<std::uint64_t>(counters.programs, 1));
  const double waves = (programs + profile.multiprocessors - 1) / profile.multiprocessors;
  const double used = programs / (static_cast<double>(static_cast<std::uint64_t>(waves)) * profile.multiprocessors);
  const std::pair<double, const char*> bounds[] = {{1e6 * unique_bytes / profile.dram_bytes_per_s / used, "memory"},
                                                   {1e6 * sector_bytes / profile.l2_bytes_per_s / used, "l2"},
                                                   {1e6 * arithmetic_s / used, "arithmetic"}};
  const auto slowest = *std::ranges::max_element(bounds);
  cost.modelled_us = profile.launch_us + slowest.first;
  cost.bound = slowest.first < profile.launch_us ? "launch" : slowest.second;
  return cost;
}

}  // namespace tritonrl::ttir
