#include "ttir/c_api.h"

#include <cstring>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

#include "base/json.h"
#include "ttir/cost_model.h"
#include "ttir/count_scaling.h"
#include "ttir/launch.h"
#include "ttir/launch_work.h"
#include "ttir/unsupported.h"

using namespace tritonrl;        // NOLINT(google-build-using-namespace): C functions have no namespace of their own
using namespace tritonrl::ttir;  // NOLINT(google-build-using-namespace)
using base::Json;

struct tritonrl_device {
  std::mutex mutex;
  AddressSpace space;
  LaunchOptions options;
  DeviceProfile profile;
  bool by_line = false;
};

struct tritonrl_kernel {
  Code code;
  KernelShape shape;
};

namespace {

char* owned_text(const std::string& text) {
  auto* copy = static_cast<char*>(std::malloc(text.size() + 1));
  if (copy != nullptr) std::memcpy(copy, text.c_str(), text.size() + 1);
  return copy;
}

std::string failure_text(const std::exception& error) {
  const char* kind = "host";
  if (dynamic_cast<const base::InputError*>(&error) != nullptr) kind = "input";
  if (dynamic_cast<const UnsupportedError*>(&error) != nullptr) kind = "unsupported";
  return base::json_line(Json{{"error", error.what()}, {"kind", kind}});
}

ProgramOrder order_named(const std::string& name) {
  if (name == "in-order") return ProgramOrder::kInOrder;
  if (name == "reversed") return ProgramOrder::kReversed;
  if (name == "shuffled") return ProgramOrder::kShuffled;
  throw base::InputError({.file = "device options"}, "order is '" + name + "'", "use in-order, reversed or shuffled");
}

void read_options(tritonrl_device& device, const char* text) {
  const base::Place where{.file = "device options"};
  const Json given = base::parse_json(text == nullptr || *text == '\0' ? "{}" : text, where);
  base::JsonFields fields(given, where);
  LaunchOptions& options = device.options;
  options.sanitize = fields.optional_boolean("sanitize").value_or(true);
  options.threads =
      static_cast<unsigned>(std::clamp<std::int64_t>(fields.optional_integer("threads").value_or(1), 1, 256));
  options.order = order_named(fields.optional_text("order").value_or("in-order"));
  options.seed = static_cast<std::uint64_t>(fields.optional_integer("seed").value_or(0));
  if (const auto budget = fields.optional_integer("step_budget").value_or(0); budget > 0)
    options.step_budget = static_cast<std::uint64_t>(budget);
  device.profile = device_profile(fields.optional_text("profile").value_or("h200"));
  device.by_line = fields.optional_boolean("by_line").value_or(false);
  fields.finish();
}

Argument argument_of(const tritonrl_argument& given) {
  Argument argument;
  argument.integer = given.integer;
  argument.real = given.real;
  argument.extent = {.name = given.name == nullptr ? "" : given.name,
                     .begin = given.extent_begin,
                     .end = given.extent_end,
                     .known = given.extent_begin != 0 || given.extent_end != 0};
  std::ranges::copy(given.shape, argument.shape.begin());
  std::ranges::copy(given.strides, argument.strides.begin());
  argument.rank = given.rank;
  argument.nan_padding = given.nan_padding != 0;
  return argument;
}

Json place_json(const Location& location) {
  return {{"file", location.file}, {"line", location.line}, {"column", location.column}};
}

Json finding_json(const Code& code, const Finding& finding) {
  const Location& location = code.locations[finding.location];
  Json json{{"rule", finding.rule->id},
            {"severity", finding.rule->severity == Severity::kError ? "error" : "warning"},
            {"file", location.file},
            {"line", location.line},
            {"column", location.column}};
  Json callers = Json::array();
  for (const Location* at = &location; at->caller; at = &code.locations[*at->caller])
    callers.push_back(place_json(code.locations[*at->caller]));
  json["callers"] = std::move(callers);
  json["program"] = finding.program;
  json["lane"] = finding.lane < 0 ? Json() : Json(finding.lane);
  json["message"] = finding.message;
  json["occurrences"] = finding.occurrences;
  return json;
}

Json traffic_json(const TrafficCounters& traffic) {
  return {{"accesses", traffic.accesses},
          {"lanes", traffic.lanes},
          {"masked_off", traffic.masked_off},
          {"bytes", traffic.bytes},
          {"sectors", traffic.sectors}};
}

template <typename Cost>
Json cost_json(const Cost& cost) {
  return {{"loads", traffic_json(cost.loads)},
          {"stores", traffic_json(cost.stores)},
          {"atomics", traffic_json(cost.atomics)},
          {"operations", cost.operations},
          {"loop_trips", cost.loop_trips}};
}

Json report_json(const Code& code, const LaunchReport& report, const LaunchCost& cost) {
  Json findings = Json::array();
  for (const Finding& finding : report.findings) findings.push_back(finding_json(code, finding));
  Json counters = cost_json(cost);
  counters["programs"] = report.counters.programs;
  counters["unique_bytes_read"] = report.counters.unique_bytes.read;
  counters["unique_bytes_written"] = report.counters.unique_bytes.written;
  if (!cost.lines.empty()) {
    Json lines = Json::array();
    for (const LineCost& line : cost.lines) {
      Json row{{"file", line.file}, {"line", line.line}};
      row.update(cost_json(line));
      lines.push_back(std::move(row));
    }
    counters["lines"] = std::move(lines);
  }
  return {{"findings", std::move(findings)},
          {"printed", report.printed},
          {"counters", std::move(counters)},
          {"modelled_us", cost.modelled_us},
          {"bound", cost.bound}};
}

Product product_named(const std::string& name) {
  if (name == "16-bit") return Product::k16Bit;
  if (name == "tf32") return Product::kTf32;
  if (name == "float32") return Product::kFloat32;
  if (name == "float64") return Product::kFloat64;
  throw base::InputError({.file = "request"}, "product is '" + name + "'", "use 16-bit, tf32, float32 or float64");
}

}  // namespace

