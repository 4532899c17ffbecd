#include "ttir/cost_model.h"

#include <algorithm>
#include <cmath>
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

// Registers that a thread needs when nobody has compiled the kernel: a share of the tensors alive at once, which the
// compiler keeps smaller than the IR says.
int estimated_registers(const KernelShape& shape) {
  constexpr double kFew = 20;
  constexpr double kShare = 0.18;
  const double words = static_cast<double>(shape.frame_bytes) / (4.0 * 32.0 * shape.warps);
  return static_cast<int>(std::min(kFew + kShare * words, 1e6));
}

constexpr int kMostRegisters = 255;

// What a kernel does, spread over the device: microseconds, as if nothing else took any.
struct Parts {
  double memory = 0;
  double l2 = 0;
  double lines = 0;
  double atomics = 0;
  double programs = 0;
  double latency = 0;
  double arithmetic = 0;
};

double arithmetic_us(const LaunchWork& work, const KernelShape& shape, const DeviceProfile& profile) {
  const auto& peaks = profile.operations_per_s;
  const double lanes = work.integer / peaks.integer + work.float32 / peaks.float32 + work.float64 / peaks.float64 +
                       work.float16 / peaks.float16 + work.special / peaks.special + work.conversion / peaks.conversion;
  const double products = work.dot_float64 / peaks.dot_float64 + work.dot_float32 / peaks.dot_float32 +
                          work.dot_tf32 / peaks.dot_tf32 + work.dot_16_bit / peaks.dot_16_bit +
                          work.dot_8_bit / peaks.dot_8_bit;
  const int spills = shape.registers > 0 ? shape.spills : std::max(0, estimated_registers(shape) - kMostRegisters);
  // Written and read again, in every trip of a loop.
  const double spilled_bytes = 8.0 * spills * 32 * shape.warps * (work.programs + work.loop_trips);
  return 1e6 * (lanes + std::max(products, work.dot_bytes / profile.schedule.dot_bytes_per_s) +
                spilled_bytes / profile.schedule.spill_bytes_per_s);
}

// Bytes that memory moves: each once, and again what a program reads again after the cache has lost it.
double memory_bytes(const LaunchWork& work, double resident, const DeviceProfile& profile) {
  const double in_use = std::min(work.programs, resident) * work.unique_read / work.programs;
  const double lost = in_use <= 0 ? 0 : 1 / (1 + std::pow(profile.l2_bytes / in_use, 4));
  return work.unique_read + work.unique_written + lost * std::max(0.0, 32 * work.load_sectors - work.unique_read);
}

// One program from its begin to its end, when it has its multiprocessor for itself.
double program_us(const LaunchWork& work, const KernelShape& shape, double arithmetic, const DeviceProfile& profile) {
  const auto& schedule = profile.schedule;
  const double rounds = work.rounds + work.overlapped_rounds + work.pipelined_rounds;
  const double words = rounds <= 0 ? 1 : std::max(1.0, work.load_bytes / rounds / (4.0 * 32 * shape.warps));
  const double overlap = std::max(1.0, schedule.overlapped_trips / std::sqrt(words));
  const double waits = schedule.memory_wait_us * (work.rounds + work.overlapped_rounds / overlap);
  const double combinations = schedule.combination_us * work.combinations * (1 + std::log2(shape.warps));
  const double moved =
      1e6 * 32 * (work.load_sectors + work.store_sectors) * profile.multiprocessors / profile.l2_bytes_per_s;
  arithmetic *= profile.multiprocessors;
  double total = waits + combinations;
  if (work.pipelined_rounds > 0 && shape.stages > 1) {
    const double staged = schedule.memory_wait_us * work.pipelined_rounds / (shape.stages - 1);
    total += std::hypot(staged, moved, arithmetic);
  } else {
    total += schedule.memory_wait_us * work.pipelined_rounds * (1 + schedule.unstaged_waits) + moved + arithmetic;
  }
  return schedule.program_us + total / work.programs;
}

Parts parts_of(const LaunchWork& work, const KernelShape& shape, const DeviceProfile& profile) {
  const int held = resident_programs(shape, profile);
  const double on_one = std::ceil(work.programs / profile.multiprocessors);  // programs of the busiest multiprocessor
  const double arithmetic = arithmetic_us(work, shape, profile);
  const double sectors = work.load_sectors + work.store_sectors + 2 * work.atomic_sectors;
  return {
      .memory = 1e6 * memory_bytes(work, static_cast<double>(held) * profile.multiprocessors, profile) /
                profile.dram_bytes_per_s,
      .l2 = 1e6 * 32 * sectors / profile.l2_bytes_per_s,
      .lines = 1e6 * (work.load_lines / profile.schedule.load_lines_per_s +
                      work.store_lines / profile.schedule.store_lines_per_s),
      .atomics = 1e6 * work.atomic_sectors / profile.schedule.atomic_sectors_per_s,
      .programs = 1e6 * work.programs / profile.schedule.programs_per_s,
      .latency = on_one / std::min<double>(held, on_one) * program_us(work, shape, arithmetic, profile),
      .arithmetic = on_one * arithmetic * profile.multiprocessors / work.programs,
  };
}

