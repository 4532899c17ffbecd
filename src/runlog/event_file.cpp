#include "runlog/event_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <cmath>
#include <string>

#include "base/error.h"
#include "runlog/crc32c.h"

namespace tritonrl::runlog {
namespace {

constexpr std::string_view kPrefix = "events.out.tfevents.";

// Of protocol buffers' wire format, what an Event needs.
enum WireType : std::uint32_t { kVarint = 0, kFixed64 = 1, kBytes = 2, kFixed32 = 5 };

void put_varint(std::string& out, std::uint64_t value) {
  for (; value >= 0x80; value >>= 7) out += static_cast<char>((value & 0x7FU) | 0x80U);
  out += static_cast<char>(value);
}

void put_tag(std::string& out, std::uint32_t field, WireType type) { put_varint(out, field << 3U | type); }

template <typename T>
void put_little_endian(std::string& out, T value) {
  for (std::size_t byte = 0; byte < sizeof(T); ++byte) out += static_cast<char>((value >> (8 * byte)) & 0xFFU);
}

void put_bytes(std::string& out, std::uint32_t field, std::string_view bytes) {
  put_tag(out, field, kBytes);
  put_varint(out, bytes.size());
  out += bytes;
}

double wall_time_s() {
  return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

// Event.wall_time and .step.
std::string event_start(std::int64_t step) {
  std::string event;
  put_tag(event, 1, kFixed64);
  put_little_endian(event, std::bit_cast<std::uint64_t>(wall_time_s()));
  put_tag(event, 2, kVarint);
  put_varint(event, static_cast<std::uint64_t>(step));
  return event;
}

std::string version_event() {
  std::string event = event_start(0);
  put_bytes(event, 3, "brain.Event:2");
  return event;
}

// TensorBoard then forgets what earlier files say of this step and later ones.
std::string restart_event(std::int64_t first_step) {
  std::string session;
  put_tag(session, 1, kVarint);
  put_varint(session, 1);  // SessionLog.START
  std::string event = event_start(first_step);
  put_bytes(event, 7, session);
  return event;
}

// Newer than every file there: TensorBoard reads them in the order of their names.
std::int64_t name_time(const std::filesystem::path& folder) {
  auto time = static_cast<std::int64_t>(wall_time_s());
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    const std::string name = entry.path().filename().string();
    if (!name.starts_with(kPrefix)) continue;
    std::int64_t known = 0;
    std::from_chars(name.data() + kPrefix.size(), name.data() + name.size(), known);
    time = std::max(time, known + 1);
  }
  return time;
}

}  // namespace

EventFile::EventFile(const std::filesystem::path& folder, std::int64_t first_step)
    : path_(folder / fmt::format("{}{:010}.tritonrl.{}", kPrefix, name_time(folder), ::getpid())),
      fd_(::open(path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644)) {
  if (!fd_) throw base::HostError::from_errno("write " + path_.string(), errno);
  write_record(version_event());
  if (first_step > 0) write_record(restart_event(first_step));
}

void EventFile::add(const StepMetrics& metrics) {
  std::string summary;
  for (const auto& [name, value] : metrics.values) {
    if (std::isnan(value)) continue;
    std::string scalar;
    put_bytes(scalar, 1, name);
    put_tag(scalar, 2, kFixed32);
    put_little_endian(scalar, std::bit_cast<std::uint32_t>(static_cast<float>(value)));
    put_bytes(summary, 1, scalar);
  }
  std::string event = event_start(metrics.step);
  put_bytes(event, 5, summary);
  write_record(event);
}

void EventFile::write_record(std::string_view event) {
  std::string record;
  put_little_endian(record, static_cast<std::uint64_t>(event.size()));
  put_little_endian(record, masked_crc32c(record));
  record += event;
  put_little_endian(record, masked_crc32c(event));
  base::write_all(fd_.get(), record, path_);
}

}  // namespace tritonrl::runlog
