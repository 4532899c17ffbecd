#include "ttir/memory_view.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "base/error.h"
#include "ttir/access_report.h"
#include "ttir/atomic_operation.h"
#include "ttir/guest_bytes.h"
#include "ttir/lane_runs.h"
#include "ttir/race_ordered.h"
#include "ttir/race_unordered.h"
#include "ttir/region_cache.h"
#include "ttir/sector_counter.h"

namespace tritonrl::ttir {
namespace {

// What an access does to the bytes, as the race detector sees it.
enum class Touch : std::uint8_t { kRead, kWrite, kAtomicRead, kAtomicWrite };

template <typename Function>
void with_bytes(std::size_t bytes, Function&& function) {
  switch (bytes) {
    case 1:
      return function.template operator()<1>();
    case 2:
      return function.template operator()<2>();
    case 4:
      return function.template operator()<4>();
    case 8:
      return function.template operator()<8>();
    default:
      base::bug("an element of a size that memory does not know");
  }
}

}  // namespace

struct MemoryView::State {
  State(AddressSpace& space, std::span<const ArgumentExtent> arguments_, std::size_t sites, Options options_)
      : options(options_),
        arguments(arguments_),
        regions(space),
        report(space, arguments_, options_.max_findings),
        traffic(sites) {
    if (!options.sanitize) return;
    if (options.synchronises) {
      ordered = std::make_unique<OrderedRaces>();
    } else {
      unordered = std::make_unique<UnorderedRaces>();
    }
  }

  Options options;
  std::span<const ArgumentExtent> arguments;
  RegionCache regions;
  AccessReport report;
  std::vector<TrafficCounters> traffic;
  SectorCounter sectors;
  std::unique_ptr<UnorderedRaces> unordered;  // at most one of the two
  std::unique_ptr<OrderedRaces> ordered;
  RaceConflicts conflicts;
  std::uint64_t changes = 0;

  template <std::size_t kBytes, bool kRepeats, typename Use>
  void for_each_run(const AccessSite& site, LaneAddresses lanes, Use&& use);

  // Lanes of `part`, from its first on, that were refused; or all zero: `part` was cut to what lies in `region`.
  template <std::size_t kBytes>
  std::size_t refuse(AccessPart& part, MemoryRegion*& region);
  template <std::size_t kBytes>
  bool is_undefined(const MemoryRegion& region, Address address) const;
  void note(Touch touch, const AccessPart& part, const std::byte* memory, const std::byte* values);

