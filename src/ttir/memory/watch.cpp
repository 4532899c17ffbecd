#include "ttir/memory/watch.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace tritonrl::ttir {
namespace {

std::uint64_t digest(std::uint64_t before, const std::byte* memory, std::size_t bytes) {
  while (bytes != 0) {
    std::uint64_t word = 0;
    const std::size_t taken = std::min(bytes, sizeof word);
    std::memcpy(&word, memory, taken);
    before = std::rotl((before ^ word) * 0x9E3779B97F4A7C15U, 31);
    memory += taken;
    bytes -= taken;
  }
  return before;
}

}  // namespace

void Watch::saw(const std::byte* memory, std::size_t bytes) {
  if (places_.size() == kMostPlaces) {
    whole_ = false;
    return;
  }
  places_.push_back({memory, bytes});
  bytes_ += bytes;
  digest_ = digest(digest_, memory, bytes);
}

void Watch::clear() {
  places_.clear();
  bytes_ = 0;
  digest_ = 0;
  whole_ = true;
}

bool Watch::has_news() const {
  std::uint64_t now = 0;
  for (const Place& place : places_) now = digest(now, place.memory, place.bytes);
  return now != digest_;
}

}  // namespace tritonrl::ttir
