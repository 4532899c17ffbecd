#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "ttir/memory/lane_runs.h"

namespace tritonrl::ttir {

// Counts the 32-byte sectors that each warp of 32 consecutive lanes touches, every sector once a warp.
class SectorCounter {
 public:
  void begin_access() { warp_ = kNoWarp; }

  // Runs of one access, in the order of their lanes. Returns the sectors that are new.
  template <std::size_t kBytes>
  std::uint64_t add(const LaneRun& run) {
    switch (run.kind) {
      case LaneRun::Kind::kContiguous:
        return add_contiguous<kBytes>(run);
      case LaneRun::Kind::kRepeated:
        return add_repeated<kBytes>(run);
      case LaneRun::Kind::kScattered:
        return add_scattered<kBytes>(run);
    }
    return 0;
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
  std::uint64_t add_contiguous(const LaneRun& run) {
    std::uint64_t sectors = 0;
    std::size_t lane = run.first;
    std::size_t left = run.lanes;
    Address address = run.addresses[0];
    while (left != 0) {
      std::size_t lanes = std::min(left, kWarp - lane % kWarp);
      if (lanes == kWarp) {
        // A whole warp's bytes are a multiple of the sector's: all whole warps of the run lie alike.
        lanes = left / kWarp * kWarp;
        sectors += lanes / kWarp * (kBytes + (address % kSector != 0 ? 1 : 0));
      } else {
        enter(lane / kWarp);
        sectors += insert_all(address, lanes * kBytes);
      }
      lane += lanes;
      left -= lanes;
      address += lanes * kBytes;
    }
    return sectors;
  }

  template <std::size_t kBytes>
  std::uint64_t add_repeated(const LaneRun& run) {
    std::uint64_t sectors = 0;
    const std::size_t last = (run.first + run.lanes - 1) / kWarp;
    for (std::size_t warp = run.first / kWarp; warp <= last; ++warp) {
      enter(warp);
      sectors += insert_all(run.addresses[0], kBytes);
    }
    return sectors;
  }

  template <std::size_t kBytes>
  std::uint64_t add_scattered(const LaneRun& run) {
    std::uint64_t sectors = 0;
    std::size_t at = 0;
    while (at < run.lanes) {
      enter((run.first + at) / kWarp);
      const std::size_t end = std::min(run.lanes, at + kWarp - (run.first + at) % kWarp);
      std::uint64_t last = ~std::uint64_t{0};
      for (; at < end; ++at) {
        const std::uint64_t sector = run.addresses[at] / kSector;
        if (sector != last) sectors += insert(sector);
        last = sector;
        // Only what is not aligned reaches into a second one.
        if (run.addresses[at] % kBytes != 0) [[unlikely]] {
          sectors += insert_all(run.addresses[at], kBytes);
        }
      }
    }
    return sectors;
  }

  void enter(std::size_t warp) {
    if (warp == warp_) return;
    warp_ = warp;
    ++stamp_;
  }

  std::uint64_t insert_all(Address begin, std::size_t bytes) {
    std::uint64_t added = 0;
    const std::uint64_t last = (begin + bytes - 1) / kSector;
    for (std::uint64_t sector = begin / kSector; sector <= last; ++sector) added += insert(sector);
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

// Counts the sectors that a whole access touches, and the lines of 128 bytes they lie in, each once. A compiler lays
// lanes out along memory, whatever their order in the tensor is; this is what then moves.
class SectorSet {
 public:
  struct Touched {
    std::uint64_t sectors = 0;
    std::uint64_t lines = 0;
  };

  // `by_warps`: what SectorCounter counts for the same access. No order is better than one that wastes nothing.
  template <std::size_t kBytes>
  Touched touched(const LaneAddresses& lanes, std::uint64_t active, std::uint64_t by_warps) {
    if (by_warps * kSector <= active * kBytes + kSector) return {by_warps, (by_warps + kOfLine - 1) / kOfLine};
    begin(2 * lanes.count);
    Touched touched;
    std::uint64_t last = ~std::uint64_t{0};
    for (std::size_t lane = 0; lane < lanes.count; ++lane) {
      if (lanes.mask != nullptr && lanes.mask[lane] == 0) continue;
      const std::uint64_t first = lanes.addresses[lane] / kSector;
      const std::uint64_t end = (lanes.addresses[lane] + kBytes - 1) / kSector;
      if (first == last && end == last) continue;
      for (std::uint64_t sector = first; sector <= end; ++sector) insert(sector, touched);
      last = end;
    }
    return touched;
  }

 private:
  static constexpr std::size_t kSector = 32;
  static constexpr std::size_t kOfLine = 4;  // sectors

  struct Slot {
    std::uint64_t line = 0;
    std::uint32_t stamp = 0;
    std::uint32_t sectors = 0;  // a bit for each
  };

  void begin(std::size_t least_slots) {
    if (slots_.size() < least_slots) slots_.assign(std::bit_ceil(std::max(least_slots, std::size_t{64})), {});
    shift_ = 64U - static_cast<unsigned>(std::countr_zero(slots_.size()));
    if (++stamp_ == 0) {
      std::ranges::fill(slots_, Slot{});
      ++stamp_;
    }
  }

  void insert(std::uint64_t sector, Touched& touched) {
    const std::uint64_t line = sector / kOfLine;
    const std::uint32_t bit = 1U << (sector % kOfLine);
    std::size_t at = line * 0x9E3779B97F4A7C15U >> shift_;
    while (slots_[at].stamp == stamp_ && slots_[at].line != line) at = (at + 1) % slots_.size();
    Slot& slot = slots_[at];
    if (slot.stamp != stamp_) {
      slot = {line, stamp_, 0};
      ++touched.lines;
    }
    if ((slot.sectors & bit) == 0) ++touched.sectors;
    slot.sectors |= bit;
  }

  std::vector<Slot> slots_;
  std::uint32_t stamp_ = 0;
  unsigned shift_ = 63;
};

}  // namespace tritonrl::ttir
