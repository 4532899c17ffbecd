#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "base/error.h"
#include "ttir/memory/guest_bytes.h"
#include "ttir/memory/lane_runs.h"
#include "ttir/memory/memory_checks.h"
#include "ttir/memory/memory_view.h"
#include "ttir/memory/sector_counter.h"

namespace tritonrl::ttir {

// Accesses by elements of kBytes: cut into runs, counted, checked, made.
struct MemoryView::State {
  // Scattered lanes whose memory is fetched at the same time.
  static constexpr std::size_t kTogether = 16;

  State(AddressSpace& space, std::span<const ArgumentExtent> arguments, std::size_t sites, Options options)
      : checks(space, arguments, options), traffic(sites) {}

  MemoryChecks checks;
  std::uint64_t changes = 0;
  Watch* watch = nullptr;
  std::vector<TrafficCounters> traffic;
  SectorCounter sectors;
  SectorSet sector_set;

  // Calls use(run) for the access's runs in order, and counts.
  template <std::size_t kBytes, typename Use>
  void for_each_run(const AccessSite& site, LaneAddresses lanes, Use&& use);
  // Cuts `part` by regions and calls use(part, region), or refuse(part) for lanes that may not be made.
  template <std::size_t kBytes, typename Use, typename Refuse>
  void for_each_region(AccessPart part, Use&& use, Refuse&& refuse);
  // Calls quick(lane, window, cell), which says whether it did all, then slow(lane) where it did not.
  template <std::size_t kBytes, typename Quick, typename Slow>
  void for_each_scattered(const AccessSite& site, const LaneRun& run, Quick&& quick, Slow&& slow);

  template <std::size_t kBytes>
  void load(const AccessSite& site, LaneAddresses lanes, std::byte* out, Touch touch);
  template <std::size_t kBytes>
  void load_part(const AccessPart& part, std::byte* out, Touch touch);
  template <std::size_t kBytes>
  void store(const AccessSite& site, LaneAddresses lanes, const std::byte* values);
  template <std::size_t kBytes>
  void store_part(const AccessPart& part, const std::byte* values);

  // What an atomic operation does: update(lane, memory) says whether it wrote.
  template <typename Update>
  struct AtomicWork {
    bool reads;          // the result depends on what was there
    bool always_writes;  // then lanes are noted together
    std::byte* old;
    Update update;
  };
  template <std::size_t kBytes, typename Update>
  void atomic(const AccessSite& site, LaneAddresses lanes, Ordering ordering, AtomicWork<Update> work);
  template <std::size_t kBytes, typename Update>
  void atomic_part(const AccessPart& part, MemoryRegion& region, AtomicWork<Update>& work);
  template <std::size_t kBytes>
  void begin_atomic(LaneAddresses lanes, Ordering ordering);
};

template <std::size_t kBytes, typename Use>
void MemoryView::State::for_each_run(const AccessSite& site, LaneAddresses lanes, Use&& use) {
  std::uint64_t active = 0;
  std::uint64_t touched_sectors = 0;
  sectors.begin_access();
  LaneRuns<kBytes> runs(lanes);
  LaneRun run;
  while (runs.next(run)) {
    active += run.lanes;
    // Rows lie far apart in memory: what the processor cannot foresee itself.
    if (const Address upcoming = runs.upcoming()) checks.prefetch(upcoming, run.lanes * kBytes);
    touched_sectors += sectors.add<kBytes>(run);
    use(run);
  }
  TrafficCounters& counters = traffic[site.number];
  ++counters.accesses;
  counters.lanes += lanes.count;
  counters.masked_off += lanes.count - active;
  counters.bytes += active * kBytes;
  counters.sectors += touched_sectors;
  const SectorSet::Touched touched = sector_set.touched<kBytes>(lanes, active, touched_sectors);
  counters.distinct += touched.sectors;
  counters.lines += touched.lines;
}

template <std::size_t kBytes, typename Use, typename Refuse>
void MemoryView::State::for_each_region(AccessPart part, Use&& use, Refuse&& refuse) {
  std::size_t left = part.lanes;
  while (left != 0) {
    part.lanes = left;
    MemoryRegion* region = nullptr;
    const std::size_t refused = checks.refused<kBytes>(part, region);
    if (refused != 0) [[unlikely]] {
      part.lanes = refused;
      refuse(part);
    } else {
      use(part, *region);
    }
    left -= part.lanes;
    part.first_lane += part.lanes;
    part.address += part.lanes * kBytes;
  }
}

template <std::size_t kBytes, typename Quick, typename Slow>
void MemoryView::State::for_each_scattered(const AccessSite& site, const LaneRun& run, Quick&& quick, Slow&& slow) {
  if (!checks.is_quick()) {
    for (std::size_t lane = 0; lane < run.lanes; ++lane) slow(lane);
    return;
  }
  AccessWindow window;
  std::array<UnorderedCell*, kTogether> cells{};
  for (std::size_t first = 0; first < run.lanes; first += kTogether) {
    const std::size_t count = std::min(kTogether, run.lanes - first);
    if (!window.holds(run.addresses[first])) window = checks.window(site, run.addresses[first], kBytes);
    for (std::size_t i = 0; i < count; ++i) {
      const Address address = run.addresses[first + i];
      cells[i] = window.holds(address) ? checks.cell<kBytes>(address) : nullptr;
      __builtin_prefetch(cells[i]);
      __builtin_prefetch(window.host + (address - window.begin));
      if (window.defined != nullptr) __builtin_prefetch(window.defined + (address - window.begin));
    }
    bool stale = false;
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t lane = first + i;
      if (!window.holds(run.addresses[lane])) [[unlikely]] {
        slow(lane);
        stale = true;
        continue;
      }
      if (stale) [[unlikely]] {
        cells[i] = checks.cell<kBytes>(run.addresses[lane]);
      }
      if (!quick(lane, window, cells[i])) [[unlikely]] {
        slow(lane);
        stale = true;
      }
    }
  }
}

