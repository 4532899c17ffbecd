#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "ttir/memory/access_report.h"
#include "ttir/memory/guest_bytes.h"
#include "ttir/memory/memory_view.h"
#include "ttir/memory/race_ordered.h"
#include "ttir/memory/race_unordered.h"
#include "ttir/memory/region_cache.h"

namespace tritonrl::ttir {

// What an access does to the bytes, as the race detector sees it.
enum class Touch : std::uint8_t { kRead, kWrite, kAtomicRead, kAtomicWrite };

// Addresses at which an element may be accessed as far as bounds and tensors go.
struct AccessWindow {
  Address begin = 0;
  std::uint64_t addresses = 0;
  std::byte* host = nullptr;        // of `begin`
  std::uint8_t* defined = nullptr;  // of `begin`, or null: all are

  bool holds(Address address) const { return address - begin < addresses; }
};

// The checks that accesses of one view go through. What fails is in `report`.
class MemoryChecks {
 public:
  MemoryChecks(AddressSpace& space, std::span<const ArgumentExtent> arguments, MemoryView::Options options);

  void enter(std::uint32_t number, ProgramId program);

  // How many lanes of `part`, from its first on, may not be made. 0: those that `part` then holds may be, and all lie
  // in `region`.
  template <std::size_t kBytes>
  std::size_t refused(AccessPart& part, MemoryRegion*& region);
  // Notes that the lanes of `part` are made; `memory` and `values` as AccessReport::races() has them.
  void touch(Touch touch, const AccessPart& part, const std::byte* memory, const std::byte* values);

  bool checks_definedness(const MemoryRegion& region) const { return sanitize_ && region.defined != nullptr; }

  // The window around `address`, empty when it lies in none. `site` decides the tensor.
  AccessWindow window(const AccessSite& site, Address address, std::size_t bytes);
  // Whether elements can be checked one by one in a quick way at all.
  bool is_quick() const { return !sanitize_ || unordered; }
  // The cell of an element in a window; with it, all checks and notes for the element. false: nothing was done, take
  // the long way, and then the cells that were asked for before are no longer valid.
  template <std::size_t kBytes>
  UnorderedCell* cell(Address address);
  template <std::size_t kBytes>
  bool quick_read(const AccessWindow& window, Address address, UnorderedCell* cell) const;
  bool quick_write(UnorderedCell* cell) const;

  void prefetch(Address address, std::size_t bytes) const { regions_.prefetch(address, bytes); }

  AccessReport report;
  std::unique_ptr<UnorderedRaces> unordered;  // at most one of the two
  std::unique_ptr<OrderedRaces> ordered;

 private:
  const ArgumentExtent* extent_of(const AccessSite& site) const {
    if (site.argument < 0) return nullptr;
    const ArgumentExtent& extent = arguments_[static_cast<std::size_t>(site.argument)];
    return extent.known ? &extent : nullptr;
  }

  bool sanitize_;
  std::span<const ArgumentExtent> arguments_;
  RegionCache regions_;
  RaceConflicts conflicts_;
};

template <std::size_t kBytes>
std::size_t MemoryChecks::refused(AccessPart& part, MemoryRegion*& region) {
  region = regions_.find(part.address);
  const std::uint64_t fitting = region != nullptr ? (region->end() - part.address) / kBytes : 0;
  if (fitting == 0) [[unlikely]] {
    report.outside_memory(part);
    return 1;
  }
  part.lanes = std::min<std::uint64_t>(part.lanes, fitting);
  if (!sanitize_) return 0;
  if (part.address % kBytes != 0) [[unlikely]] {
    report.misaligned(part);
    return part.lanes;
  }
  const ArgumentExtent* extent = extent_of(part.site);
  if (extent != nullptr && (part.address < extent->begin || part.address_of(part.lanes) > extent->end)) [[unlikely]] {
    report.outside_tensor(part, *extent);
  }
  return 0;
}

template <std::size_t kBytes>
UnorderedCell* MemoryChecks::cell(Address address) {
  if (!unordered || address % kBytes != 0) return nullptr;
  return unordered->cell(address, std::countr_zero(kBytes));
}

template <std::size_t kBytes>
bool MemoryChecks::quick_read(const AccessWindow& window, Address address, UnorderedCell* cell) const {
  if (!sanitize_) return true;
  if (cell == nullptr) return false;
  if (window.defined != nullptr && !guest::lane_defined<kBytes>(window.defined + (address - window.begin)))
    return false;
  return unordered->quick_read(*cell);
}

inline bool MemoryChecks::quick_write(UnorderedCell* cell) const {
  return !sanitize_ || (cell != nullptr && unordered->quick_write(*cell));
}

}  // namespace tritonrl::ttir
