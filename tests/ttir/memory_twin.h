#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "ttir/memory/memory_view.h"

namespace tritonrl::ttir {

// The same memory as MemoryView's, as simple as can be: a record for each byte with all that ever happened to it, lanes
// one after the other. What both say must be the same.
class MemoryTwin {
 public:
  explicit MemoryTwin(bool synchronises) : synchronises_(synchronises) {}

  void add(Address address, std::size_t bytes, Contents contents);
  void add_freed(Address address, std::size_t bytes) { freed_.emplace_back(address, address + bytes); }
  std::vector<ArgumentExtent> extents;

  void enter(std::uint32_t program) { self_ = program; }
  void load(const AccessSite& site, LaneAddresses lanes, std::byte* out, bool is_volatile);
  void store(const AccessSite& site, LaneAddresses lanes, const std::byte* values);
  // Integer sum, or exchange.
  void rmw(const AccessSite& site, LaneAddresses lanes, bool exchange, Ordering ordering, const std::byte* values,
           std::byte* old);
  void cas(const AccessSite& site, LaneAddresses lanes, Ordering ordering, const std::byte* compare,
           const std::byte* values, std::byte* old);
  void barrier();

  // Rule, location, program and lane of the first occurrence of each finding.
  using Found = std::tuple<std::string, LocationId, std::uint32_t, std::int64_t>;
  std::set<Found> found() const;
  std::uint64_t sectors = 0;
  std::uint64_t distinct = 0;
  std::uint64_t lines = 0;
  std::uint64_t bytes_read() const;
  std::uint64_t bytes_written() const;
  std::byte at(Address address) const { return bytes_.at(address).value; }

 private:
  struct Epoch {
    std::uint32_t program = 0;
    std::uint32_t time = 0;
    auto operator<=>(const Epoch&) const = default;
  };
  using Clock = std::map<std::uint32_t, std::uint32_t>;
  struct Byte {
    std::byte value{};
    bool defined = false;
    bool read = false;
    std::size_t region = 0;
    std::vector<Epoch> writer;  // none or one
    std::set<Epoch> readers;
    std::set<Epoch> atomic_readers;
    std::set<Epoch> atomic_writers;
    Clock released;
  };
  struct Program {
    Clock known;
    Clock observed;
    Clock fenced;
    std::uint32_t time = 1;
    bool ran = false;
  };
  enum class Conflict : std::uint8_t { kNone, kSameValue, kRace };

  Program& self() { return programs_[self_]; }
  Epoch now() { return {self_, self().time}; }
  bool before(const Epoch& epoch);
  template <typename Epochs>
  bool any_unordered(const Epochs& epochs);
  void add_finding(const SanitizerRule& rule, const AccessSite& site, std::size_t lane);
  // Bounds, alignment, tensor; the lane's bytes, or none.
  std::vector<Byte*> lane_bytes(const AccessSite& site, LaneAddresses lanes, std::size_t lane);
  bool all_defined(const std::vector<Byte*>& bytes, const AccessSite& site, std::size_t lane);
  void add_conflict(Conflict conflict, const AccessSite& site, std::size_t lane);
  void observe(LaneAddresses lanes, std::size_t size, Ordering ordering);
  void atomic_access(const std::vector<Byte*>& bytes, const AccessSite& site, std::size_t lane, bool writes,
                     Ordering ordering);
  void count(LaneAddresses lanes, std::size_t size);
  void end_atomic(Ordering ordering, bool wrote);

  bool synchronises_;
  std::map<Address, Byte> bytes_;
  std::size_t regions_ = 0;
  std::vector<std::pair<Address, Address>> freed_;
  std::map<std::uint32_t, Program> programs_;
  std::uint32_t self_ = 0;
  std::map<std::pair<std::string, LocationId>, std::pair<std::uint32_t, std::int64_t>> found_;
};

}  // namespace tritonrl::ttir