  template <std::size_t kBytes>
  void load(const AccessSite& site, LaneAddresses lanes, std::byte* out, Touch touch);
  template <std::size_t kBytes>
  void load_part(AccessPart part, std::byte* out, Touch touch);
  template <std::size_t kBytes>
  void store_part(AccessPart part, const std::byte* values);
  // Runs update(lane, memory), which says whether it wrote, for every lane that may be touched. `batched`: all write.
  template <std::size_t kBytes, typename Update>
  void atomic(const AccessSite& site, LaneAddresses lanes, Ordering ordering, bool reads, bool batched, std::byte* old,
              Update&& update);
};

template <std::size_t kBytes, bool kRepeats, typename Use>
void MemoryView::State::for_each_run(const AccessSite& site, LaneAddresses lanes, Use&& use) {
  std::uint64_t active = 0;
  std::uint64_t touched_sectors = 0;
  sectors.begin_access();
  LaneRuns<kBytes, kRepeats> runs(lanes);
  LaneRun run;
  while (runs.next(run)) {
    active += run.lanes;
    touched_sectors += sectors.add<kBytes>(run);
    use(run);
  }
  TrafficCounters& counters = traffic[site.number];
  ++counters.accesses;
  counters.lanes += lanes.count;
  counters.masked_off += lanes.count - active;
  counters.bytes += active * kBytes;
  counters.sectors += touched_sectors;
}

template <std::size_t kBytes>
std::size_t MemoryView::State::refuse(AccessPart& part, MemoryRegion*& region) {
  region = regions.find(part.address);
  const std::uint64_t fitting = region != nullptr ? (region->end() - part.address) / kBytes : 0;
  if (fitting == 0) [[unlikely]] {
    report.outside_memory(part);
    return 1;
  }
  part.lanes = std::min<std::uint64_t>(part.lanes, fitting);
  if (!options.sanitize) return 0;
  if (part.address % kBytes != 0) [[unlikely]] {
    report.misaligned(part);
    return part.lanes;
  }
  if (part.site.argument >= 0) {
    const ArgumentExtent& extent = arguments[static_cast<std::size_t>(part.site.argument)];
    if (extent.known && (part.address < extent.begin || part.address_of(part.lanes) > extent.end)) [[unlikely]] {
      report.outside_tensor(part, extent);
    }
  }
  return 0;
}

template <std::size_t kBytes>
bool MemoryView::State::is_undefined(const MemoryRegion& region, Address address) const {
  return options.sanitize && region.defined &&
         !guest::all_defined(region.defined.get() + (address - region.base), kBytes);
}

void MemoryView::State::note(Touch touch, const AccessPart& part, const std::byte* memory, const std::byte* values) {
  const Address begin = part.address;
  const Address end = part.address_of(part.lanes);
  if (unordered) {
    if (touch == Touch::kRead) {
      unordered->read(begin, end, conflicts);
    } else {
      unordered->write(begin, end, conflicts);
    }
  } else if (ordered) {
    switch (touch) {
      case Touch::kRead:
        ordered->read(begin, end, conflicts);
        break;
      case Touch::kWrite:
        ordered->write(begin, end, conflicts);
        break;
      case Touch::kAtomicRead:
        ordered->record_atomic_read(begin, end, conflicts);
        break;
      case Touch::kAtomicWrite:
        ordered->record_atomic_write(begin, end, conflicts);
        break;
    }
  }
  if (!conflicts.empty()) [[unlikely]] {
    report.races(part, conflicts, memory, values);
    conflicts.clear();
  }
}

template <std::size_t kBytes>
void MemoryView::State::load_part(AccessPart part, std::byte* out, Touch touch) {
  const std::size_t all = part.lanes;
  std::size_t done = 0;
  while (done < all) {
    part.lanes = all - done;
    MemoryRegion* region = nullptr;
    std::size_t advance = refuse<kBytes>(part, region);
    if (advance != 0) [[unlikely]] {
      std::memset(out, 0, advance * kBytes);
    } else {
      advance = part.lanes;
      const std::uint64_t offset = part.address - region->base;
      note(touch, part, nullptr, nullptr);
      guest::copy(out, region->host + offset, part.lanes * kBytes);
      const bool defined = !options.sanitize || !region->defined ||
                           guest::all_defined(region->defined.get() + offset, part.lanes * kBytes);
      if (!defined) [[unlikely]] {
        for (std::size_t lane = 0; lane < part.lanes; ++lane) {
          if (!is_undefined<kBytes>(*region, part.address_of(lane))) continue;
          report.undefined(part, lane);
          std::memset(out + lane * kBytes, 0, kBytes);
        }
      }
    }
    done += advance;
    out += advance * kBytes;
    part.first_lane += advance;
    part.address += advance * kBytes;
  }
}

template <std::size_t kBytes>
void MemoryView::State::load(const AccessSite& site, LaneAddresses lanes, std::byte* out, Touch touch) {
  for_each_run<kBytes, true>(site, lanes, [&](const LaneRun& run) {
    std::byte* first = out + run.first * kBytes;
    const std::size_t distinct = run.repeated ? 1 : run.lanes;
    load_part<kBytes>({site, AccessKind::kLoad, kBytes, run.first, distinct, run.address}, first, touch);
    for (std::size_t lane = distinct; lane < run.lanes; ++lane) std::memcpy(first + lane * kBytes, first, kBytes);
  });
}

template <std::size_t kBytes>
void MemoryView::State::store_part(AccessPart part, const std::byte* values) {
  const std::size_t all = part.lanes;
  std::size_t done = 0;
  while (done < all) {
    part.lanes = all - done;
    MemoryRegion* region = nullptr;
    std::size_t advance = refuse<kBytes>(part, region);
    if (advance == 0) [[likely]] {
      advance = part.lanes;
      const std::uint64_t offset = part.address - region->base;
      note(Touch::kWrite, part, region->host + offset, values);
      guest::copy(region->host + offset, values, part.lanes * kBytes);
      ++changes;
      if (region->defined) guest::set_defined(region->defined.get() + offset, part.lanes * kBytes);
    }
    done += advance;
    values += advance * kBytes;
    part.first_lane += advance;
    part.address += advance * kBytes;
  }
}

template <std::size_t kBytes, typename Update>
void MemoryView::State::atomic(const AccessSite& site, LaneAddresses lanes, Ordering ordering, bool reads, bool batched,
                               std::byte* old, Update&& update) {
  base::check(!unordered, "an atomic in a kernel that was said to have none");
  if (ordered) {
    ordered->begin_atomic(ordering);
    LaneRuns<kBytes, true> runs(lanes);
    LaneRun run;
    while (runs.next(run)) {
      ordered->observe(run.address, run.address + (run.repeated ? kBytes : run.lanes * kBytes));
    }
  }
  for_each_run<kBytes, false>(site, lanes, [&](const LaneRun& run) {
    AccessPart part{site, AccessKind::kAtomic, kBytes, run.first, run.lanes, run.address};
    std::size_t done = 0;
    while (done < run.lanes) {
      part.first_lane = run.first + done;
      part.address = run.address + done * kBytes;
      part.lanes = run.lanes - done;
      std::byte* old_part = old != nullptr ? old + part.first_lane * kBytes : nullptr;
      MemoryRegion* region = nullptr;
      const std::size_t refused = refuse<kBytes>(part, region);
      if (refused != 0) [[unlikely]] {
        if (old != nullptr) std::memset(old_part, 0, refused * kBytes);
        done += refused;
        continue;
      }
      done += part.lanes;
      if (batched) note(Touch::kAtomicWrite, part, nullptr, nullptr);
      for (std::size_t lane = 0; lane < part.lanes; ++lane) {
        const Address address = part.address_of(lane);
        std::byte* memory = region->host + (address - region->base);
        const bool undefined = reads && is_undefined<kBytes>(*region, address);
        if (undefined) [[unlikely]] {
          report.undefined(part, lane);
          if (old != nullptr) std::memset(old_part + lane * kBytes, 0, kBytes);
        } else if (old != nullptr) {
          std::memcpy(old_part + lane * kBytes, memory, kBytes);
        }
        std::array<std::byte, kBytes> before;
        std::memcpy(before.data(), memory, kBytes);
        const bool wrote = !undefined && update(part.first_lane + lane, memory);
        if (std::memcmp(before.data(), memory, kBytes) != 0) ++changes;
        if (wrote && region->defined) guest::set_defined(region->defined.get() + (address - region->base), kBytes);
        if (!batched) {
          note(wrote ? Touch::kAtomicWrite : Touch::kAtomicRead,
               {site, AccessKind::kAtomic, kBytes, part.first_lane + lane, 1, address}, nullptr, nullptr);
        }
      }
    }
  });
  if (ordered) ordered->end_atomic();
}

MemoryView::MemoryView(AddressSpace& space, std::span<const ArgumentExtent> arguments, std::size_t sites,
                       Options options)
    : state_(std::make_unique<State>(space, arguments, sites, options)) {}

MemoryView::~MemoryView() = default;

void MemoryView::enter(std::uint64_t number, ProgramId program) {
  base::check(number < std::min(UnorderedRaces::kMaxPrograms, OrderedRaces::kMaxPrograms), "too many programs");
  const auto narrow = static_cast<std::uint32_t>(number);
  state_->report.enter(narrow, program);
  if (state_->unordered) state_->unordered->enter(narrow);
  if (state_->ordered) state_->ordered->enter(narrow);
}

void MemoryView::load(const AccessSite& site, LaneAddresses lanes, std::byte* out) {
  with_bytes(bytes_of(site.element),
             [&]<std::size_t kBytes>() { state_->load<kBytes>(site, lanes, out, Touch::kRead); });
}

void MemoryView::load_volatile(const AccessSite& site, LaneAddresses lanes, std::byte* out) {
  base::check(!state_->unordered, "a volatile load in a kernel that was said to have none");
  with_bytes(bytes_of(site.element), [&]<std::size_t kBytes>() {
    if (state_->ordered) {
      state_->ordered->begin_atomic(Ordering::kRelaxed);
      for (std::size_t i = 0; i < lanes.count; ++i) {
        if (lanes.mask != nullptr && lanes.mask[i] == 0) continue;
        state_->ordered->observe(lanes.addresses[i], lanes.addresses[i] + kBytes);
      }
    }
    state_->load<kBytes>(site, lanes, out, Touch::kAtomicRead);
    if (state_->ordered) state_->ordered->end_atomic();
  });
}

void MemoryView::store(const AccessSite& site, LaneAddresses lanes, const std::byte* values) {
  with_bytes(bytes_of(site.element), [&]<std::size_t kBytes>() {
    state_->for_each_run<kBytes, false>(site, lanes, [&](const LaneRun& run) {
      state_->store_part<kBytes>({site, AccessKind::kStore, kBytes, run.first, run.lanes, run.address},
                                 values + run.first * kBytes);
    });
  });
}

void MemoryView::atomic_rmw(const AccessSite& site, LaneAddresses lanes, RmwOperation operation, Ordering ordering,
                            const std::byte* values, std::byte* old) {
  const RmwFunction function = rmw_function(operation, site.element);
  base::check(function != nullptr, "an atomic that there is no such operation for");
  const bool reads = operation != RmwOperation::kExchange || old != nullptr;
  with_bytes(bytes_of(site.element), [&]<std::size_t kBytes>() {
    state_->atomic<kBytes>(site, lanes, ordering, reads, true, old, [&](std::size_t lane, std::byte* memory) {
      function(memory, values + lane * kBytes);
      return true;
    });
  });
}

void MemoryView::atomic_cas(const AccessSite& site, LaneAddresses lanes, Ordering ordering, const std::byte* compare,
                            const std::byte* values, std::byte* old) {
  with_bytes(bytes_of(site.element), [&]<std::size_t kBytes>() {
    state_->atomic<kBytes>(site, lanes, ordering, true, false, old, [&](std::size_t lane, std::byte* memory) {
      if (std::memcmp(memory, compare + lane * kBytes, kBytes) != 0) return false;
      std::memcpy(memory, values + lane * kBytes, kBytes);
      return true;
    });
  });
}

void MemoryView::barrier() {
  if (state_->ordered) state_->ordered->barrier();
}

void MemoryView::report(const SanitizerRule& rule, LocationId location, std::int64_t lane, std::string message) {
  state_->report.log().add(rule, location, state_->report.program(), lane, 1, [&] { return std::move(message); });
}

const std::vector<Finding>& MemoryView::findings() const { return state_->report.log().findings(); }

std::span<const TrafficCounters> MemoryView::traffic() const { return state_->traffic; }

MemoryView::UniqueBytes MemoryView::unique_bytes() const {
  UniqueBytes total;
  if (state_->unordered) {
    state_->unordered->shadow().for_each_page([&](const ShadowMemory<UnorderedCell>::Cells& cells) {
      for (std::size_t i = 0; i < cells.count; ++i) {
        total.read += std::uint64_t{cells.first[i].reader != 0} << cells.shift;
        total.written += std::uint64_t{cells.first[i].writer != 0} << cells.shift;
      }
    });
  } else if (state_->ordered) {
    state_->ordered->shadow().for_each_page([&](const ShadowMemory<OrderedCell>::Cells& cells) {
      for (std::size_t i = 0; i < cells.count; ++i) {
        const OrderedCell& cell = cells.first[i];
        total.read += std::uint64_t{(cell.readers | cell.atomic_readers | cell.atomic_writers) != 0} << cells.shift;
        total.written += std::uint64_t{(cell.writer | cell.atomic_writers) != 0} << cells.shift;
      }
    });
  }
  return total;
}

std::uint64_t MemoryView::changes() const { return state_->changes; }

std::optional<MemoryView::UniqueBytes> MemoryView::merge(std::span<const std::unique_ptr<MemoryView>> views) {
  UnorderedRaces all;
  RaceConflicts conflicts;
  UniqueBytes total;
  using Cells = ShadowMemory<UnorderedCell>::Cells;
  for (std::size_t i = 0; i < views.size(); ++i) {
    const auto& races = views[i]->state_->unordered;
    if (!races) continue;
    all.enter(static_cast<std::uint32_t>(i));
    all.merge(*races, conflicts);
    if (!conflicts.empty()) return std::nullopt;
    // Bytes that a view reads and writes are its own, or there would be a conflict.
    races->shadow().for_each_page([&](const Cells& cells) {
      for (std::size_t k = 0; k < cells.count; ++k)
        total.read += std::uint64_t{cells.first[k].reader != 0 && cells.first[k].writer != 0} << cells.shift;
    });
  }
  all.shadow().for_each_page([&](const Cells& cells) {
    for (std::size_t k = 0; k < cells.count; ++k) {
      total.written += std::uint64_t{cells.first[k].writer != 0} << cells.shift;
      total.read += std::uint64_t{cells.first[k].writer == 0 && cells.first[k].reader != 0} << cells.shift;
    }
  });
  return total;
}

bool MemoryView::conflict(std::span<const std::unique_ptr<MemoryView>> views) {
  UnorderedRaces all;
  RaceConflicts conflicts;
  for (std::size_t i = 0; i < views.size() && conflicts.empty(); ++i) {
    if (!views[i]->state_->unordered) continue;
    all.enter(static_cast<std::uint32_t>(i));
    all.merge(*views[i]->state_->unordered, conflicts);
  }
  return !conflicts.empty();
}

}  // namespace tritonrl::ttir
