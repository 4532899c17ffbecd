#include "verify/guest_device.h"

#include <algorithm>
#include <utility>

#include "base/error.h"
#include "base/json.h"
#include "ttir/unsupported.h"
#include "verify/frame_bytes.h"

#include <fmt/format.h>

namespace tritonrl::verify {
namespace {

using base::Json;

constexpr std::size_t kMostLaunches = 100'000;
constexpr std::size_t kMostOperators = 100'000;
constexpr std::size_t kMostKernels = 1'000;
constexpr std::ptrdiff_t kMostFindings = 100;  // warnings, and errors
constexpr std::size_t kMostName = 200;

std::string refusal(const std::exception& error, std::string_view kind) {
  return bytes_of(wire::LoadAnswer{}) + base::json_line(Json{{"error", error.what()}, {"kind", kind}});
}

}  // namespace

DeviceFinding finding_of(const GuestKernel& kernel, const ttir::Finding& finding) {
  const auto& location = kernel.code.locations[finding.location];
  return {.rule = std::string(finding.rule->id),
          .error = finding.rule->severity == ttir::Severity::kError,
          .line = location.line,
          .column = location.column,
          .kernel = kernel.name,
          .message = finding.message};
}

bool GuestDevice::take_events(std::string_view records) {
  while (!records.empty()) {
    wire::Event event;
    if (!take(records, event)) return false;
    const bool sensible =
        event.kind == wire::EventKind::kOperator ? take_operator(event, records) : take_event(event, records);
    if (!sensible) return false;
  }
  return true;
}

bool GuestDevice::take_operator(const wire::Event& event, std::string_view& more) {
  OperatorRecord record{.name = {}, .bytes = event.bytes, .detail = {}};
  const std::uint64_t padded = (event.address + 7) / 8 * 8;
  if (event.address > kMostName || !take(more, record.detail) || more.size() < padded) return false;
  record.name = more.substr(0, event.address);
  more.remove_prefix(padded);
  if (trace_.operators.size() < kMostOperators) {
    trace_.operators.push_back(std::move(record));
  } else {
    trace_.overflow = fmt::format("more than {} torch operators", kMostOperators);
  }
  return true;
}

std::string GuestDevice::load_kernel(std::string_view payload) {
  const std::size_t line_end = payload.find('\n');
  if (line_end == std::string_view::npos) return {};
  if (const auto known = known_.find(payload); known != known_.end()) return known->second;
  try {
    if (kernels_.size() >= kMostKernels) throw base::InputError({}, "a candidate loads more than 1000 kernels");
    const Json head = base::parse_json(payload.substr(0, line_end), {.file = "kernel"});
    auto kernel = std::make_unique<GuestKernel>();
    kernel->name = head.value("name", "");
    kernel->options = head.value("options", Json::object()).dump();
    kernel->text = payload.substr(line_end + 1);
    std::string answer = load(*kernel, kernels_.size() + 1);
    kernels_.push_back(std::move(kernel));
    known_.emplace(payload, answer);
    return answer;
  } catch (const ttir::UnsupportedError& error) {
    trace_.unsupported = error.what();
    return refusal(error, "unsupported");
  } catch (const base::InputError& error) {
    return refusal(error, "input");
  } catch (const Json::exception& error) {
    return refusal(error, "input");
  }
}

DeviceTrace GuestDevice::take_trace() { return std::exchange(trace_, {}); }

void GuestDevice::add_finding(DeviceFinding finding) {
  // Warnings, however many, leave room for errors.
  const auto alike = std::ranges::count(trace_.findings, finding.error, &DeviceFinding::error);
  if (alike < kMostFindings) trace_.findings.push_back(std::move(finding));
}

const GuestKernel* GuestDevice::kernel(std::uint64_t number) const {
  return number == 0 || number > kernels_.size() ? nullptr : kernels_[number - 1].get();
}

void GuestDevice::add_launch(LaunchRecord record) {
  if (trace_.launches.size() < kMostLaunches) {
    trace_.launches.push_back(std::move(record));
  } else {
    trace_.overflow = fmt::format("more than {} launches", kMostLaunches);
  }
}

}  // namespace tritonrl::verify
