#include "runlog/metrics_log.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cmath>
#include <cstring>
#include <functional>
#include <limits>
#include <string>
#include <utility>

#include "base/error.h"
#include "base/json.h"

namespace tritonrl::runlog {
namespace {

constexpr std::size_t kMostBytes = std::size_t{4} << 30;

StepMetrics parse_line(std::string_view line, const base::Place& where) {
  const base::Json row = base::parse_json(line, where);
  if (!row.is_object() || !row.contains("step") || !row["step"].is_number_integer()) {
    throw base::InputError(where, "is no line of a run's metrics", "choose another folder for the run");
  }
  StepMetrics metrics{.step = row["step"].get<std::int64_t>()};
  for (const auto& [name, value] : row.items()) {
    if (name == "step") continue;
    metrics.add(name, value.is_number() ? value.get<double>() : std::numeric_limits<double>::quiet_NaN());
  }
  return metrics;
}

// Tells every whole line and the offset behind it, until `use` has enough.
void for_each_line(const std::filesystem::path& path, const std::function<bool(StepMetrics, std::size_t)>& use) {
  const std::string text = base::read_file(path, kMostBytes);
  std::size_t begin = 0;
  for (std::size_t line = 1;; ++line) {
    const std::size_t end = text.find('\n', begin);
    if (end == std::string::npos) return;
    const std::string_view content(text.data() + begin, end - begin);
    if (!use(parse_line(content, {.file = path.string(), .line = line}), end + 1)) return;
    begin = end + 1;
  }
}

// The length of the file without what stands after `last_step`.
std::size_t kept_bytes(const std::filesystem::path& path, std::int64_t last_step) {
  std::size_t kept = 0;
  if (last_step < 0 || !std::filesystem::exists(path)) return kept;
  for_each_line(path, [&](const StepMetrics& metrics, std::size_t end) {
    if (metrics.step > last_step) return false;
    kept = end;
    return true;
  });
  return kept;
}

double now_s() { return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count(); }

}  // namespace

MetricsLog::MetricsLog(std::filesystem::path path, std::int64_t last_step) : path_(std::move(path)) {
  const std::size_t kept = kept_bytes(path_, last_step);
  fd_.reset(::open(path_.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644));
  if (!fd_) throw base::InputError({.file = path_.string()}, "cannot be written: " + std::string(std::strerror(errno)));
  if (::ftruncate(fd_.get(), static_cast<off_t>(kept)) != 0) {
    throw base::HostError::from_errno("shorten " + path_.string(), errno);
  }
}

void MetricsLog::add(const StepMetrics& metrics) {
  base::Json row = {{"step", metrics.step}, {"time", std::round(now_s() * 1000) / 1000}};
  for (const auto& [name, value] : metrics.values) row[name] = std::isfinite(value) ? base::Json(value) : base::Json();
  base::write_all(fd_.get(), base::json_line(row) + '\n', path_);
}

void MetricsLog::sync() {
  if (::fdatasync(fd_.get()) != 0) throw base::HostError::from_errno("write " + path_.string(), errno);
}

std::vector<StepMetrics> read_metrics(const std::filesystem::path& path) {
  std::vector<StepMetrics> steps;
  for_each_line(path, [&](StepMetrics metrics, std::size_t) {
    steps.push_back(std::move(metrics));
    return true;
  });
  return steps;
}

}  // namespace tritonrl::runlog
