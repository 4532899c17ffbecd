#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "ttir/finding.h"
#include "ttir/ir/type.h"
#include "ttir/memory/address_space.h"
#include "ttir/memory/watch.h"

namespace tritonrl::ttir {

enum class AccessKind : std::uint8_t { kLoad, kStore, kAtomic };

// One load, store or atomic of the kernel's code: what is known about it before it runs.
struct AccessSite {
  LocationId location = 0;
  std::uint32_t number = 0;  // dense, per kernel: indexes the counters
  Element element = Element::kF32;
  std::int32_t argument = -1;  // the parameter that every address here is derived from; -1: unknown
  AccessKind kind = AccessKind::kLoad;
  bool follows_memory = true;  // a compiler can lay lanes out along memory; else in their order in the tensor
};

// The tensor behind a pointer argument: the bytes that its elements span.
struct ArgumentExtent {
  std::string name;
  Address begin = 0;
  Address end = 0;
  bool known = false;  // false: a bare pointer, nothing is known
};

struct TrafficCounters {
  std::uint64_t accesses = 0;    // executions of the site
  std::uint64_t lanes = 0;       // active and masked off
  std::uint64_t masked_off = 0;  // lanes
  std::uint64_t bytes = 0;       // of active lanes
  std::uint64_t sectors = 0;     // 32-byte sectors, distinct within one access of 32 consecutive lanes (a warp)
  std::uint64_t distinct = 0;    // sectors too, distinct within an access of all lanes: with the best order of lanes
  std::uint64_t lines = 0;       // of 128 bytes that these lie in
};

enum class RmwOperation : std::uint8_t { kAnd, kOr, kXor, kAdd, kFAdd, kMax, kMin, kUMax, kUMin, kExchange };
enum class Ordering : std::uint8_t { kRelaxed, kAcquire, kRelease, kAcquireRelease };

// Addresses of `count` lanes; `mask` holds a 0 or 1 for each lane, or is null: all active.
struct LaneAddresses {
  const Address* addresses = nullptr;
  const std::uint8_t* mask = nullptr;
  std::size_t count = 0;
};

// Memory as one worker of a launch sees it: every access is checked (bounds, definedness, alignment, races), counted,
// and then made. A lane that fails a check with an error reads zeros and writes nothing, unless it fails by a race:
// then the access is made as in one order of the programs. A view belongs to one thread; several may work on one
// AddressSpace at a time.
class MemoryView {
 public:
  struct Options {
    bool sanitize = true;       // false: bounds alone are checked
    bool synchronises = false;  // the kernel has atomics or volatile loads: order programs by happens-before
    std::size_t max_findings = 100;
  };

  // `space` and `arguments` must outlive the view.
  MemoryView(AddressSpace& space, std::span<const ArgumentExtent> arguments, std::size_t sites, Options options);
  ~MemoryView();
  MemoryView(const MemoryView&) = delete;
  MemoryView& operator=(const MemoryView&) = delete;

  // Accesses that follow are made by this program; `number` is dense within the launch. Programs may alternate.
  void enter(std::uint64_t number, ProgramId program);

  // `out` and `values` hold count elements as they lie in memory. Lanes masked off are left as they are.
  void load(const AccessSite& site, LaneAddresses lanes, std::byte* out);
  void store(const AccessSite& site, LaneAddresses lanes, const std::byte* values);
  // Lane after lane, in order. `old` may be null. Only for views with `synchronises`; see rmw_function() for what there
  // is.
  void atomic_rmw(const AccessSite& site, LaneAddresses lanes, RmwOperation operation, Ordering ordering,
                  const std::byte* values, std::byte* old);
  void atomic_cas(const AccessSite& site, LaneAddresses lanes, Ordering ordering, const std::byte* compare,
                  const std::byte* values, std::byte* old);
  // A volatile load: an atomic read with relaxed ordering for the race detector.
  void load_volatile(const AccessSite& site, LaneAddresses lanes, std::byte* out);
  // tl.debug_barrier: a fence, as of C++, for the relaxed atomics and volatile loads around it.
  void barrier();

  // What atomics and volatile loads ask is noted there from now on; null: nowhere.
  void watch(Watch* watch);

  // For findings that the machine makes itself, merged with those of accesses.
  void report(const SanitizerRule& rule, LocationId location, std::int64_t lane, std::string message);

  const std::vector<Finding>& findings() const;      // in the order of their first occurrence
  std::span<const TrafficCounters> traffic() const;  // by site number

  // Bytes that this view's programs have read and written, each byte once.
  struct UniqueBytes {
    std::uint64_t read = 0;
    std::uint64_t written = 0;
  };
  UniqueBytes unique_bytes() const;

  // Grows whenever something is stored or an atomic changes memory: programs that wait see nothing new until it does.
  std::uint64_t changes() const;

  // What all of them have read and written, each byte once; nothing when programs of two views used the same memory and
  // one of them wrote: then the views' work was no fair parallel run. Only for kernels that do not synchronise.
  static std::optional<UniqueBytes> merge(std::span<const std::unique_ptr<MemoryView>> views);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace tritonrl::ttir
