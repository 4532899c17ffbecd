#include "base/progress.h"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <iostream>
#include <utility>

namespace tritonrl::base {
namespace {

std::string rate_text(double per_second) {
  if (per_second >= 1.0 || per_second <= 0.0) {
    return fmt::format("{:.{}f}/s", per_second, per_second < 100.0 ? 1 : 0);
  }
  return fmt::format("{:.1f}s each", 1.0 / per_second);
}

}  // namespace

std::string duration_text(double seconds) {
  // A bar that says "100 days" is already useless; the cap keeps the cast defined.
  const std::int64_t whole = std::llround(std::clamp(seconds, 0.0, 8640000.0));
  if (whole < 60) {
    return fmt::format("{}s", whole);
  }
  if (whole < 3600) {
    return fmt::format("{}m{:02}s", whole / 60, whole % 60);
  }
  return fmt::format("{}h{:02}m", whole / 3600, whole % 3600 / 60);
}

Progress::Progress(std::string label, std::uint64_t total, ProgressConfig config)
    : label_(std::move(label)), total_(total), config_(std::move(config)) {
  if (config_.out == nullptr) {
    config_.out = &std::cerr;
    config_.terminal = Terminal::of(STDERR_FILENO);
  }
  start_ = config_.now();
  next_draw_s_ = config_.quiet_s;
}

Progress::~Progress() { finish(); }

void Progress::advance(std::uint64_t count) {
  const std::lock_guard lock(mutex_);
  done_ += count;
  const double elapsed_s = std::chrono::duration<double>(config_.now() - start_).count();
  if (!finished_ && elapsed_s >= next_draw_s_) {
    draw_locked(elapsed_s, false);
    next_draw_s_ = elapsed_s + (config_.terminal.interactive ? config_.redraw_s : config_.line_s);
  }
}

void Progress::finish() {
  const std::lock_guard lock(mutex_);
  if (finished_) {
    return;
  }
  finished_ = true;
  if (drawn_) {
    draw_locked(std::chrono::duration<double>(config_.now() - start_).count(), true);
  }
}

void Progress::draw_locked(double elapsed_s, bool last) {
  drawn_ = true;
  const double rate = elapsed_s > 0.0 ? static_cast<double>(done_) / elapsed_s : 0.0;
  std::string line = label_;
  if (total_ > 0) {
    const double share = std::min(1.0, static_cast<double>(done_) / static_cast<double>(total_));
    if (config_.terminal.interactive) {
      constexpr int kCells = 24;
      const int full = static_cast<int>(share * kCells);
      line += fmt::format(" [{:#<{}}{:.<{}}]", "", full, "", kCells - full);
    }
    line += fmt::format(" {}% {}/{}", static_cast<int>(share * 100.0), done_, total_);
  } else {
    line += fmt::format(" {}", done_);
  }
  line += " " + rate_text(rate);
  if (last) {
    line += " in " + duration_text(elapsed_s);
  } else if (total_ > done_ && done_ > 0) {
    line += " " + duration_text(static_cast<double>(total_ - done_) / rate) + " left";
  }
  if (!config_.terminal.interactive) {
    *config_.out << line + "\n" << std::flush;
    return;
  }
  // A line that wraps cannot be redrawn in place.
  line.resize(std::min(line.size(), static_cast<std::size_t>(std::max(1, config_.terminal.columns - 1))));
  if (config_.terminal.color && line.starts_with(label_)) {
    line = "\x1b[36m" + label_ + "\x1b[0m" + line.substr(label_.size());
  }
  *config_.out << kEraseLine + line + (last ? "\n" : "") << std::flush;
}

}  // namespace tritonrl::base
