#include "rollout/stop_text.h"

#include <algorithm>

namespace tritonrl::rollout {

std::string StopText::push(std::string_view bytes) {
  if (stopped_) return {};
  held_ += bytes;
  std::size_t end = std::string::npos;
  for (const auto& stop : *stops_) end = std::min(end, held_.find(stop));
  if (end != std::string::npos) {
    stopped_ = true;
    const std::string shown = stream_.push(std::string_view(held_).substr(0, end)) + stream_.finish();
    held_.clear();
    return shown;
  }
  std::size_t kept = 0;  // the longest end that begins a stop text
  for (const auto& stop : *stops_) {
    for (std::size_t length = std::min(stop.size() - 1, held_.size()); length > kept; --length) {
      if (held_.ends_with(std::string_view(stop).substr(0, length))) kept = length;
    }
  }
  const std::string shown = stream_.push(std::string_view(held_).substr(0, held_.size() - kept));
  held_.erase(0, held_.size() - kept);
  return shown;
}

std::string StopText::finish() {
  if (stopped_) return {};
  const std::string rest = stream_.push(held_) + stream_.finish();
  held_.clear();
  return rest;
}

}  // namespace tritonrl::rollout
