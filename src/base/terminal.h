#pragma once

namespace tritonrl::base {

// What may be written to a stream: redrawn lines, colour, and how wide.
struct Terminal {
  bool interactive = false;  // a person watches; lines may be redrawn
  bool color = false;        // interactive, and NO_COLOR is unset or empty
  bool unicode = false;      // interactive, and the locale is of UTF-8
  int columns = 80;

  // Asks the open descriptor `fd` and the environment (NO_COLOR, TERM=dumb).
  static Terminal of(int fd);
};

// Erases the line the cursor is in and puts the cursor at its start.
inline constexpr const char* kEraseLine = "\r\x1b[K";

}  // namespace tritonrl::base
