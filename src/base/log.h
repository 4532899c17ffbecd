#pragma once

#include <fmt/core.h>

#include <filesystem>
#include <functional>
#include <iosfwd>
#include <memory>
#include <string_view>
#include <utility>

#include "base/terminal.h"

// Messages about the work, to stderr: "12:30:01 warning ...". Safe to call from any thread.
// Results never go through here: those are stdout's, and the command line's to write.
namespace tritonrl::base::log {

enum class Level { kDebug, kInfo, kWarning, kError, kOff };

// Messages below `level` are dropped; info until told otherwise.
void set_level(Level level);
bool enabled(Level level);

// Writes elsewhere than to stderr. `out` must outlive all logging, or the next call of this.
void set_output(std::ostream& out, const Terminal& terminal);
// Back to stderr, coloured when it is a terminal that wants colour.
void reset_output();

// Who writes to a terminal in place of the log itself, since lines of its own stand there; null: nobody.
void set_terminal_writer(std::function<void(std::string_view text)> writer);

void write(Level level, std::string_view message);

// As long as it lives, every message also goes to the end of a file, with its date. What the disk does not take is
// lost.
class FileCopy {
 public:
  // HostError where the file cannot be opened.
  explicit FileCopy(const std::filesystem::path& file);
  ~FileCopy();
  FileCopy(const FileCopy&) = delete;
  FileCopy& operator=(const FileCopy&) = delete;

 private:
  std::shared_ptr<void> sink_;
};

// To files alone, of messages that a person at a terminal sees in another form.
void note(std::string_view message);

template <typename... Args>
void debug(fmt::format_string<Args...> format, Args&&... args) {
  if (enabled(Level::kDebug)) {
    write(Level::kDebug, fmt::format(format, std::forward<Args>(args)...));
  }
}

template <typename... Args>
void info(fmt::format_string<Args...> format, Args&&... args) {
  if (enabled(Level::kInfo)) {
    write(Level::kInfo, fmt::format(format, std::forward<Args>(args)...));
  }
}

template <typename... Args>
void warning(fmt::format_string<Args...> format, Args&&... args) {
  if (enabled(Level::kWarning)) {
    write(Level::kWarning, fmt::format(format, std::forward<Args>(args)...));
  }
}

template <typename... Args>
void error(fmt::format_string<Args...> format, Args&&... args) {
  if (enabled(Level::kError)) {
    write(Level::kError, fmt::format(format, std::forward<Args>(args)...));
  }
}

}  // namespace tritonrl::base::log
