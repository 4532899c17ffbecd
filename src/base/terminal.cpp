#include "base/terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdlib>
#include <string_view>

namespace tritonrl::base {
namespace {

std::string_view environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::string_view() : std::string_view(value);
}

// The first of the variables that is set decides, as for the C library.
bool locale_is_utf8() {
  for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    const std::string_view value = environment(name);
    if (!value.empty()) return value.ends_with("UTF-8") || value.ends_with("utf8");
  }
  return false;
}

}  // namespace

Terminal Terminal::of(int fd) {
  Terminal terminal;
  terminal.interactive = ::isatty(fd) == 1 && environment("TERM") != "dumb";
  terminal.color = terminal.interactive && environment("NO_COLOR").empty();
  terminal.unicode = terminal.interactive && locale_is_utf8();
  winsize size{};
  if (terminal.interactive && ::ioctl(fd, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) {
    terminal.columns = size.ws_col;
  }
  return terminal;
}

}  // namespace tritonrl::base