template <std::size_t kBytes>
void MemoryView::State::load_part(const AccessPart& whole, std::byte* out, Touch touch) {
  for_each_region<kBytes>(
      whole,
      [&](const AccessPart& part, const MemoryRegion& region) {
        std::byte* to = out + (part.first_lane - whole.first_lane) * kBytes;
        const std::uint64_t offset = part.address - region.base;
        checks.touch(touch, part, nullptr, nullptr);
        guest::copy(to, region.host + offset, part.lanes * kBytes);
        if (touch == Touch::kAtomicRead && watch != nullptr) watch->saw(region.host + offset, part.lanes * kBytes);
        if (!checks.checks_definedness(region)) return;
        const std::uint8_t* defined = region.defined.get() + offset;
        if (guest::all_defined(defined, part.lanes * kBytes)) return;
        for (std::size_t lane = 0; lane < part.lanes; ++lane) {
          if (guest::lane_defined<kBytes>(defined + lane * kBytes)) continue;
          checks.report.undefined(part, lane);
          std::memset(to + lane * kBytes, 0, kBytes);
        }
      },
      [&](const AccessPart& part) {
        std::memset(out + (part.first_lane - whole.first_lane) * kBytes, 0, part.lanes * kBytes);
      });
}

template <std::size_t kBytes>
void MemoryView::State::load(const AccessSite& site, LaneAddresses lanes, std::byte* out, Touch touch) {
  for_each_run<kBytes>(site, lanes, [&](const LaneRun& run) {
    std::byte* first = out + run.first * kBytes;
    const auto slow = [&](std::size_t lane, std::size_t count) {
      load_part<kBytes>({site, AccessKind::kLoad, kBytes, run.first + lane, count, run.addresses[lane]},
                        first + lane * kBytes, touch);
    };
    switch (run.kind) {
      case LaneRun::Kind::kContiguous:
        slow(0, run.lanes);
        break;
      case LaneRun::Kind::kRepeated:
        slow(0, 1);
        for (std::size_t lane = 1; lane < run.lanes; ++lane) std::memcpy(first + lane * kBytes, first, kBytes);
        break;
      case LaneRun::Kind::kScattered:
        for_each_scattered<kBytes>(
            site, run,
            [&](std::size_t lane, const AccessWindow& window, UnorderedCell* cell) {
              const Address address = run.addresses[lane];
              if (touch == Touch::kAtomicRead || !checks.quick_read<kBytes>(window, address, cell)) return false;
              guest::copy(first + lane * kBytes, window.host + (address - window.begin), kBytes);
              return true;
            },
            [&](std::size_t lane) { slow(lane, 1); });
        break;
    }
  });
}

template <std::size_t kBytes>
void MemoryView::State::store_part(const AccessPart& whole, const std::byte* values) {
  for_each_region<kBytes>(
      whole,
      [&](const AccessPart& part, MemoryRegion& region) {
        const std::byte* from = values + (part.first_lane - whole.first_lane) * kBytes;
        const std::uint64_t offset = part.address - region.base;
        checks.touch(Touch::kWrite, part, region.host + offset, from);
        guest::copy(region.host + offset, from, part.lanes * kBytes);
        if (region.defined) guest::set_defined(region.defined.get() + offset, part.lanes * kBytes);
      },
      [](const AccessPart&) {});
}

