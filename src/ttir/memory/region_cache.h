#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "ttir/memory/address_space.h"

namespace tritonrl::ttir {

// The live region that holds an address: the few that a kernel works on are found without a search.
class RegionCache {
 public:
  explicit RegionCache(AddressSpace& space) : space_(space) {}

  MemoryRegion* find(Address address) {
    if (recent_[0]->holds(address)) [[likely]] {
      return recent_[0];
    }
    return find_elsewhere(address);
  }

  // Fetches what will be accessed soon, if it lies in the region of the last access.
  void prefetch(Address address, std::size_t bytes) const {
    constexpr std::size_t kLine = 64;
    constexpr std::size_t kMost = 8 * kLine;
    const MemoryRegion& region = *recent_[0];
    if (!region.holds(address)) return;
    const std::uint64_t offset = address - region.base;
    for (std::size_t i = 0; i < std::min(bytes, kMost); i += kLine) {
      __builtin_prefetch(region.host + offset + i);
      if (region.defined) __builtin_prefetch(region.defined.get() + offset + i);
    }
  }

 private:
  MemoryRegion* find_elsewhere(Address address) {
    for (std::size_t i = 1; i < recent_.size(); ++i) {
      if (recent_[i]->holds(address)) {
        std::swap(recent_[i], recent_[0]);
        return recent_[0];
      }
    }
    MemoryRegion* found = space_.find(address);
    if (found != nullptr) {
      for (std::size_t i = recent_.size() - 1; i != 0; --i) recent_[i] = recent_[i - 1];
      recent_[0] = found;
    }
    return found;
  }

  AddressSpace& space_;
  MemoryRegion none_;  // holds nothing
  std::array<MemoryRegion*, 4> recent_{&none_, &none_, &none_, &none_};
};

}  // namespace tritonrl::ttir
