#include "verify/executor_device.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "base/json.h"
#include "ttir/cost_model.h"
#include "ttir/ir/parser.h"
#include "ttir/machine/lowering.h"
#include "ttir/unsupported.h"
#include "verify/frame_bytes.h"
#include "verify/launch_request.h"

namespace tritonrl::verify {
namespace {

using base::Json;

constexpr int kMostQuestions = 64;

std::string failure_text(const std::exception& error, std::string_view kind) {
  return base::json_line(Json{{"error", error.what()}, {"kind", kind}});
}

}  // namespace

ExecutorDevice::ExecutorDevice(std::uint64_t arena_bytes, const ttir::DeviceProfile& profile,
                               ttir::LaunchOptions options, Compiler& compiler)
    : arena_(arena_bytes), profile_(profile), options_(options), compiler_(compiler) {}

bool ExecutorDevice::take_event(const wire::Event& event, std::string_view& /*more*/) {
  try {
    switch (event.kind) {
      case wire::EventKind::kAllocated: {
        std::byte* const host = arena_.at(event.address, event.bytes);
        if (host == nullptr) return false;
        space_.add(event.address, event.bytes, host, "tensor",
                   event.flag != 0 ? ttir::Contents::kDefined : ttir::Contents::kUndefined);
        return true;
      }
      case wire::EventKind::kFreed:
        if (space_.find(event.address) != nullptr) space_.remove(event.address);
        return true;
      case wire::EventKind::kWritten:
        space_.mark_defined(event.address, event.bytes);
        return true;
      default:
        break;
    }
  } catch (const base::InputError&) {
  }
  return false;
}

std::int64_t ExecutorDevice::first_undefined(std::uint64_t address, std::uint64_t bytes) {
  const auto offset = space_.first_undefined(address, bytes);
  if (!offset) return -1;
  // Asked only of what a torch operator is about to read.
  add_finding({.rule = "unwritten-output",
               .error = true,
               .line = 0,
               .column = 0,
               .kernel = {},
               .message = "a torch operator reads device memory that nothing has written: byte " +
                          std::to_string(*offset) + " of " + std::to_string(bytes)});
  return static_cast<std::int64_t>(*offset);
}

std::string ExecutorDevice::load(GuestKernel& kernel, std::uint64_t number) {
  kernel.code = ttir::lower(ttir::parse_module(kernel.text));
  // Registers and shared memory are for a compiler of our own to say.
  kernel.shape = ttir::kernel_shape(kernel.code, {{"options", Json::parse(kernel.options)}});
  return bytes_of(wire::LoadAnswer{.kernel = number});
}

// Nothing is known of a kernel that cannot be compiled, nor of more kernels than anyone would ask about.
std::string ExecutorDevice::resources(std::string_view payload) {
  std::uint64_t number = 0;
  if (!take(payload, number)) return {};
  const GuestKernel* const asked = kernel(number);
  if (asked == nullptr) return {};
  wire::KernelResources found;
  if (++asked_for_resources_ <= kMostQuestions) {
    const auto result = compiler_.start(asked->text, Json::parse(asked->options)).get();
    if (const auto* compiled = std::get_if<CompiledKernel>(result.get())) {
      found = {.registers = static_cast<std::uint32_t>(compiled->registers),
               .spill_bytes = static_cast<std::uint32_t>(compiled->spill_bytes),
               .shared_bytes = static_cast<std::uint32_t>(compiled->shared_bytes)};
    }
  }
  return bytes_of(found);
}

std::string ExecutorDevice::launch(std::string_view payload) {
  const auto request = parse_launch_request(payload);
  const GuestKernel* const asked = request ? kernel(request->kernel) : nullptr;
  if (asked == nullptr) return {};
  // Some trial runs the programs shuffled.
  if (request->programs() > static_cast<double>(ttir::kMostShuffled)) {
    trace().step_budget_spent = true;
    return base::json_line(Json{{"error", "the grid has more programs than a launch may have"}, {"kind", "input"}});
  }
  try {
    ttir::LaunchReport report;
    ttir::LaunchOptions options = options_;
    options.resident = ttir::most_resident_programs(asked->shape, profile_);
    if (!is_ghost(*asked)) report = ttir::launch(asked->code, space_, request->grid, request->arguments, options);
    keep(*asked, report, request->grid);
    const double modelled_us = is_ghost(*asked) ? 0 : trace().launches.back().cost.modelled_us;
    return base::json_line(Json{{"findings", Json::array()},
                                {"printed", Json::array()},
                                {"counters", Json::object()},
                                {"modelled_us", modelled_us},
                                {"bound", ""}});
  } catch (const ttir::UnsupportedError& error) {
    trace().unsupported = error.what();
    return failure_text(error, "unsupported");
  } catch (const base::InputError& error) {
    return failure_text(error, "input");
  }
}

void ExecutorDevice::keep(const GuestKernel& kernel, const ttir::LaunchReport& report, ttir::ProgramId grid) {
  LaunchRecord record{.kernel = &kernel, .grid = grid, .cost = {}, .unique_bytes = 0};
  if (!is_ghost(kernel)) record.cost = ttir::cost_of(kernel.code, report.counters, kernel.shape, profile_, false);
  record.unique_bytes = report.counters.unique_bytes.read + report.counters.unique_bytes.written;
  add_launch(std::move(record));
  for (const ttir::Finding& finding : report.findings) {
    if (finding.rule->id == kStepBudget) trace().step_budget_spent = true;
    add_finding(finding_of(kernel, finding));
  }
}

void ExecutorDevice::set_order(ttir::ProgramOrder order, std::uint64_t seed) {
  options_.order = order;
  options_.seed = seed;
}

bool ExecutorDevice::undefined(std::uint64_t address, std::uint64_t bytes) {
  return space_.first_undefined(address, bytes).has_value();
}

std::optional<wire::MemoryRange> ExecutorDevice::allocation(std::uint64_t address, std::uint64_t bytes) {
  const ttir::MemoryRegion* region = space_.find(address);
  if (region == nullptr || bytes > region->end() - address) return std::nullopt;
  return wire::MemoryRange{.address = region->base, .bytes = region->bytes};
}

}  // namespace tritonrl::verify
