#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "ttir/lane_runs.h"

namespace tritonrl::ttir {

// Counts the 32-byte sectors that each warp of 32 consecutive lanes touches, every sector once a warp.
class SectorCounter {
 public:
  void begin_access() { warp_ = kNoWarp; }

  // Runs of one access, in the order of their lanes. Returns the sectors that are new.
  template <std::size_t kBytes>
  std::uint64_t add(const LaneRun& run) {
    if (run.repeated) return add_repeated<kBytes>(run);
    std::uint64_t sectors = 0;
    std::size_t lane = run.first;
    std::size_t left = run.lanes;
    Address address = run.address;
    while (left != 0) {
      const std::size_t into = lane % kWarp;
      std::size_t lanes = std::min(left, kWarp - into);
      if (lanes == kWarp) {
        // A whole warp's bytes are a multiple of the sector's: all whole warps of the run lie alike.
        lanes = left / kWarp * kWarp;
        sectors += lanes / kWarp * (kBytes + (address % kSector != 0 ? 1 : 0));
      } else {
        sectors += insert(lane / kWarp, address, address + lanes * kBytes);
      }
      lane += lanes;
      left -= lanes;
      address += lanes * kBytes;
    }
    return sectors;
  }

 private:
  static constexpr std::size_t kWarp = 32;
  static constexpr std::size_t kSector = 32;
  static constexpr std::size_t kSlots = 256;  // a warp has 64 sectors at most
  static constexpr std::size_t kNoWarp = ~std::size_t{0};

  struct Slot {
    std::uint64_t sector = 0;
    std::uint64_t stamp = 0;
  };

  template <std::size_t kBytes>
  std::uint64_t add_repeated(const LaneRun& run) {
    std::uint64_t sectors = 0;
    const std::size_t last = (run.first + run.lanes - 1) / kWarp;
    for (std::size_t warp = run.first / kWarp; warp <= last; ++warp) {
      sectors += insert(warp, run.address, run.address + kBytes);
    }
    return sectors;
  }

  std::uint64_t insert(std::size_t warp, Address begin, Address end) {
    if (warp != warp_) {
      warp_ = warp;
      ++stamp_;
    }
    std::uint64_t added = 0;
    for (std::uint64_t sector = begin / kSector; sector <= (end - 1) / kSector; ++sector) added += insert(sector);
    return added;
  }

  std::uint64_t insert(std::uint64_t sector) {
    std::size_t at = sector * 0x9E3779B97F4A7C15U >> 56U;
    while (slots_[at].stamp == stamp_) {
      if (slots_[at].sector == sector) return 0;
      at = (at + 1) % kSlots;
    }
    slots_[at] = {sector, stamp_};
    return 1;
  }

  std::array<Slot, kSlots> slots_{};
  std::uint64_t stamp_ = 0;
  std::size_t warp_ = kNoWarp;
};

}  // namespace tritonrl::ttir
