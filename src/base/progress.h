#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <iosfwd>
#include <mutex>
#include <string>

#include "base/terminal.h"

namespace tritonrl::base {

struct ProgressConfig {
  std::ostream* out = nullptr;  // nullptr: stderr, and `terminal` is what stderr is
  Terminal terminal;
  std::function<std::chrono::steady_clock::time_point()> now = std::chrono::steady_clock::now;
  double quiet_s = 2.0;   // a job shorter than this shows nothing
  double redraw_s = 0.1;  // at a terminal
  double line_s = 30.0;   // between plain lines elsewhere
};

// How far a job is: one redrawn line at a terminal (share, rate, time left), a plain line now and
// then elsewhere. advance() is safe from any thread; the destructor finishes.
class Progress {
 public:
  // `total` 0 means unknown: a count and a rate, no share and no time left.
  Progress(std::string label, std::uint64_t total, ProgressConfig config = {});
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void advance(std::uint64_t count = 1);

  // Draws the last state, if anything was drawn before, and ends the line. Later calls do nothing.
  void finish();

 private:
  void draw_locked(double elapsed_s, bool last);

  std::string label_;
  std::uint64_t total_;
  ProgressConfig config_;
  std::chrono::steady_clock::time_point start_;
  std::mutex mutex_;
  std::uint64_t done_ = 0;
  double next_draw_s_;
  bool drawn_ = false;
  bool finished_ = false;
};

// "42s", "3m05s", "2h10m": how the bar writes a duration.
std::string duration_text(double seconds);

}  // namespace tritonrl::base
