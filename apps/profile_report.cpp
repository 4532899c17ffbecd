#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <exception>
#include <ostream>

#include "apps/sanitize_report.h"
#include "base/file.h"
#include "base/text.h"

namespace tritonrl::apps {
namespace {

using base::Json;

constexpr std::uint64_t kSectorBytes = 32;
constexpr std::size_t kMaxSource = 60;

Traffic total(const WorkCounters& work) {
  Traffic sum;
  for (const Traffic* part : {&work.loads, &work.stores, &work.atomics}) {
    sum.accesses += part->accesses;
    sum.lanes += part->lanes;
    sum.masked_off += part->masked_off;
    sum.bytes += part->bytes;
    sum.sectors += part->sectors;
  }
  return sum;
}

std::string bytes_text(std::uint64_t bytes) {
  if (bytes < 1024) return fmt::format("{} B", bytes);
  auto value = static_cast<double>(bytes);
  const char* unit = "B";
  for (const char* larger : {"KiB", "MiB", "GiB", "TiB"}) {
    if (value < 1024) break;
    value /= 1024;
    unit = larger;
  }
  return fmt::format("{:.1f} {}", value, unit);
}

std::string count_text(std::uint64_t count) {
  if (count < 100'000) return std::to_string(count);
  auto value = static_cast<double>(count);
  const char* unit = "";
  for (const char* larger : {" k", " M", " G", " T"}) {
    if (value < 1000) break;
    value /= 1000;
    unit = larger;
  }
  return fmt::format("{:.1f}{}", value, unit);
}

std::string waste_text(const Traffic& traffic) {
  if (traffic.bytes == 0) return "-";
  return fmt::format("{:.2f}",
                     static_cast<double>(traffic.sectors * kSectorBytes) / static_cast<double>(traffic.bytes));
}

std::string masked_text(const Traffic& traffic) {
  if (traffic.lanes == 0) return "-";
  return fmt::format("{:.1f} %", 100.0 * static_cast<double>(traffic.masked_off) / static_cast<double>(traffic.lanes));
}

std::vector<std::string> cells(const WorkCounters& work) {
  const Traffic all = total(work);
  return {bytes_text(work.loads.bytes),
          bytes_text(work.stores.bytes),
          bytes_text(work.atomics.bytes),
          count_text(all.sectors),
          waste_text(all),
          masked_text(all),
          count_text(work.loop_trips)};
}

constexpr std::array kCellNames = {"loaded", "stored", "atomics", "sectors", "waste", "masked off", "loop trips"};

// The largest first: what a kernel mostly does is what its reader asks.
std::string operations_text(const WorkCounters& work) {
  std::vector<std::pair<std::string, std::uint64_t>> sorted(work.operations.begin(), work.operations.end());
  std::ranges::stable_sort(sorted, std::greater<>(), &std::pair<std::string, std::uint64_t>::second);
  std::string text;
  for (const auto& [name, count] : sorted) {
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", name.ends_with("!tt.ptr") ? "pointer" : name,
                        count_text(count));
  }
  return text.empty() ? "-" : text;
}

using Row = std::vector<std::string>;

// The first column is flush left, and so are those from `left` on; the rest are numbers.
void print_table(std::ostream& out, std::string_view indent, const std::vector<Row>& rows, std::size_t left) {
  std::vector<std::size_t> widths(rows.front().size());
  for (const Row& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  for (const Row& row : rows) {
    std::string line(indent);
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (i > 0) line += "  ";
      line += i == 0 || i >= left ? fmt::format("{:<{}}", row[i], widths[i]) : fmt::format("{:>{}}", row[i], widths[i]);
    }
    out << line.substr(0, line.find_last_not_of(' ') + 1) << '\n';
  }
}

// What most launches spend their modelled time on.
std::string bounds_text(const KernelProfile& kernel) {
  if (kernel.bounds.empty()) return {};
  return std::ranges::max_element(kernel.bounds, {}, [](const auto& bound) { return bound.second; })->first;
}

void print_kernels(std::ostream& out, const RunRecords& records) {
  std::vector<Row> rows(1, {"kernel", "launches", "programs"});
  rows[0].insert(rows[0].end(), kCellNames.begin(), kCellNames.end());
  const bool has_bounds = !records.kernels().front().bounds.empty();
  rows[0].insert(rows[0].end(), {"modelled us", has_bounds ? "bound by" : ""});
  for (const KernelProfile& kernel : records.kernels()) {
    Row row{base::printable(kernel.kernel), count_text(kernel.launches), count_text(kernel.programs)};
    std::ranges::copy(cells(kernel.work), std::back_inserter(row));
    row.push_back(fmt::format("{:.2f}", kernel.modelled_us));
    row.push_back(bounds_text(kernel));
    rows.push_back(std::move(row));
  }
  print_table(out, "", rows, rows[0].size() - 1);
}

std::string source_line(const std::string& file, std::size_t line) {
  try {
    const std::string text = base::read_file(file);
    return base::printable(base::strip(base::LineIndex(text).line_text(line)), kMaxSource);
  } catch (const std::exception&) {
    return {};
  }
}

void print_lines(std::ostream& out, const KernelProfile& kernel) {
  const std::string* file = nullptr;
  std::vector<Row> rows;
  const auto flush = [&] {
    if (!rows.empty()) print_table(out, "  ", rows, rows[0].size() - 2);
    rows.clear();
  };
  for (const auto& [place, work] : kernel.lines) {
    if (file == nullptr || *file != place.first) {
      flush();
      file = &place.first;
      out << "  " << shown_path(place.first) << '\n';
      rows.push_back({"line"});
      rows[0].insert(rows[0].end(), kCellNames.begin(), kCellNames.end());
      rows[0].insert(rows[0].end(), {"arithmetic", "source"});
    }
    Row row{std::to_string(place.second)};
    std::ranges::copy(cells(work), std::back_inserter(row));
    row.push_back(operations_text(work));
    row.push_back(source_line(place.first, place.second));
    rows.push_back(std::move(row));
  }
  flush();
}

Json traffic_json(const Traffic& traffic) {
  return {{"accesses", traffic.accesses},
          {"lanes", traffic.lanes},
          {"masked_off", traffic.masked_off},
          {"bytes", traffic.bytes},
          {"sectors", traffic.sectors}};
}

Json work_json(const WorkCounters& work) {
  const Traffic all = total(work);
  const auto ratio = [](double part, std::uint64_t whole) {
    return whole == 0 ? Json() : Json(part / static_cast<double>(whole));
  };
  return {{"loads", traffic_json(work.loads)},
          {"stores", traffic_json(work.stores)},
          {"atomics", traffic_json(work.atomics)},
          {"waste", ratio(static_cast<double>(all.sectors * kSectorBytes), all.bytes)},
          {"masked_off_share", ratio(static_cast<double>(all.masked_off), all.lanes)},
          {"operations", work.operations},
          {"loop_trips", work.loop_trips}};
}

}  // namespace

void print_profile(std::ostream& out, const RunRecords& records, const std::string& device) {
  out << "profile (times are modelled on " << base::printable(device) << ", not measured)\n";
  if (records.kernels().empty()) {
    out << "no Triton kernel was launched\n";
    return;
  }
  print_kernels(out, records);
  for (const KernelProfile& kernel : records.kernels()) {
    out << '\n' << base::printable(kernel.kernel) << ": " << operations_text(kernel.work) << '\n';
    for (const Json& evidence : kernel.evidence) {
      const auto figure = [&](const char* name) { return evidence.value(name, Json()).dump(); };
      out << fmt::format("  compiled: {} registers a thread, {} spilled, {} bytes of shared memory\n",
                         figure("registers"), figure("spills"), figure("shared"));
    }
    print_lines(out, kernel);
  }
}

Json profile_json(const RunRecords& records, const std::string& device) {
  Json kernels = Json::array();
  for (const KernelProfile& kernel : records.kernels()) {
    Json row = {{"kernel", kernel.kernel}, {"launches", kernel.launches}, {"programs", kernel.programs}};
    row.update(work_json(kernel.work));
    row["unique_bytes_read"] = kernel.unique_bytes_read;
    row["unique_bytes_written"] = kernel.unique_bytes_written;
    row["modelled_us"] = kernel.modelled_us;
    row["bound"] = kernel.bounds;
    row["compiled"] = kernel.evidence;
    Json lines = Json::array();
    for (const auto& [place, work] : kernel.lines) {
      Json line = {{"file", place.first}, {"line", place.second}};
      line.update(work_json(work));
      lines.push_back(std::move(line));
    }
    row["lines"] = std::move(lines);
    kernels.push_back(std::move(row));
  }
  return {{"device", device}, {"time", "modelled"}, {"kernels", std::move(kernels)}};
}

}  // namespace tritonrl::apps
