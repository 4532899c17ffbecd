#include "verify/guest_device.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "base/json.h"
#include "ttir/ir/parser.h"
#include "ttir/machine/lowering.h"
#include "ttir/unsupported.h"

namespace tritonrl::verify {
namespace {

using base::Json;

constexpr std::size_t kMostLaunches = 100'000;
constexpr std::size_t kMostOperators = 100'000;
constexpr std::size_t kMostKernels = 1'000;
constexpr std::size_t kMostFindings = 100;
constexpr std::size_t kMostName = 200;

template <typename T>
bool take(std::string_view& bytes, T& value) {
  if (bytes.size() < sizeof value) return false;
  std::memcpy(&value, bytes.data(), sizeof value);
  bytes.remove_prefix(sizeof value);
  return true;
}

template <typename T>
std::string bytes_of(const T& value) {
  return {reinterpret_cast<const char*>(&value), sizeof value};
}

std::string failure_text(const std::exception& error, std::string_view kind) {
  return base::json_line(Json{{"error", error.what()}, {"kind", kind}});
}

ttir::Argument argument_of(const wire::LaunchArgument& given, std::string_view name) {
  ttir::Argument argument;
  argument.integer = given.integer;
  argument.real = given.real;
  argument.extent = {.name = std::string(name),
                     .begin = given.extent_begin,
                     .end = given.extent_end,
                     .known = given.extent_begin != 0 || given.extent_end != 0};
  argument.shape = given.shape;
  argument.strides = given.strides;
  argument.rank = std::clamp(given.rank, 0, 5);
  argument.nan_padding = given.nan_padding != 0;
  return argument;
}

}  // namespace

GuestDevice::GuestDevice(const Arena& arena, const ttir::DeviceProfile& profile, ttir::LaunchOptions options)
    : arena_(arena), profile_(profile), options_(options) {}

bool GuestDevice::take_events(std::string_view records) {
  while (!records.empty()) {
    wire::Event event;
    if (!take(records, event)) return false;
    if (event.kind != wire::EventKind::kOperator) {
      if (!take_event(event)) return false;
      continue;
    }
    OperatorRecord record{.name = {}, .bytes = event.bytes, .detail = {}};
    const std::uint64_t padded = (event.address + 7) / 8 * 8;
    if (event.address > kMostName || !take(records, record.detail) || records.size() < padded) return false;
    record.name = records.substr(0, event.address);
    records.remove_prefix(padded);
    if (trace_.operators.size() < kMostOperators) trace_.operators.push_back(std::move(record));
  }
  return true;
}

bool GuestDevice::take_event(const wire::Event& event) {
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
      case wire::EventKind::kOperator:
        break;
    }
  } catch (const base::InputError&) {
  }
  return false;
}

std::int64_t GuestDevice::first_undefined(std::uint64_t address, std::uint64_t bytes) {
  const auto offset = space_.first_undefined(address, bytes);
  if (!offset) return -1;
  // Asked only of what a torch operator is about to read.
  if (trace_.findings.size() < kMostFindings) {
    trace_.findings.push_back({.rule = "unwritten-output",
                               .error = true,
                               .line = 0,
                               .column = 0,
                               .kernel = {},
                               .message = "a torch operator reads device memory that nothing has written: byte " +
                                          std::to_string(*offset) + " of " + std::to_string(bytes)});
  }
  return static_cast<std::int64_t>(*offset);
}

std::string GuestDevice::load_kernel(std::string_view payload) {
  const std::size_t line_end = payload.find('\n');
  if (line_end == std::string_view::npos) return {};
  if (const auto known = known_.find(payload); known != known_.end()) {
    return bytes_of(wire::LoadAnswer{.kernel = known->second + 1});
  }
  wire::LoadAnswer answer;
  try {
    if (kernels_.size() >= kMostKernels) throw base::InputError({}, "a candidate loads more than 1000 kernels");
    const Json head = base::parse_json(payload.substr(0, line_end), {.file = "kernel"});
    auto kernel = std::make_unique<GuestKernel>();
    kernel->name = head.value("name", "");
    kernel->options = head.value("options", Json::object()).dump();
    kernel->text = payload.substr(line_end + 1);
    kernel->code = ttir::lower(ttir::parse_module(kernel->text));
    kernels_.push_back(std::move(kernel));
    known_.emplace(payload, kernels_.size() - 1);
    answer.kernel = kernels_.size();
    return bytes_of(answer);
  } catch (const ttir::UnsupportedError& error) {
    trace_.unsupported = error.what();
    return bytes_of(answer) + failure_text(error, "unsupported");
  } catch (const base::InputError& error) {
    return bytes_of(answer) + failure_text(error, "input");
  } catch (const Json::exception& error) {
    return bytes_of(answer) + failure_text(error, "input");
  }
}

