#include "apps/run_record.h"

#include <algorithm>
#include <exception>

namespace tritonrl::apps {
namespace {

using base::Json;

constexpr std::string_view kUnsupported = "UnsupportedKernel: ";

const Json& field(const Json& object, const char* key) {
  static const Json nothing;
  if (!object.is_object()) return nothing;
  const auto found = object.find(key);
  return found == object.end() ? nothing : *found;
}

std::string text_of(const Json& value) { return value.is_string() ? value.get<std::string>() : std::string(); }

std::uint64_t count_of(const Json& value) {
  return value.is_number_integer() && value.get<std::int64_t>() > 0 ? value.get<std::uint64_t>() : 0;
}

double number_of(const Json& value) { return value.is_number() ? value.get<double>() : 0.0; }

SourcePlace place_of(const Json& value) {
  return {.file = text_of(field(value, "file")),
          .line = count_of(field(value, "line")),
          .column = count_of(field(value, "column")),
          .function = text_of(field(value, "function"))};
}

std::vector<SourcePlace> places_of(const Json& value) {
  std::vector<SourcePlace> places;
  if (value.is_array()) std::ranges::transform(value, std::back_inserter(places), place_of);
  return places;
}

std::optional<std::vector<std::int64_t>> program_of(const Json& value) {
  if (!value.is_array()) return std::nullopt;
  std::vector<std::int64_t> program;
  for (const Json& axis : value) program.push_back(static_cast<std::int64_t>(count_of(axis)));
  return program;
}

void add_traffic(Traffic& to, const Json& from) {
  to.accesses += count_of(field(from, "accesses"));
  to.lanes += count_of(field(from, "lanes"));
  to.masked_off += count_of(field(from, "masked_off"));
  to.bytes += count_of(field(from, "bytes"));
  to.sectors += count_of(field(from, "sectors"));
}

void add_work(WorkCounters& to, const Json& from) {
  add_traffic(to.loads, field(from, "loads"));
  add_traffic(to.stores, field(from, "stores"));
  add_traffic(to.atomics, field(from, "atomics"));
  to.loop_trips += count_of(field(from, "loop_trips"));
  const Json& operations = field(from, "operations");
  if (!operations.is_object()) return;
  for (const auto& [name, count] : operations.items()) to.operations[name] += count_of(count);
}

}  // namespace

void RunRecords::add(std::string_view line) {
  Json record;
  try {
    record = base::parse_json(line, {.file = "records", .line = 0, .column = 0});
  } catch (const std::exception&) {
    return;
  }
  const std::string type = text_of(field(record, "type"));
  if (type == "finding" && keep_ == Keep::kAll) add_finding(record);
  if (type == "launch") add_launch(record);
  if (type == "unsupported") unsupported_.push_back(text_of(field(record, "message")));
  if (type == "end") add_end(record);
}

std::size_t RunRecords::errors() const {
  return static_cast<std::size_t>(std::ranges::count_if(findings_, &RunFinding::is_error));
}

void RunRecords::add_finding(const Json& record) {
  RunFinding finding{.rule = text_of(field(record, "rule")),
                     .is_error = text_of(field(record, "severity")) != "warning",
                     .where = place_of(record),
                     .callers = places_of(field(record, "callers")),
                     .kernel = text_of(field(record, "kernel")),
                     .program = program_of(field(record, "program")),
                     .lane = std::nullopt,
                     .message = text_of(field(record, "message")),
                     .occurrences = std::max<std::uint64_t>(count_of(field(record, "occurrences")), 1),
                     .launches = 1,
                     .launched_at = places_of(field(record, "stack"))};
  finding.where.function.clear();
  if (const Json& lane = field(record, "lane"); lane.is_number_integer()) finding.lane = lane.get<std::int64_t>();
  Json key = {finding.rule, finding.kernel, finding.where.file, finding.where.line, finding.where.column};
  for (const SourcePlace& caller : finding.callers) key.push_back({caller.file, caller.line, caller.column});
  const auto [known, is_new] = finding_index_.try_emplace(base::json_line(key), findings_.size());
  if (is_new) {
    findings_.push_back(std::move(finding));
    return;
  }
  findings_[known->second].occurrences += finding.occurrences;
  ++findings_[known->second].launches;
}

void RunRecords::add_launch(const Json& record) {
  ++launches_;
  const std::string name = text_of(field(record, "kernel"));
  const auto [known, is_new] = kernel_index_.try_emplace(name, kernels_.size());
  if (is_new) kernels_.emplace_back().kernel = name;
  KernelProfile& kernel = kernels_[known->second];
  const Json& counters = field(record, "counters");
  ++kernel.launches;
  kernel.programs += count_of(field(counters, "programs"));
  add_work(kernel.work, counters);
  kernel.unique_bytes_read += count_of(field(counters, "unique_bytes_read"));
  kernel.unique_bytes_written += count_of(field(counters, "unique_bytes_written"));
  kernel.modelled_us += number_of(field(record, "modelled_us"));
  if (const std::string bound = text_of(field(record, "bound")); !bound.empty()) ++kernel.bounds[bound];
  const Json& evidence = field(record, "evidence");
  if (evidence.is_object() && !evidence.empty() &&
      std::ranges::find(kernel.evidence, evidence) == kernel.evidence.end())
    kernel.evidence.push_back(evidence);
  const Json& lines = field(counters, "lines");
  if (!lines.is_array()) return;
  for (const Json& line : lines)
    add_work(kernel.lines[{text_of(field(line, "file")), count_of(field(line, "line"))}], line);
}

void RunRecords::add_end(const Json& record) {
  end_ = End{.status = static_cast<int>(count_of(field(record, "exit"))),
             .error = text_of(field(record, "error")),
             .torch_operators = count_of(field(record, "torch_ops")),
             .modelled_us = number_of(field(record, "modelled_us"))};
  if (unsupported_.empty() && end_->error.starts_with(kUnsupported))
    unsupported_.push_back(end_->error.substr(kUnsupported.size()));
}

}  // namespace tritonrl::apps
