#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>

namespace tritonrl::ttir {

using Address = std::uint64_t;

enum class Contents : std::uint8_t { kUndefined, kDefined };

// Bytes from calloc: zero pages that cost nothing until they are touched.
struct FreeBytes {
  void operator()(std::uint8_t* bytes) const { std::free(bytes); }
};
using DefinedBytes = std::unique_ptr<std::uint8_t[], FreeBytes>;

// One live allocation. `base` is what kernels compute with; `host` is where its bytes lie in this process, which may
// be a mapping of another process's memory.
struct MemoryRegion {
  Address base = 0;
  std::uint64_t bytes = 0;
  std::byte* host = nullptr;
  std::string name;
  DefinedBytes defined;  // by byte, 1: written since it was allocated; null: all defined

  Address end() const { return base + bytes; }
  bool holds(Address address) const { return address - base < bytes; }
};

// What a kernel may touch. Allocations don't change while a launch runs; find() is then safe from several threads.
class AddressSpace {
 public:
  // A base::InputError when it overlaps a live region or wraps around.
  MemoryRegion& add(Address base, std::uint64_t bytes, std::byte* host, std::string name, Contents contents);
  // The region that starts at `base`; it is remembered for a while, so that later accesses can be named. A
  // base::InputError when there is none.
  void remove(Address base);

  // The live region that holds `address`, or nullptr.
  MemoryRegion* find(Address address);
  // The name of the region, now freed, that held `address` most recently.
  std::optional<std::string> freed(Address address) const;
  // Live region nearest to `address`, for messages; nullptr when there is none.
  const MemoryRegion* nearest(Address address) const;

  // Something other than a kernel wrote [address, address + bytes). Bytes outside live regions are passed over.
  void mark_defined(Address address, std::uint64_t bytes);
  // Offset from `address` of the first byte that nothing has written, if any. Bytes outside live regions don't count.
  std::optional<std::uint64_t> first_undefined(Address address, std::uint64_t bytes);

 private:
  struct FreedRegion {
    Address end = 0;
    std::uint64_t serial = 0;
    std::string name;
  };
  void forget_freed(Address begin, Address end);
  std::map<Address, FreedRegion>::iterator first_freed_past(Address begin);

  std::map<Address, MemoryRegion> regions_;
  // Disjoint: what is allocated or freed anew takes the place of what was freed there before.
  std::map<Address, FreedRegion> freed_;
  std::deque<std::pair<Address, std::uint64_t>> freed_order_;  // oldest first; entries of forgotten ones remain a while
  std::uint64_t freed_serial_ = 0;
};

}  // namespace tritonrl::ttir