std::string GuestDevice::launch(std::string_view payload) {
  wire::LaunchRequest request;
  if (!take(payload, request) || request.kernel == 0 || request.kernel > kernels_.size()) return {};
  if (request.arguments > payload.size() / sizeof(wire::LaunchArgument)) return {};
  std::string_view names = payload.substr(request.arguments * sizeof(wire::LaunchArgument));
  std::vector<ttir::Argument> arguments;
  for (std::uint32_t n = 0; n < request.arguments; ++n) {
    wire::LaunchArgument given;
    take(payload, given);
    if (given.name_bytes > names.size()) return {};
    arguments.push_back(argument_of(given, names.substr(0, given.name_bytes)));
    names.remove_prefix(given.name_bytes);
  }
  const GuestKernel& kernel = *kernels_[request.kernel - 1];
  const ttir::ProgramId grid{request.grid[0], request.grid[1], request.grid[2]};
  // Each program takes a step at least.
  const double programs = double(grid[0]) * double(grid[1]) * double(grid[2]);
  if (programs > static_cast<double>(options_.step_budget)) {
    trace_.step_budget_spent = true;
    return base::json_line(
        Json{{"error", "the grid has more programs than a launch may have steps"}, {"kind", "input"}});
  }
  try {
    ttir::LaunchReport report;
    if (!ghost_) report = ttir::launch(kernel.code, space_, grid, arguments, options_);
    keep(kernel, report, grid);
    const double modelled_us = ghost_ ? 0 : trace_.launches.back().cost.modelled_us;
    return base::json_line(Json{{"findings", Json::array()},
                                {"printed", Json::array()},
                                {"counters", Json::object()},
                                {"modelled_us", modelled_us},
                                {"bound", ""}});
  } catch (const ttir::UnsupportedError& error) {
    trace_.unsupported = error.what();
    return failure_text(error, "unsupported");
  } catch (const base::InputError& error) {
    return failure_text(error, "input");
  }
}

void GuestDevice::keep(const GuestKernel& kernel, const ttir::LaunchReport& report, ttir::ProgramId grid) {
  if (trace_.launches.size() < kMostLaunches) {
    LaunchRecord record{.kernel = &kernel, .grid = grid, .cost = {}, .unique_bytes = 0};
    if (!ghost_) record.cost = ttir::cost_of(kernel.code, report.counters, profile_, false);
    record.unique_bytes = report.counters.unique_bytes.read + report.counters.unique_bytes.written;
    trace_.launches.push_back(std::move(record));
  }
  for (const ttir::Finding& finding : report.findings) {
    const auto& location = kernel.code.locations[finding.location];
    if (finding.rule->id == "step-budget") trace_.step_budget_spent = true;
    if (trace_.findings.size() >= kMostFindings) continue;
    trace_.findings.push_back({.rule = std::string(finding.rule->id),
                               .error = finding.rule->severity == ttir::Severity::kError,
                               .line = location.line,
                               .column = location.column,
                               .kernel = kernel.name,
                               .message = finding.message});
  }
}

void GuestDevice::set_order(ttir::ProgramOrder order, std::uint64_t seed) {
  options_.order = order;
  options_.seed = seed;
}

DeviceTrace GuestDevice::take_trace() { return std::exchange(trace_, {}); }

const ttir::MemoryRegion* GuestDevice::allocation(std::uint64_t address, std::uint64_t bytes) {
  const ttir::MemoryRegion* region = space_.find(address);
  return region != nullptr && bytes <= region->end() - address ? region : nullptr;
}

}  // namespace tritonrl::verify
