#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "ttir/memory_view.h"

namespace tritonrl::ttir {

// Active lanes in a row whose addresses follow each other without a gap, or are all the same.
struct LaneRun {
  std::size_t first = 0;
  std::size_t lanes = 0;
  Address address = 0;
  bool repeated = false;
};

// Cuts the lanes of an access into runs, in order. Runs of one address are found only where `kRepeats`.
template <std::size_t kBytes, bool kRepeats>
class LaneRuns {
 public:
  explicit LaneRuns(LaneAddresses lanes) : lanes_(lanes), active_end_(lanes.mask == nullptr ? lanes.count : 0) {}

  bool next(LaneRun& run) {
    if (at_ >= active_end_ && !next_active()) return false;
    const Address* addresses = lanes_.addresses + at_;
    const std::size_t limit = active_end_ - at_;
    run.first = at_;
    run.address = addresses[0];
    run.lanes = 1;
    run.repeated = false;
    if (limit > 1) {
      if (addresses[1] == addresses[0] + kBytes) {
        run.lanes = stretch<kBytes>(addresses, limit);
      } else if (kRepeats && addresses[1] == addresses[0]) {
        run.lanes = stretch<0>(addresses, limit);
        run.repeated = true;
      }
    }
    at_ += run.lanes;
    return true;
  }

 private:
  bool next_active() {
    if (at_ >= lanes_.count) return false;
    const std::uint8_t* mask = lanes_.mask;
    const void* on = std::memchr(mask + at_, 1, lanes_.count - at_);
    if (on == nullptr) return false;
    at_ = static_cast<std::size_t>(static_cast<const std::uint8_t*>(on) - mask);
    const void* off = std::memchr(on, 0, lanes_.count - at_);
    active_end_ =
        off == nullptr ? lanes_.count : static_cast<std::size_t>(static_cast<const std::uint8_t*>(off) - mask);
    return true;
  }

  template <std::size_t kStride>
  static bool steady(const Address* addresses, std::size_t from, std::size_t to) {
    const Address start = addresses[0];
    Address differences = 0;
    for (std::size_t i = from; i < to; ++i) differences |= addresses[i] ^ (start + i * kStride);
    return differences == 0;
  }

  // Rows of a tile are of one length, so the last length is tried first: then the loop has no branches.
  template <std::size_t kStride>
  std::size_t stretch(const Address* addresses, std::size_t limit) {
    constexpr std::size_t kChunk = 64;
    std::size_t lanes = 2;
    if (last_length_ <= limit && steady<kStride>(addresses, lanes, last_length_)) lanes = last_length_;
    while (lanes < limit && addresses[lanes] == addresses[0] + lanes * kStride) {
      const std::size_t to = std::min(limit, lanes + kChunk);
      if (steady<kStride>(addresses, lanes, to)) {
        lanes = to;
      } else {
        while (addresses[lanes] == addresses[0] + lanes * kStride) ++lanes;
      }
    }
    return last_length_ = lanes;
  }

  LaneAddresses lanes_;
  std::size_t at_ = 0;
  std::size_t active_end_;
  std::size_t last_length_ = 2;
};

}  // namespace tritonrl::ttir
