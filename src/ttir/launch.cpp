#include "ttir/launch.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <memory>
#include <optional>
#include <thread>

#include <fmt/format.h>

#include "base/error.h"
#include "ttir/lanes/lanes.h"
#include "ttir/machine/machine.h"
#include "ttir/schedule.h"
#include "ttir/turns.h"

namespace tritonrl::ttir {
namespace {

// What memory held before programs ran side by side.
class Snapshot {
 public:
  Snapshot(AddressSpace& space, std::span<const ArgumentExtent> extents) {
    for (const ArgumentExtent& extent : extents) {
      MemoryRegion* region = space.find(extent.begin);
      if (region == nullptr || extent.begin == extent.end) continue;
      const std::uint64_t offset = extent.begin - region->base;
      const std::uint64_t bytes = std::min(extent.end, region->end()) - extent.begin;
      Kept& kept = kept_.emplace_back(region, offset, bytes);
      kept.contents.assign(region->host + offset, region->host + offset + bytes);
      if (region->defined == nullptr) continue;
      const std::uint8_t* defined = region->defined.get() + offset;
      kept.defined.assign(defined, defined + bytes);
    }
  }

  void restore() const {
    for (const Kept& kept : kept_) {
      std::memcpy(kept.region->host + kept.offset, kept.contents.data(), kept.bytes);
      if (!kept.defined.empty()) std::memcpy(kept.region->defined.get() + kept.offset, kept.defined.data(), kept.bytes);
    }
  }

 private:
  struct Kept {
    Kept(MemoryRegion* in, std::uint64_t at, std::uint64_t size) : region(in), offset(at), bytes(size) {}
    MemoryRegion* region;
    std::uint64_t offset;
    std::uint64_t bytes;
    std::vector<std::byte> contents;
    std::vector<std::uint8_t> defined;
  };
  std::vector<Kept> kept_;
};

class Launch {
 public:
  Launch(const Code& code, AddressSpace& space, ProgramId grid, std::span<const Argument> arguments,
         const LaunchOptions& options)
      : code_(code), space_(space), grid_(grid), arguments_(arguments), options_(options), schedule_(grid, options) {
    if (arguments.size() != code.parameters.size())
      throw base::InputError({.file = code.name},
                             fmt::format("{} arguments for {} parameters", arguments.size(), code.parameters.size()));
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      extents_.push_back(arguments[i].extent);
      if (extents_.back().name.empty()) extents_.back().name = code.parameters[i].name;
    }
  }

  LaunchReport run() {
    if (schedule_.size() == 0) return empty_report();
    if (may_run_side_by_side())
      if (auto report = run_side_by_side()) return std::move(*report);
    return run_in_turn();
  }

 private:
  std::unique_ptr<MemoryView> new_view() const {
    return std::make_unique<MemoryView>(
        space_, extents_, code_.sites.size(),
        MemoryView::Options{.sanitize = options_.sanitize, .synchronises = code_.synchronises});
  }

  LaunchReport empty_report() const {
    LaunchReport report;
    report.counters.traffic.resize(code_.sites.size());
    report.counters.executions.resize(code_.body.size());
    return report;
  }

  // A frame whose parameters hold the arguments.
  std::unique_ptr<Frame> new_frame() const {
    auto frame = std::make_unique<Frame>(code_);
    for (std::size_t i = 0; i < arguments_.size(); ++i) put_argument(*frame, i);
    return frame;
  }

  void put_argument(Frame& frame, std::size_t index) const {
    const Argument& argument = arguments_[index];
    const Type& type = code_.parameter_types[index];
    std::byte* slot = frame.slot(code_.parameter_slots[index]);
    if (type.element == Element::kDescriptor) {
      Descriptor descriptor{.base = static_cast<Address>(argument.integer)};
      std::ranges::copy(argument.shape, descriptor.shape);
      std::ranges::copy(argument.strides, descriptor.strides);
      descriptor.rank = argument.rank;
      descriptor.nan_padding = argument.nan_padding;
      std::memcpy(slot, &descriptor, sizeof descriptor);
    } else if (type.element == Element::kF64) {
      std::memcpy(slot, &argument.real, sizeof argument.real);
    } else if (is_float(type.element)) {
      const auto narrow = static_cast<float>(argument.real);
      std::byte memory[8];
      lanes::encode(type.element)(memory, &narrow, 1);
      lanes::decode(type.element)(slot, memory, 1);
    } else if (type.element == Element::kI1) {
      *slot = std::byte{argument.integer != 0};
    } else {
      std::memcpy(slot, &argument.integer, lanes::bytes_of_lane(type.element));
    }
  }

  // Attributes that the compiler took for granted.
  void check_divisibility(MemoryView& view) const {
    for (std::size_t i = 0; i < arguments_.size(); ++i) {
      const Parameter& parameter = code_.parameters[i];
      const std::int64_t value = arguments_[i].integer;
      if (parameter.divisibility <= 1 || value % parameter.divisibility == 0) continue;
      const bool is_address = code_.parameter_types[i].element == Element::kPointer;
      view.report(
          rules::kWrongDivisibility, code_.parameter_locations[i], -1,
          fmt::format("`{}` is {}, which {} does not divide, though the kernel was compiled for multiples of it",
                      parameter.name, is_address ? fmt::format("{:#x}", value) : std::to_string(value),
                      parameter.divisibility));
    }
  }

