#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace tritonrl::ttir {

using Address = std::uint64_t;

enum class Contents : std::uint8_t { kUndefined, kDefined };

// One live allocation. `base` is what kernels compute with; `host` is where its bytes lie in this process, which may
// be a mapping of another process's memory.
struct Region {
  Address base = 0;
  std::uint64_t bytes = 0;
  std::byte* host = nullptr;
  std::string name;
  std::unique_ptr<std::uint8_t[]> defined;  // by byte, 1: written since it was allocated; null: all defined

  Address end() const { return base + bytes; }
};

// What a kernel may touch. Not thread-safe: allocations don't change while a launch runs.
class AddressSpace {
 public:
  // A base::InputError when it overlaps a live region.
  Region& add(Address base, std::uint64_t bytes, std::byte* host, std::string name, Contents contents);
  // The region that starts at `base`; it is remembered for a while, so that later accesses can be named.
  void remove(Address base);

  // The live region that holds `address`, or nullptr.
  Region* find(Address address);
  // The name of the region, now freed, that held `address` most recently.
  std::optional<std::string> freed(Address address) const;
  // Live region nearest to `address`, for messages; nullptr when there is none.
  const Region* nearest(Address address) const;

  // Something other than a kernel wrote [address, address + bytes).
  void mark_defined(Address address, std::uint64_t bytes);
  // Offset from `address` of the first byte that nothing has written, if any.
  std::optional<std::uint64_t> first_undefined(Address address, std::uint64_t bytes);

 private:
  struct FreedRegion {
    std::uint64_t bytes = 0;
    std::string name;
  };
  std::map<Address, Region> regions_;
  std::map<Address, FreedRegion> freed_;
};

}  // namespace tritonrl::ttir
