#include "base/log.h"

#include <fcntl.h>
#include <spdlog/pattern_formatter.h>
#include <spdlog/sinks/base_sink.h>
#include <spdlog/spdlog.h>
#include <unistd.h>

#include <cerrno>
#include <iostream>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/file.h"

namespace tritonrl::base::log {
namespace {

spdlog::level::level_enum spdlog_level(Level level) {
  switch (level) {
    case Level::kDebug:
      return spdlog::level::debug;
    case Level::kInfo:
      return spdlog::level::info;
    case Level::kWarning:
      return spdlog::level::warn;
    case Level::kError:
      return spdlog::level::err;
    case Level::kOff:
      return spdlog::level::off;
  }
  bug("not a log level");
}

std::string_view color_of(spdlog::level::level_enum level) {
  switch (level) {
    case spdlog::level::debug:
      return "\x1b[2m";
    case spdlog::level::info:
      return "\x1b[32m";
    case spdlog::level::warn:
      return "\x1b[33m";
    default:
      return "\x1b[31m";
  }
}

// Who writes to the terminal; the lock is held while he does.
struct TerminalWriter {
  std::mutex mutex;
  std::function<void(std::string_view)> write;
};

TerminalWriter& terminal_writer() {
  static auto* const instance = new TerminalWriter;
  return *instance;
}

class StreamSink : public spdlog::sinks::base_sink<std::mutex> {
 public:
  StreamSink(std::ostream& out, const Terminal& terminal)
      : spdlog::sinks::base_sink<std::mutex>(std::make_unique<spdlog::pattern_formatter>("%H:%M:%S %^%l%$ %v")),
        out_(out),
        terminal_(terminal) {}

 protected:
  void sink_it_(const spdlog::details::log_msg& message) override {
    spdlog::memory_buf_t line;
    formatter_->format(message, line);
    const std::string_view text(line.data(), line.size());
    std::string drawn;
    if (terminal_.color && message.color_range_end > message.color_range_start) {
      drawn += text.substr(0, message.color_range_start);
      drawn += color_of(message.level);
      drawn += text.substr(message.color_range_start, message.color_range_end - message.color_range_start);
      drawn += "\x1b[0m";
      drawn += text.substr(message.color_range_end);
    } else {
      drawn += text;
    }
    show(drawn);
  }

  void flush_() override { out_.flush(); }

 private:
  void show(const std::string& text) {
    if (!terminal_.interactive) {
      out_ << text << std::flush;
      return;
    }
    TerminalWriter& writer = terminal_writer();
    const std::lock_guard lock(writer.mutex);
    if (writer.write) {
      writer.write(text);
    } else {
      out_ << kEraseLine + text << std::flush;  // a progress bar may be there; it draws itself again
    }
  }

  std::ostream& out_;
  Terminal terminal_;
};

class FileSink : public spdlog::sinks::base_sink<std::mutex> {
 public:
  explicit FileSink(UniqueFd fd)
      : spdlog::sinks::base_sink<std::mutex>(std::make_unique<spdlog::pattern_formatter>("%Y-%m-%d %H:%M:%S %l %v")),
        fd_(std::move(fd)) {}

 protected:
  void sink_it_(const spdlog::details::log_msg& message) override {
    spdlog::memory_buf_t line;
    formatter_->format(message, line);
    [[maybe_unused]] const auto written = ::write(fd_.get(), line.data(), line.size());
  }
  void flush_() override {}

 private:
  UniqueFd fd_;
};

using SinkPointer = std::shared_ptr<spdlog::sinks::sink>;

// The one logger of the process. Never destroyed: late destructors may still log.
struct Current {
  std::mutex mutex;
  SinkPointer stream = std::make_shared<StreamSink>(std::cerr, Terminal::of(STDERR_FILENO));
  std::vector<SinkPointer> files = {};
  std::shared_ptr<spdlog::logger> logger = made(spdlog::level::info);

  // Of the sinks there are. A logger's own must not change while others log.
  std::shared_ptr<spdlog::logger> made(spdlog::level::level_enum level) const {
    std::vector<SinkPointer> sinks = files;
    sinks.push_back(stream);
    auto fresh = std::make_shared<spdlog::logger>("tritonrl", sinks.begin(), sinks.end());
    fresh->set_level(level);
    return fresh;
  }
};

Current& current() {
  static auto* const instance = new Current;
  return *instance;
}

std::shared_ptr<spdlog::logger> logger() {
  Current& now = current();
  const std::lock_guard lock(now.mutex);
  return now.logger;
}

}  // namespace

void set_level(Level level) { logger()->set_level(spdlog_level(level)); }

bool enabled(Level level) { return logger()->should_log(spdlog_level(level)); }

void set_output(std::ostream& out, const Terminal& terminal) {
  Current& now = current();
  const std::lock_guard lock(now.mutex);
  now.stream = std::make_shared<StreamSink>(out, terminal);
  now.logger = now.made(now.logger->level());
}

void reset_output() { set_output(std::cerr, Terminal::of(STDERR_FILENO)); }

void write(Level level, std::string_view message) {
  logger()->log(spdlog_level(level), spdlog::string_view_t(message.data(), message.size()));
}

void set_terminal_writer(std::function<void(std::string_view)> writer) {
  TerminalWriter& current_writer = terminal_writer();
  const std::lock_guard lock(current_writer.mutex);
  current_writer.write = std::move(writer);
}

FileCopy::FileCopy(const std::filesystem::path& file) {
  UniqueFd fd(::open(file.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644));
  if (!fd) throw HostError::from_errno("write " + file.string(), errno);
  const auto sink = std::make_shared<FileSink>(std::move(fd));
  sink_ = sink;
  Current& now = current();
  const std::lock_guard lock(now.mutex);
  now.files.push_back(sink);
  now.logger = now.made(now.logger->level());
}

FileCopy::~FileCopy() {
  Current& now = current();
  const std::lock_guard lock(now.mutex);
  std::erase(now.files, std::static_pointer_cast<FileSink>(sink_));
  now.logger = now.made(now.logger->level());
}

void note(std::string_view message) {
  std::vector<SinkPointer> files;
  {
    Current& now = current();
    const std::lock_guard lock(now.mutex);
    files = now.files;
  }
  const spdlog::details::log_msg line("tritonrl", spdlog::level::info, {message.data(), message.size()});
  for (const SinkPointer& file : files) file->log(line);
}

}  // namespace tritonrl::base::log