template <std::size_t kBytes>
void MemoryView::State::store(const AccessSite& site, LaneAddresses lanes, const std::byte* values) {
  for_each_run<kBytes>(site, lanes, [&](const LaneRun& run) {
    const std::byte* first = values + run.first * kBytes;
    const auto slow = [&](std::size_t lane, std::size_t count) {
      store_part<kBytes>({site, AccessKind::kStore, kBytes, run.first + lane, count, run.addresses[lane]},
                         first + lane * kBytes);
    };
    if (run.kind == LaneRun::Kind::kContiguous) {
      slow(0, run.lanes);
      return;
    }
    for_each_scattered<kBytes>(
        site, run,
        [&](std::size_t lane, const AccessWindow& window, UnorderedCell* cell) {
          if (!checks.quick_write(cell)) return false;
          const std::uint64_t offset = run.addresses[lane] - window.begin;
          guest::copy(window.host + offset, first + lane * kBytes, kBytes);
          if (window.defined != nullptr) guest::set_defined(window.defined + offset, kBytes);
          return true;
        },
        [&](std::size_t lane) { slow(lane, 1); });
  });
}

template <std::size_t kBytes>
void MemoryView::State::begin_atomic(LaneAddresses lanes, Ordering ordering) {
  base::check(!checks.unordered, "an atomic or volatile access in a kernel that was said to have none");
  if (!checks.ordered) return;
  checks.ordered->begin_atomic(ordering);
  LaneRuns<kBytes> runs(lanes);
  LaneRun run;
  while (runs.next(run)) {
    if (run.kind == LaneRun::Kind::kContiguous) {
      checks.ordered->observe(run.addresses[0], run.addresses[0] + run.lanes * kBytes);
    } else {
      for (std::size_t i = 0; i < run.lanes; ++i) {
        checks.ordered->observe(run.addresses[i], run.addresses[i] + kBytes);
      }
    }
  }
}

template <std::size_t kBytes, typename Update>
void MemoryView::State::atomic_part(const AccessPart& part, MemoryRegion& region, AtomicWork<Update>& work) {
  if (work.always_writes) checks.touch(Touch::kAtomicWrite, part, nullptr, nullptr);
  const std::uint64_t offset = part.address - region.base;
  std::byte* memory = region.host + offset;
  if (watch != nullptr) watch->saw(memory, part.lanes * kBytes);
  std::byte* old = work.old != nullptr ? work.old + part.first_lane * kBytes : nullptr;
  for (std::size_t lane = 0; lane < part.lanes; ++lane, memory += kBytes) {
    std::uint8_t* defined = region.defined ? region.defined.get() + offset + lane * kBytes : nullptr;
    const bool undefined = work.reads && checks.checks_definedness(region) && !guest::lane_defined<kBytes>(defined);
    if (undefined) [[unlikely]] {
      checks.report.undefined(part, lane);
      if (old != nullptr) std::memset(old + lane * kBytes, 0, kBytes);
    } else if (old != nullptr) {
      std::memcpy(old + lane * kBytes, memory, kBytes);
    }
    std::array<std::byte, kBytes> before;
    std::memcpy(before.data(), memory, kBytes);
    const bool wrote = !undefined && work.update(part.first_lane + lane, memory);
    if (std::memcmp(before.data(), memory, kBytes) != 0) ++changes;
    if (wrote && defined != nullptr) guest::set_defined(defined, kBytes);
    if (!work.always_writes) {
      checks.touch(wrote ? Touch::kAtomicWrite : Touch::kAtomicRead,
                   {part.site, AccessKind::kAtomic, kBytes, part.first_lane + lane, 1, part.address_of(lane)}, nullptr,
                   nullptr);
    }
  }
}

template <std::size_t kBytes, typename Update>
void MemoryView::State::atomic(const AccessSite& site, LaneAddresses lanes, Ordering ordering,
                               AtomicWork<Update> work) {
  begin_atomic<kBytes>(lanes, ordering);
  for_each_run<kBytes>(site, lanes, [&](const LaneRun& run) {
    const std::size_t step = run.kind == LaneRun::Kind::kContiguous ? run.lanes : 1;
    for (std::size_t lane = 0; lane < run.lanes; lane += step) {
      for_each_region<kBytes>(
          {site, AccessKind::kAtomic, kBytes, run.first + lane, step, run.addresses[lane]},
          [&](const AccessPart& part, MemoryRegion& region) { atomic_part<kBytes>(part, region, work); },
          [&](const AccessPart& part) {
            if (work.old != nullptr) std::memset(work.old + part.first_lane * kBytes, 0, part.lanes * kBytes);
          });
    }
  });
  if (checks.ordered) checks.ordered->end_atomic();
}

}  // namespace tritonrl::ttir
