#include "base/log.h"

#include <spdlog/pattern_formatter.h>
#include <spdlog/sinks/base_sink.h>
#include <spdlog/spdlog.h>
#include <unistd.h>

#include <iostream>
#include <memory>
#include <mutex>
#include <utility>

#include "base/error.h"

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
    if (terminal_.interactive) {
      drawn += kEraseLine;  // a progress bar may be there; it draws itself again
    }
    if (terminal_.color && message.color_range_end > message.color_range_start) {
      drawn += text.substr(0, message.color_range_start);
      drawn += color_of(message.level);
      drawn += text.substr(message.color_range_start, message.color_range_end - message.color_range_start);
      drawn += "\x1b[0m";
      drawn += text.substr(message.color_range_end);
    } else {
      drawn += text;
    }
    out_ << drawn << std::flush;
  }

  void flush_() override { out_.flush(); }

 private:
  std::ostream& out_;
  Terminal terminal_;
};

std::shared_ptr<spdlog::logger> logger_to(std::ostream& out, const Terminal& terminal) {
  auto logger = std::make_shared<spdlog::logger>("tritonrl", std::make_shared<StreamSink>(out, terminal));
  logger->set_level(spdlog::level::info);
  return logger;
}

// The one logger of the process. Never destroyed: late destructors may still log.
struct Current {
  std::mutex mutex;
  std::shared_ptr<spdlog::logger> logger = logger_to(std::cerr, Terminal::of(STDERR_FILENO));
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
  const auto level = now.logger->level();
  now.logger = logger_to(out, terminal);
  now.logger->set_level(level);
}

void reset_output() { set_output(std::cerr, Terminal::of(STDERR_FILENO)); }

void write(Level level, std::string_view message) {
  logger()->log(spdlog_level(level), spdlog::string_view_t(message.data(), message.size()));
}

}  // namespace tritonrl::base::log
