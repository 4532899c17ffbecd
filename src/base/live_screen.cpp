#include "base/live_screen.h"

#include <fmt/core.h>
#include <unistd.h>

#include <iostream>
#include <utility>

#include "base/log.h"

namespace tritonrl::base {
namespace {

bool continues_character(char byte) { return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80; }

// The first `columns` characters.
std::string cut(const std::string& line, int columns) {
  int seen = 0;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (!continues_character(line[i]) && ++seen > columns) return line.substr(0, i);
  }
  return line;
}

}  // namespace

LiveScreen::LiveScreen(LiveScreenConfig config) : config_(config) {
  if (config_.out == nullptr) {
    config_.out = &std::cerr;
    config_.terminal = Terminal::of(STDERR_FILENO);
  }
  if (live()) log::set_terminal_writer([this](std::string_view text) { write_above(text); });
}

LiveScreen::~LiveScreen() {
  if (live()) log::set_terminal_writer(nullptr);
}

void LiveScreen::draw(std::vector<std::string> lines) {
  if (!live()) return;
  const std::lock_guard lock(mutex_);
  std::string text = clearing();
  lines_ = std::move(lines);
  *config_.out << text + drawing() << std::flush;
}

void LiveScreen::write_above(std::string_view text) {
  const std::lock_guard lock(mutex_);
  *config_.out << clearing() + std::string(text) + drawing() << std::flush;
}

// Up to the first line, and everything below it away.
std::string LiveScreen::clearing() const {
  return lines_.empty() ? std::string() : fmt::format("\x1b[{}A\r\x1b[J", lines_.size());
}

std::string LiveScreen::drawing() const {
  std::string text;
  for (const std::string& line : lines_) text += cut(line, config_.terminal.columns - 1) + '\n';
  return text;
}

}  // namespace tritonrl::base