tritonrl_device* tritonrl_device_create(const char* options, char** error) {
  try {
    auto device = std::make_unique<tritonrl_device>();
    read_options(*device, options);
    return device.release();
  } catch (const std::exception& failure) {
    if (error != nullptr) *error = owned_text(failure_text(failure));
    return nullptr;
  }
}

void tritonrl_device_destroy(tritonrl_device* device) { delete device; }

void tritonrl_device_allocated(tritonrl_device* device, uint64_t address, uint64_t bytes, int defined,
                               const char* name) {
  const std::lock_guard lock(device->mutex);
  // NOLINTNEXTLINE(performance-no-int-to-ptr): the interface speaks of memory by its address, as kernels do
  auto* const memory = reinterpret_cast<std::byte*>(address);
  device->space.add(address, bytes, memory, name == nullptr ? "" : name,
                    defined != 0 ? Contents::kDefined : Contents::kUndefined);
}

void tritonrl_device_freed(tritonrl_device* device, uint64_t address) {
  const std::lock_guard lock(device->mutex);
  device->space.remove(address);
}

void tritonrl_device_written(tritonrl_device* device, uint64_t address, uint64_t bytes) {
  const std::lock_guard lock(device->mutex);
  device->space.mark_defined(address, bytes);
}

int64_t tritonrl_device_first_undefined(tritonrl_device* device, uint64_t address, uint64_t bytes) {
  const std::lock_guard lock(device->mutex);
  const auto offset = device->space.first_undefined(address, bytes);
  return offset ? static_cast<int64_t>(*offset) : -1;
}

tritonrl_kernel* tritonrl_kernel_load(const char* ttir, size_t bytes, char** error) {
  try {
    std::string_view text(ttir, bytes);
    Json head = Json::object();
    if (text.starts_with('{')) {
      const std::size_t end = std::min(text.find('\n'), text.size());
      head = base::parse_json(text.substr(0, end), {.file = "kernel"});
      text.remove_prefix(std::min(end + 1, text.size()));
    }
    auto kernel = std::make_unique<tritonrl_kernel>(lower(parse_module(text)));
    kernel->shape = kernel_shape(kernel->code, head);
    return kernel.release();
  } catch (const std::exception& failure) {
    if (error != nullptr) *error = owned_text(failure_text(failure));
    return nullptr;
  }
}

void tritonrl_kernel_destroy(tritonrl_kernel* kernel) { delete kernel; }

char* tritonrl_launch(tritonrl_device* device, const tritonrl_kernel* kernel, const uint32_t grid[3],
                      const tritonrl_argument* arguments, size_t count) {
  try {
    std::vector<Argument> given;
    given.reserve(count);
    for (size_t i = 0; i < count; ++i) given.push_back(argument_of(arguments[i]));
    const std::lock_guard lock(device->mutex);
    LaunchOptions options = device->options;
    options.resident = most_resident_programs(kernel->shape, device->profile);
    const LaunchReport report = launch(kernel->code, device->space, {grid[0], grid[1], grid[2]}, given, options);
    const LaunchCost cost = cost_of(kernel->code, report.counters, kernel->shape, device->profile, device->by_line);
    Json json = report_json(kernel->code, report, cost);
    json["counters"]["work"] = work_json(cost.work);
    json["counters"]["shape"] = shape_json(kernel->shape);
    return owned_text(base::json_line(json));
  } catch (const std::exception& failure) {
    return owned_text(failure_text(failure));
  }
}

char* tritonrl_model(const char* request) {
  try {
    const Json given = base::parse_json(request, {.file = "request"});
    const DeviceProfile profile = given.contains("profile_text")
                                      ? device_profile_from_text(given["profile_text"].get<std::string>())
                                      : device_profile(given.value("profile", "h200"));
    Json answer{{"call_us", profile.call_us}, {"launches", Json::array()}, {"operators", Json::array()}};
    for (const Json& launch : given.value("launches", Json::array())) {
      const ModelledTime time =
          modelled_launch(work_from_json(launch.at("work")), shape_from_json(launch.at("shape")), profile);
      answer["launches"].push_back({{"us", time.us}, {"bound", time.bound}});
    }
    for (const Json& op : given.value("operators", Json::array()))
      answer["operators"].push_back(modelled_operator_us(op.at("name").get<std::string>(), op.at("bytes").get<double>(),
                                                         op.at("flops").get<double>(),
                                                         product_named(op.value("product", "16-bit")), profile));
    return owned_text(base::json_line(answer));
  } catch (const std::exception& failure) {
    return owned_text(failure_text(failure));
  }
}

char* tritonrl_scale(const char* request) {
  try {
    const Json given = base::parse_json(request, {.file = "request"});
    const CountScaling scaling(given.at("names").get<std::vector<std::string>>(),
                               given.at("sizes").get<std::vector<std::vector<double>>>(),
                               given.at("target").get<std::vector<double>>());
    Json answer{{"unknown", scaling.unknown()}, {"counts", Json::object()}};
    for (const auto& [name, counts] : given.at("counts").items()) {
      const ScaledCount scaled = scaling.scale(counts.get<std::vector<double>>());
      answer["counts"][name] = {{"value", scaled.value}, {"error", scaled.error}, {"formula", scaled.formula}};
    }
    return owned_text(base::json_line(answer));
  } catch (const std::exception& failure) {
    return owned_text(failure_text(failure));
  }
}

void tritonrl_free_text(char* text) { std::free(text); }
