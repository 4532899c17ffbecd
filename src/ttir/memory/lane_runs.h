#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "ttir/memory/memory_view.h"

namespace tritonrl::ttir {

// Active lanes in a row, and how their addresses follow each other.
struct LaneRun {
  enum class Kind : std::uint8_t {
    kContiguous,  // without a gap
    kRepeated,    // all the same
    kScattered,   // neither, for any two of them
  };

  std::size_t first = 0;
  std::size_t lanes = 0;
  const Address* addresses = nullptr;
  Kind kind = Kind::kContiguous;
};

// Cuts the lanes of an access into runs, in order.
template <std::size_t kBytes>
class LaneRuns {
 public:
  explicit LaneRuns(LaneAddresses lanes) : lanes_(lanes), active_end_(lanes.mask == nullptr ? lanes.count : 0) {}

  bool next(LaneRun& run) {
    if (at_ >= active_end_ && !next_active()) return false;
    const Address* addresses = lanes_.addresses + at_;
    const std::size_t limit = active_end_ - at_;
    run.first = at_;
    run.addresses = addresses;
    run.lanes = 1;
    run.kind = LaneRun::Kind::kContiguous;
    if (limit > 1) {
      if (addresses[1] - addresses[0] == kBytes) {
        run.lanes = stretch<kBytes>(addresses, limit);
      } else if (addresses[1] == addresses[0]) {
        run.lanes = stretch<0>(addresses, limit);
        run.kind = LaneRun::Kind::kRepeated;
      } else {
        run.lanes = scattered(addresses, limit);
        run.kind = LaneRun::Kind::kScattered;
      }
    }
    at_ += run.lanes;
    return true;
  }

  // Where the run after the next one probably starts, or 0.
  Address upcoming() const {
    const std::size_t lane = at_ + last_length_;
    return lane < active_end_ ? lanes_.addresses[lane] : 0;
  }

 private:
  bool next_active() {
    if (at_ >= lanes_.count) return false;
    const std::uint8_t* mask = lanes_.mask;
    if (mask == nullptr) return false;
    const void* on = std::memchr(mask + at_, 1, lanes_.count - at_);
    if (on == nullptr) return false;
    at_ = static_cast<std::size_t>(static_cast<const std::uint8_t*>(on) - mask);
    const void* off = std::memchr(on, 0, lanes_.count - at_);
    active_end_ =
        off == nullptr ? lanes_.count : static_cast<std::size_t>(static_cast<const std::uint8_t*>(off) - mask);
    return true;
  }

  // Whether lanes [from, to) each follow the lane before them.
  template <std::size_t kStride>
  static bool steady(const Address* addresses, std::size_t from, std::size_t to) {
    Address differences = 0;
    for (std::size_t i = from; i < to; ++i) differences |= (addresses[i] - addresses[i - 1]) ^ kStride;
    return differences == 0;
  }

  // Rows of a tile are of one length, so the last length is tried first: then the loop has no branches.
  template <std::size_t kStride>
  std::size_t stretch(const Address* addresses, std::size_t limit) {
    constexpr std::size_t kChunk = 64;
    std::size_t lanes = 2;
    if (last_length_ <= limit && steady<kStride>(addresses, lanes, last_length_)) lanes = last_length_;
    while (lanes < limit && addresses[lanes] - addresses[lanes - 1] == kStride) {
      const std::size_t to = std::min(limit, lanes + kChunk);
      if (steady<kStride>(addresses, lanes, to)) {
        lanes = to;
      } else {
        while (addresses[lanes] - addresses[lanes - 1] == kStride) ++lanes;
      }
    }
    return last_length_ = lanes;
  }

  // Up to where two neighbours begin a run of another kind.
  static std::size_t scattered(const Address* addresses, std::size_t limit) {
    std::size_t lanes = 1;
    while (lanes + 1 < limit) {
      const Address step = addresses[lanes + 1] - addresses[lanes];
      if (step == kBytes || step == 0) return lanes;
      ++lanes;
    }
    return limit;
  }

  LaneAddresses lanes_;
  std::size_t at_ = 0;
  std::size_t active_end_;
  std::size_t last_length_ = 2;
};

}  // namespace tritonrl::ttir
