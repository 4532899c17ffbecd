#pragma once

#include <iosfwd>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "base/terminal.h"

namespace tritonrl::base {

struct LiveScreenConfig {
  std::ostream* out = nullptr;  // nullptr: stderr, and `terminal` is what stderr is
  Terminal terminal;
};

// Some lines at the end of a terminal that are drawn again in place. Log messages appear above them; where nobody
// watches, nothing is drawn. One at a time. Safe from any thread.
class LiveScreen {
 public:
  explicit LiveScreen(LiveScreenConfig config = {});
  ~LiveScreen();  // what was drawn stays
  LiveScreen(const LiveScreen&) = delete;
  LiveScreen& operator=(const LiveScreen&) = delete;

  const Terminal& terminal() const { return config_.terminal; }
  bool live() const { return config_.terminal.interactive; }

  // Lines are cut where the terminal ends.
  void draw(std::vector<std::string> lines);

 private:
  void write_above(std::string_view text);
  std::string clearing() const;
  std::string drawing() const;

  LiveScreenConfig config_;
  std::mutex mutex_;
  std::vector<std::string> lines_;  // that stand there
};

}  // namespace tritonrl::base
