#include "ttir/memory/address_space.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstring>
#include <iterator>
#include <limits>
#include <new>
#include <utility>

#include "base/error.h"

namespace tritonrl::ttir {
namespace {

constexpr std::size_t kFreedRemembered = 4096;

DefinedBytes undefined_bytes(std::uint64_t bytes) {
  auto* shadow = static_cast<std::uint8_t*>(std::calloc(std::max<std::uint64_t>(bytes, 1), 1));
  if (shadow == nullptr) throw std::bad_alloc();
  return DefinedBytes(shadow);
}

}  // namespace

MemoryRegion& AddressSpace::add(Address base, std::uint64_t bytes, std::byte* host, std::string name,
                                Contents contents) {
  if (bytes > std::numeric_limits<Address>::max() - base) {
    throw base::InputError({}, fmt::format("an allocation of {} bytes at {:#x} wraps around", bytes, base));
  }
  const auto after = regions_.lower_bound(base);
  const bool into_next = after != regions_.end() && (after->first == base || after->first < base + bytes);
  if (into_next || (after != regions_.begin() && std::prev(after)->second.end() > base)) {
    const MemoryRegion& other = into_next ? after->second : std::prev(after)->second;
    throw base::InputError({}, fmt::format("{} bytes at {:#x} overlap a live allocation, {} bytes at {:#x}", bytes,
                                           base, other.bytes, other.base));
  }
  forget_freed(base, base + bytes);
  MemoryRegion region{base, bytes, host, std::move(name), nullptr};
  if (contents == Contents::kUndefined) region.defined = undefined_bytes(bytes);
  return regions_.emplace_hint(after, base, std::move(region))->second;
}

void AddressSpace::remove(Address base) {
  const auto found = regions_.find(base);
  if (found == regions_.end()) {
    throw base::InputError({}, fmt::format("no live allocation starts at {:#x}", base));
  }
  MemoryRegion& region = found->second;
  if (region.bytes != 0) {
    freed_.insert_or_assign(base, FreedRegion{region.end(), ++freed_serial_, std::move(region.name)});
    freed_order_.emplace_back(base, freed_serial_);
  }
  regions_.erase(found);
  // Entries whose region was forgotten since then count too: the queue stays bounded.
  while (freed_order_.size() > kFreedRemembered) {
    const auto [oldest, serial] = freed_order_.front();
    freed_order_.pop_front();
    const auto entry = freed_.find(oldest);
    if (entry != freed_.end() && entry->second.serial == serial) freed_.erase(entry);
  }
}

MemoryRegion* AddressSpace::find(Address address) {
  const auto after = regions_.upper_bound(address);
  if (after == regions_.begin()) return nullptr;
  MemoryRegion& region = std::prev(after)->second;
  return region.holds(address) ? &region : nullptr;
}

std::optional<std::string> AddressSpace::freed(Address address) const {
  const auto after = freed_.upper_bound(address);
  if (after == freed_.begin() || std::prev(after)->second.end <= address) return std::nullopt;
  return std::prev(after)->second.name;
}

const MemoryRegion* AddressSpace::nearest(Address address) const {
  const auto after = regions_.upper_bound(address);
  if (after == regions_.begin()) return after == regions_.end() ? nullptr : &after->second;
  const MemoryRegion& before = std::prev(after)->second;
  if (after == regions_.end() || before.holds(address)) return &before;
  return address - before.end() <= after->first - address ? &before : &after->second;
}

std::map<Address, AddressSpace::FreedRegion>::iterator AddressSpace::first_freed_past(Address begin) {
  auto entry = freed_.upper_bound(begin);
  if (entry != freed_.begin() && std::prev(entry)->second.end > begin) --entry;
  return entry;
}

void AddressSpace::forget_freed(Address begin, Address end) {
  auto entry = first_freed_past(begin);
  while (entry != freed_.end() && entry->first < end) {
    // Memory reused in part: the rest of what was freed there is remembered still.
    const Address old_begin = entry->first;
    FreedRegion old = std::move(entry->second);
    entry = freed_.erase(entry);
    if (old_begin < begin) {
      freed_.emplace_hint(entry, old_begin, FreedRegion{begin, old.serial, old.name});
    }
    if (old.end > end) {
      entry = std::next(freed_.emplace_hint(entry, end, FreedRegion{old.end, ++freed_serial_, std::move(old.name)}));
      freed_order_.emplace_back(end, freed_serial_);
    }
  }
}

void AddressSpace::mark_defined(Address address, std::uint64_t bytes) {
  const Address end = address + std::min(bytes, std::numeric_limits<Address>::max() - address);
  auto region = regions_.upper_bound(address);
  if (region != regions_.begin()) --region;
  for (; region != regions_.end() && region->first < end; ++region) {
    MemoryRegion& at = region->second;
    const Address from = std::max(address, at.base);
    const Address to = std::min(end, at.end());
    if (from >= to) continue;
    if (from == at.base && to == at.end()) {
      at.defined.reset();
    } else if (at.defined) {
      std::memset(at.defined.get() + (from - at.base), 1, to - from);
    }
  }
}

std::optional<std::uint64_t> AddressSpace::first_undefined(Address address, std::uint64_t bytes) {
  const Address end = address + std::min(bytes, std::numeric_limits<Address>::max() - address);
  auto region = regions_.upper_bound(address);
  if (region != regions_.begin()) --region;
  for (; region != regions_.end() && region->first < end; ++region) {
    const MemoryRegion& at = region->second;
    const Address from = std::max(address, at.base);
    const Address to = std::min(end, at.end());
    if (from >= to || !at.defined) continue;
    const std::uint8_t* begin = at.defined.get() + (from - at.base);
    const void* hole = std::memchr(begin, 0, to - from);
    if (hole != nullptr) {
      return from + static_cast<std::uint64_t>(static_cast<const std::uint8_t*>(hole) - begin) - address;
    }
  }
  return std::nullopt;
}

}  // namespace tritonrl::ttir