  bool may_run_side_by_side() const {
    return options_.threads > 1 && options_.sanitize && schedule_.size() > 1 && !code_.synchronises &&
           std::ranges::all_of(code_.stored_arguments, [&](std::int32_t argument) {
             return argument >= 0 && extents_[static_cast<std::size_t>(argument)].known;
           });
  }

  // Memory that must be put back before programs can run again: what is both written and read. Bytes that are only
  // written are written again.
  std::vector<ArgumentExtent> extents_to_keep() const {
    std::vector<ArgumentExtent> kept;
    for (const std::int32_t stored : code_.stored_arguments) {
      const ArgumentExtent& extent = extents_[static_cast<std::size_t>(stored)];
      const bool is_read = std::ranges::any_of(code_.sites, [&](const AccessSite& site) {
        if (site.kind != AccessKind::kLoad) return false;
        if (site.argument < 0) return true;
        const ArgumentExtent& read = extents_[static_cast<std::size_t>(site.argument)];
        return !read.known || (read.begin < extent.end && extent.begin < read.end);
      });
      if (is_read) kept.push_back(extent);
    }
    return kept;
  }

  // Nothing when the programs turned out to depend on each other, or one has a defect: memory is then as before.
  std::optional<LaunchReport> run_side_by_side() {
    const Snapshot before(space_, extents_to_keep());
    const auto workers = static_cast<std::size_t>(std::min<std::uint64_t>(options_.threads, schedule_.size()));
    std::vector<std::unique_ptr<MemoryView>> views(workers);
    std::vector<std::unique_ptr<Machine>> machines(workers);
    std::vector<std::unique_ptr<Frame>> frames(workers);
    for (std::size_t w = 0; w < workers; ++w) {
      views[w] = new_view();
      frames[w] = new_frame();
      machines[w] = std::make_unique<Machine>(code_, *views[w], grid_, options_.step_budget / workers);
    }
    check_divisibility(*views[0]);
    std::atomic<bool> stop = false;
    std::vector<std::exception_ptr> failures(workers);
    const auto work = [&](std::size_t w) {
      try {
        const std::uint64_t first = schedule_.size() * w / workers;
        const std::uint64_t last = schedule_.size() * (w + 1) / workers;
        for (std::uint64_t number = first; number < last && !stop.load(std::memory_order_relaxed); ++number) {
          run_program(*machines[w], *frames[w], number);
          if (!views[w]->findings().empty()) stop = true;
        }
      } catch (...) {
        failures[w] = std::current_exception();
        stop = true;
      }
    };
    {
      std::vector<std::jthread> threads;
      for (std::size_t w = 1; w < workers; ++w) threads.emplace_back(work, w);
      work(0);
    }
    for (const auto& failure : failures)
      if (failure) std::rethrow_exception(failure);
    const bool printed = std::ranges::any_of(machines, [](const auto& machine) { return !machine->printed().empty(); });
    std::optional<MemoryView::UniqueBytes> unique_bytes;
    if (!stop && !printed && views[0]->findings().empty()) unique_bytes = MemoryView::merge(views);
    if (!unique_bytes) {
      before.restore();
      return std::nullopt;
    }
    LaunchReport report = empty_report();
    for (std::size_t w = 0; w < workers; ++w) add_counters(report.counters, *machines[w], *views[w]);
    report.counters.programs = schedule_.size();
    report.counters.unique_bytes = *unique_bytes;
    return report;
  }

  Progress run_program(Machine& machine, Frame& frame, std::uint64_t number) const {
    frame.restart();
    frame.number = number;
    frame.program = schedule_.at(number);
    return machine.run(frame);
  }

  LaunchReport run_in_turn() {
    const auto owner = new_view();
    MemoryView& view = *owner;
    Machine machine(code_, view, grid_, options_.step_budget);
    check_divisibility(view);
    LaunchReport report = empty_report();
    if (code_.can_wait) {
      report.counters.programs = run_taking_turns(machine, schedule_, options_, [&] { return new_frame(); });
    } else {
      auto frame = new_frame();
      for (std::uint64_t number = 0; number < schedule_.size(); ++number) {
        ++report.counters.programs;
        if (run_program(machine, *frame, number) == Progress::kOutOfBudget) break;
      }
    }
    report.findings = view.findings();
    report.printed = machine.printed();
    add_counters(report.counters, machine, view);
    report.counters.unique_bytes = view.unique_bytes();
    return report;
  }

  static void add_counters(LaunchCounters& counters, const Machine& machine, const MemoryView& view) {
    const auto traffic = view.traffic();
    for (std::size_t i = 0; i < traffic.size(); ++i) {
      counters.traffic[i].accesses += traffic[i].accesses;
      counters.traffic[i].lanes += traffic[i].lanes;
      counters.traffic[i].masked_off += traffic[i].masked_off;
      counters.traffic[i].bytes += traffic[i].bytes;
      counters.traffic[i].sectors += traffic[i].sectors;
      counters.traffic[i].distinct += traffic[i].distinct;
      counters.traffic[i].lines += traffic[i].lines;
    }
    for (std::size_t i = 0; i < counters.executions.size(); ++i) counters.executions[i] += machine.executions()[i];
  }

  const Code& code_;
  AddressSpace& space_;
  ProgramId grid_;
  std::span<const Argument> arguments_;
  const LaunchOptions& options_;
  Schedule schedule_;
  std::vector<ArgumentExtent> extents_;
};

}  // namespace

LaunchReport launch(const Code& code, AddressSpace& space, ProgramId grid, std::span<const Argument> arguments,
                    const LaunchOptions& options) {
  return Launch(code, space, grid, arguments, options).run();
}

}  // namespace tritonrl::ttir
