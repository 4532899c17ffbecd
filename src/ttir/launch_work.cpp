#include "ttir/launch_work.h"

#include <algorithm>
#include <cstddef>
#include <set>
#include <vector>

namespace tritonrl::ttir {
namespace {

// Steps that run equally often: a loop's body without the loops in it, or what is outside all loops.
struct Stretch {
  std::size_t first = 0;
  std::size_t last = 0;
  double trips = 0;
  bool is_loop = false;
  bool loads = false;
  bool follows_load = false;
  bool dots = false;
  bool waits = false;  // stores, or combines lanes: the next trip's loads come after that

  double rounds() const { return trips * ((loads ? 1 : 0) + (follows_load ? 1 : 0)); }
};

std::vector<Stretch> stretches_of(const Code& code, const LaunchCounters& counters) {
  std::vector<Stretch> found;
  found.push_back({.first = 0, .last = code.body.size(), .trips = static_cast<double>(counters.programs)});
  for (std::size_t i = 0; i < code.body.size(); ++i) {
    const Work& work = code.body[i]->work;
    if (work.kind == WorkKind::kLoopTrip)
      found.push_back(
          {.first = work.loop_start, .last = i, .trips = static_cast<double>(counters.executions[i]), .is_loop = true});
  }
  return found;
}

Stretch& innermost(std::vector<Stretch>& stretches, std::size_t step) {
  Stretch* found = stretches.data();
  for (Stretch& stretch : stretches)
    if (stretch.first <= step && step <= stretch.last && stretch.last - stretch.first < found->last - found->first)
      found = &stretch;
  return *found;
}

void add_rounds(LaunchWork& work, const Code& code, const LaunchCounters& counters) {
  std::vector<Stretch> stretches = stretches_of(code, counters);
  for (std::size_t i = 0; i < code.body.size(); ++i) {
    const Work& step = code.body[i]->work;
    if (!step.loads && !step.stores && !step.combines && step.kind != WorkKind::kDot) continue;
    if (counters.executions[i] == 0) continue;
    Stretch& stretch = innermost(stretches, i);
    stretch.loads = stretch.loads || (step.loads && !step.follows_load);
    stretch.follows_load = stretch.follows_load || step.follows_load;
    stretch.dots = stretch.dots || step.kind == WorkKind::kDot;
    stretch.waits = stretch.waits || step.stores || step.combines;
  }
  for (const Stretch& stretch : stretches) {
    if (stretch.is_loop && stretch.dots)
      work.pipelined_rounds += stretch.rounds();
    else if (stretch.is_loop && !stretch.waits)
      work.overlapped_rounds += stretch.rounds();
    else
      work.rounds += stretch.rounds();
  }
}

double& dot_count(LaunchWork& work, const Work& step) {
  if (step.element == Element::kF64) return work.dot_float64;
  if (step.element == Element::kF32) return step.exact ? work.dot_float32 : work.dot_tf32;
  return bytes_of(step.element) == 1 ? work.dot_8_bit : work.dot_16_bit;
}

double& float_count(LaunchWork& work, Element element) {
  if (element == Element::kF64) return work.float64;
  return bytes_of(element) == 2 ? work.float16 : work.float32;
}

void add_operations(LaunchWork& work, const Work& step, double executions, const KernelShape& shape) {
  const auto operations = static_cast<double>(step.operations);
  // Threads without an element of their own repeat another's work.
  const double made = executions * std::max(operations, static_cast<double>(32 * shape.warps));
  if (step.combines) work.combinations += executions;
  switch (step.kind) {
    case WorkKind::kInteger:
      work.integer += made;
      break;
    case WorkKind::kSpecial:
      work.special += made;
      break;
    case WorkKind::kConversion:
      work.conversion += made;
      break;
    case WorkKind::kFloat:
      float_count(work, step.element) += made;
      break;
    case WorkKind::kDot:
      dot_count(work, step) += executions * operations;
      work.dot_bytes += executions * static_cast<double>(step.factors * bytes_of(step.element));
      break;
    case WorkKind::kLoopTrip:
      work.loop_trips += executions;
      break;
    case WorkKind::kNone:
      break;
  }
}

}  // namespace

KernelShape kernel_shape(const Code& code, const base::Json& head) {
  const auto number = [&](const char* part, const char* key, std::int64_t otherwise) {
    const auto in = head.find(part);
    if (in == head.end() || !in->is_object()) return otherwise;
    const auto found = in->find(key);
    return found != in->end() && found->is_number_integer() ? found->get<std::int64_t>() : otherwise;
  };
  const auto small = [&](const char* part, const char* key, std::int64_t otherwise, std::int64_t most) {
    return static_cast<int>(std::clamp<std::int64_t>(number(part, key, otherwise), 0, most));
  };
  KernelShape shape;
  shape.warps = std::max(1, small("options", "num_warps", shape.warps, 64));
  shape.stages = std::max(1, small("options", "num_stages", shape.stages, 64));
  shape.registers = small("evidence", "registers", 0, 255);
  shape.spills = small("evidence", "spills", 0, 1 << 20);
  shape.shared_bytes = std::max<std::int64_t>(0, number("evidence", "shared", 0));
  shape.frame_bytes = code.frame_bytes;
  return shape;
}

base::Json shape_json(const KernelShape& shape) {
  return {{"warps", shape.warps},   {"stages", shape.stages},       {"registers", shape.registers},
          {"spills", shape.spills}, {"shared", shape.shared_bytes}, {"frame_bytes", shape.frame_bytes}};
}

LaunchWork work_of(const Code& code, const LaunchCounters& counters, const KernelShape& shape) {
  LaunchWork work;
  work.programs = static_cast<double>(counters.programs);
  for (std::size_t i = 0; i < code.sites.size(); ++i) {
    const TrafficCounters& traffic = counters.traffic[i];
    const auto sectors = static_cast<double>(traffic.distinct);
    // Lanes that stay in their order in the tensor meet a line again for every warp.
    const double again = code.sites[i].follows_memory || traffic.distinct == 0
                             ? 1
                             : static_cast<double>(traffic.sectors) / static_cast<double>(traffic.distinct);
    const double lines = static_cast<double>(traffic.lines) * again;
    switch (code.sites[i].kind) {
      case AccessKind::kLoad:
        work.load_bytes += static_cast<double>(traffic.bytes);
        work.load_sectors += sectors;
        work.load_lines += lines;
        break;
      case AccessKind::kStore:
        work.store_sectors += sectors;
        work.store_lines += lines;
        break;
      case AccessKind::kAtomic:
        work.atomic_sectors += sectors;
        break;
    }
  }
  work.unique_read = static_cast<double>(counters.unique_bytes.read);
  work.unique_written = static_cast<double>(counters.unique_bytes.written);
  for (std::size_t i = 0; i < code.body.size(); ++i) {
    if (counters.executions[i] == 0) continue;
    add_operations(work, code.body[i]->work, static_cast<double>(counters.executions[i]), shape);
  }
  add_rounds(work, code, counters);
  return work;
}

base::Json work_json(const LaunchWork& work) {
  base::Json json = base::Json::object();
  for (const auto& [name, field] : LaunchWork::fields())
    if (work.*field != 0) json[std::string(name)] = work.*field;
  return json;
}

LaunchWork work_from_json(const base::Json& json) {
  LaunchWork work;
  for (const auto& [name, field] : LaunchWork::fields()) work.*field = json.value(std::string(name), 0.0);
  return work;
}

KernelShape shape_from_json(const base::Json& json) {
  KernelShape shape;
  shape.warps = json.value("warps", shape.warps);
  shape.stages = json.value("stages", shape.stages);
  shape.registers = json.value("registers", shape.registers);
  shape.spills = json.value("spills", shape.spills);
  shape.shared_bytes = json.value("shared", shape.shared_bytes);
  shape.frame_bytes = json.value("frame_bytes", shape.frame_bytes);
  return shape;
}

}  // namespace tritonrl::ttir