double product_peak(Product product, const DeviceProfile& profile) {
  const auto& peaks = profile.operations_per_s;
  switch (product) {
    case Product::kTf32:
      return peaks.dot_16_bit / 2;  // torch's kernels reach what the tensor cores can
    case Product::kFloat32:
      return peaks.dot_float32;
    case Product::kFloat64:
      return peaks.dot_float64;
    case Product::k16Bit:
      break;
  }
  return peaks.dot_16_bit;
}

// Share of the memory's bandwidth that torch's kernels for an operator reach.
double torch_share(std::string_view name, const DeviceProfile::Torch& torch) {
  const auto has = [&](auto... words) { return ((name.find(words) != std::string_view::npos) || ...); };
  if (has("clamp", "maximum", "minimum")) return torch.streaming;
  if (has("cumsum", "cumprod", "cummax", "cummin", "logcumsum", "sort", "topk", "kthvalue", "median", "unique"))
    return torch.scanning;
  if (has("conv", "pool", "batch_norm", "group_norm", "upsample", "pad")) return torch.spatial;
  if (has("sum", "mean", "norm", "max", "min", "softmax", "var", "std", "prod", "loss", "any", "all", "embedding",
          "index", "gather", "scatter", "nll", "attention"))
    return torch.gathering;
  return torch.streaming;
}

}  // namespace

int resident_programs(const KernelShape& shape, const DeviceProfile& profile) {
  constexpr int kMostPrograms = 32;
  constexpr int kMostWarps = 64;
  constexpr std::int64_t kSharedOfProgram = 1024;  // kept by the system
  const int needed = shape.registers > 0 ? shape.registers : std::min(estimated_registers(shape), kMostRegisters);
  const std::int64_t allotted = (std::max<std::int64_t>(needed, 1) + 7) / 8 * 8;
  const std::int64_t by_registers = profile.registers_per_multiprocessor / (allotted * 32 * shape.warps);
  const std::int64_t by_shared =
      (profile.shared_memory_bytes + kSharedOfProgram) / (shape.shared_bytes + kSharedOfProgram);
  const std::int64_t most = std::min<std::int64_t>(kMostPrograms, kMostWarps / std::clamp(shape.warps, 1, kMostWarps));
  return static_cast<int>(std::max<std::int64_t>(1, std::min({most, by_registers, by_shared})));
}

std::uint64_t most_resident_programs(KernelShape shape, const DeviceProfile& profile) {
  shape.registers = std::max(shape.registers, 1);
  return static_cast<std::uint64_t>(resident_programs(shape, profile)) *
         static_cast<std::uint64_t>(profile.multiprocessors);
}

ModelledTime modelled_launch(const LaunchWork& given, const KernelShape& shape, const DeviceProfile& profile) {
  LaunchWork work = given;
  work.programs = std::max(work.programs, 1.0);
  const Parts parts = parts_of(work, shape, profile);
  const std::pair<double, std::string_view> named[] = {{parts.memory, "memory"},        {parts.l2, "l2"},
                                                       {parts.lines, "lines"},          {parts.atomics, "atomics"},
                                                       {parts.programs, "programs"},    {parts.latency, "latency"},
                                                       {parts.arithmetic, "arithmetic"}};
  double sum = 0;
  for (const auto& [us, name] : named) sum += std::pow(us, profile.schedule.blend);
  const double busy_us = std::pow(sum, 1 / profile.schedule.blend);
  return {profile.launch_us + busy_us,
          busy_us < profile.launch_us ? "launch" : std::ranges::max_element(named)->second};
}

double modelled_operator_us(std::string_view name, double bytes, double flops, Product product,
                            const DeviceProfile& profile) {
  const auto& torch = profile.torch;
  if (name.starts_with("nll_loss")) bytes = 0;  // picks one value a row
  const double memory_us = 1e6 * bytes / (profile.dram_bytes_per_s * torch_share(name, torch));
  if (flops <= 0) return torch.launch_us + memory_us;
  const bool attends = name.find("attention") != std::string_view::npos;
  if (attends && product == Product::kTf32) product = Product::kFloat32;  // torch's attention does not round
  const double share = name.find("conv") != std::string_view::npos ? torch.convolutions : torch.products;
  const double product_us = 1e6 * flops / (product_peak(product, profile) * share);
  return torch.launch_us + torch.product_us + std::max(memory_us, product_us);
}

LaunchCost cost_of(const Code& code, const LaunchCounters& counters, const KernelShape& shape,
                   const DeviceProfile& profile, bool by_line) {
  Account account(code, by_line);
  for (std::size_t i = 0; i < code.sites.size(); ++i) account.add_traffic(code.sites[i], counters.traffic[i]);
  for (std::size_t i = 0; i < code.body.size(); ++i) account.add_work(*code.body[i], counters.executions[i]);
  LaunchCost cost = account.finish();
  cost.work = work_of(code, counters, shape);
  const ModelledTime time = modelled_launch(cost.work, shape, profile);
  cost.modelled_us = time.us;
  cost.bound = time.bound;
  return cost;
}

}  // namespace tritonrl::ttir
