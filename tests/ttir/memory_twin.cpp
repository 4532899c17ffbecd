#include "memory_twin.h"

#include <algorithm>
#include <cstring>

namespace tritonrl::ttir {
namespace {

void join(std::map<std::uint32_t, std::uint32_t>& into, const std::map<std::uint32_t, std::uint32_t>& from) {
  for (const auto& [program, time] : from) into[program] = std::max(into[program], time);
}

bool active(LaneAddresses lanes, std::size_t lane) { return lanes.mask == nullptr || lanes.mask[lane] != 0; }
bool acquires(Ordering ordering) { return ordering == Ordering::kAcquire || ordering == Ordering::kAcquireRelease; }
bool releases(Ordering ordering) { return ordering == Ordering::kRelease || ordering == Ordering::kAcquireRelease; }

}  // namespace

void MemoryTwin::add(Address address, std::size_t bytes, Contents contents) {
  ++regions_;
  for (std::size_t i = 0; i < bytes; ++i) {
    Byte& byte = bytes_[address + i];
    byte.defined = contents == Contents::kDefined;
    byte.region = regions_;
  }
}

bool MemoryTwin::before(const Epoch& epoch) {
  if (epoch.program == self_) return true;
  const auto known = self().known.find(epoch.program);
  return known != self().known.end() && known->second >= epoch.time;
}

template <typename Epochs>
bool MemoryTwin::any_unordered(const Epochs& epochs) {
  return std::any_of(epochs.begin(), epochs.end(), [&](const Epoch& epoch) { return !before(epoch); });
}

void MemoryTwin::add_finding(const SanitizerRule& rule, const AccessSite& site, std::size_t lane) {
  found_.try_emplace({std::string(rule.id), site.location}, self_, static_cast<std::int64_t>(lane));
}

std::set<MemoryTwin::Found> MemoryTwin::found() const {
  std::set<Found> result;
  for (const auto& [key, value] : found_) result.emplace(key.first, key.second, value.first, value.second);
  return result;
}

std::vector<MemoryTwin::Byte*> MemoryTwin::lane_bytes(const AccessSite& site, LaneAddresses lanes, std::size_t lane) {
  const std::size_t size = bytes_of(site.element);
  const Address address = lanes.addresses[lane];
  std::vector<Byte*> result;
  for (std::size_t i = 0; i < size; ++i) {
    const auto byte = bytes_.find(address + i);
    if (byte != bytes_.end() && (result.empty() || result[0]->region == byte->second.region)) {
      result.push_back(&byte->second);
    }
  }
  if (result.size() != size) {
    const ArgumentExtent* tensor = site.argument < 0 ? nullptr : &extents[static_cast<std::size_t>(site.argument)];
    const bool leaves_live =
        bytes_.contains(address) || (tensor != nullptr && tensor->known && bytes_.contains(tensor->begin));
    const bool in_freed = std::any_of(freed_.begin(), freed_.end(), [&](const auto& freed) {
      return address >= freed.first && address < freed.second;
    });
    add_finding(address < 4096             ? rules::kNullPointer
                : !leaves_live && in_freed ? rules::kUseAfterFree
                                           : rules::kOutOfBounds,
                site, lane);
    return {};
  }
  if ((address & (size - 1)) != 0) {  // sizes are powers of two
    add_finding(rules::kMisaligned, site, lane);
    return {};
  }
  if (site.argument >= 0) {
    const ArgumentExtent& extent = extents[static_cast<std::size_t>(site.argument)];
    if (extent.known && (address < extent.begin || address + size > extent.end)) {
      add_finding(rules::kOutsideTensor, site, lane);
    }
  }
  return result;
}

bool MemoryTwin::all_defined(const std::vector<Byte*>& bytes, const AccessSite& site, std::size_t lane) {
  if (std::all_of(bytes.begin(), bytes.end(), [](const Byte* byte) { return byte->defined; })) return true;
  add_finding(rules::kUninitialisedRead, site, lane);
  return false;
}

void MemoryTwin::add_conflict(Conflict conflict, const AccessSite& site, std::size_t lane) {
  if (conflict == Conflict::kSameValue) add_finding(rules::kSameValueRace, site, lane);
  if (conflict == Conflict::kRace) add_finding(rules::kDataRace, site, lane);
}

void MemoryTwin::count(LaneAddresses lanes, std::size_t size) {
  const std::uint64_t before = sectors;
  for (std::size_t warp = 0; warp < lanes.count; warp += 32) {
    std::set<Address> touched;
    for (std::size_t lane = warp; lane < std::min(lanes.count, warp + 32); ++lane) {
      if (!active(lanes, lane)) continue;
      for (std::size_t i = 0; i < size; ++i) touched.insert((lanes.addresses[lane] + i) / 32);
    }
    sectors += touched.size();
  }
  std::size_t active_lanes = 0;
  std::set<Address> touched;
  for (std::size_t lane = 0; lane < lanes.count; ++lane) {
    if (!active(lanes, lane)) continue;
    ++active_lanes;
    for (std::size_t i = 0; i < size; ++i) touched.insert((lanes.addresses[lane] + i) / 32);
  }
  const std::uint64_t by_warps = sectors - before;
  if (by_warps * 32 <= active_lanes * size + 32) {
    distinct += by_warps;
    lines += (by_warps + 3) / 4;
  } else {
    std::set<Address> whole;
    for (const Address sector : touched) whole.insert(sector / 4);
    distinct += touched.size();
    lines += whole.size();
  }
}

void MemoryTwin::load(const AccessSite& site, LaneAddresses lanes, std::byte* out, bool is_volatile) {
  const std::size_t size = bytes_of(site.element);
  count(lanes, size);
  self().ran = true;
  if (is_volatile) observe(lanes, size, Ordering::kRelaxed);
  for (std::size_t lane = 0; lane < lanes.count; ++lane) {
    if (!active(lanes, lane)) continue;
    std::memset(out + lane * size, 0, size);
    const std::vector<Byte*> bytes = lane_bytes(site, lanes, lane);
    if (bytes.empty()) continue;
    if (is_volatile) {
      atomic_access(bytes, site, lane, false, Ordering::kRelaxed);
    } else {
      Conflict conflict = Conflict::kNone;
      for (Byte* byte : bytes) {
        byte->read = true;
        if (byte->writer == std::vector<Epoch>{now()}) continue;
        if (any_unordered(byte->writer) || any_unordered(byte->atomic_writers)) conflict = Conflict::kRace;
        byte->readers.insert(now());
      }
      add_conflict(conflict, site, lane);
    }
    if (!all_defined(bytes, site, lane)) continue;
    for (std::size_t i = 0; i < size; ++i) out[lane * size + i] = bytes[i]->value;
  }
}

void MemoryTwin::store(const AccessSite& site, LaneAddresses lanes, const std::byte* values) {
  const std::size_t size = bytes_of(site.element);
  count(lanes, size);
  self().ran = true;
  for (std::size_t lane = 0; lane < lanes.count; ++lane) {
    if (!active(lanes, lane)) continue;
    const std::vector<Byte*> bytes = lane_bytes(site, lanes, lane);
    Conflict conflict = Conflict::kNone;
    for (std::size_t i = 0; i < bytes.size(); ++i) {
      Byte& byte = *bytes[i];
      const std::byte value = values[lane * size + i];
      if (any_unordered(byte.readers) || any_unordered(byte.atomic_writers) || any_unordered(byte.atomic_readers) ||
          (any_unordered(byte.writer) && value != byte.value)) {
        conflict = Conflict::kRace;
      } else if (any_unordered(byte.writer)) {
        conflict = std::max(conflict, Conflict::kSameValue);
      }
      byte.writer = {now()};
      byte.released.clear();
      byte.value = value;
      byte.defined = true;
    }
    add_conflict(conflict, site, lane);
  }
}

void MemoryTwin::observe(LaneAddresses lanes, std::size_t size, Ordering ordering) {
  for (std::size_t lane = 0; lane < lanes.count; ++lane) {
    if (!active(lanes, lane)) continue;
    for (std::size_t i = 0; i < size; ++i) {
      const auto byte = bytes_.find(lanes.addresses[lane] + i);
      if (byte != bytes_.end()) join(acquires(ordering) ? self().known : self().observed, byte->second.released);
    }
  }
}

void MemoryTwin::atomic_access(const std::vector<Byte*>& bytes, const AccessSite& site, std::size_t lane, bool writes,
                               Ordering ordering) {
  Conflict conflict = Conflict::kNone;
  for (Byte* byte : bytes) {
    byte->read = true;
    if (any_unordered(byte->writer) || (writes && any_unordered(byte->readers))) conflict = Conflict::kRace;
    (writes ? byte->atomic_writers : byte->atomic_readers).insert(now());
    if (!writes) continue;
    if (releases(ordering)) {
      join(byte->released, self().known);
      join(byte->released, {{self_, self().time}});
    } else {
      join(byte->released, self().fenced);
    }
  }
  add_conflict(conflict, site, lane);
}

void MemoryTwin::end_atomic(Ordering ordering, bool wrote) {
  if (releases(ordering) && wrote) ++self().time;
}

void MemoryTwin::rmw(const AccessSite& site, LaneAddresses lanes, bool exchange, Ordering ordering,
                     const std::byte* values, std::byte* old) {
  const std::size_t size = bytes_of(site.element);
  count(lanes, size);
  self().ran = true;
  observe(lanes, size, ordering);
  bool wrote = false;
  for (std::size_t lane = 0; lane < lanes.count; ++lane) {
    if (!active(lanes, lane)) continue;
    std::memset(old + lane * size, 0, size);
    const std::vector<Byte*> bytes = lane_bytes(site, lanes, lane);
    if (bytes.empty()) continue;
    atomic_access(bytes, site, lane, true, ordering);
    wrote = true;
    if (!all_defined(bytes, site, lane)) continue;
    unsigned carry = 0;
    for (std::size_t i = 0; i < size; ++i) {
      Byte& byte = *bytes[i];
      old[lane * size + i] = byte.value;
      carry += std::to_integer<unsigned>(values[lane * size + i]);
      if (!exchange) carry += std::to_integer<unsigned>(byte.value);
      byte.value = static_cast<std::byte>(carry & 0xffU);
      carry >>= 8U;
    }
  }
  end_atomic(ordering, wrote);
}

void MemoryTwin::cas(const AccessSite& site, LaneAddresses lanes, Ordering ordering, const std::byte* compare,
                     const std::byte* values, std::byte* old) {
  const std::size_t size = bytes_of(site.element);
  count(lanes, size);
  self().ran = true;
  observe(lanes, size, ordering);
  bool any_wrote = false;
  for (std::size_t lane = 0; lane < lanes.count; ++lane) {
    if (!active(lanes, lane)) continue;
    std::memset(old + lane * size, 0, size);
    const std::vector<Byte*> bytes = lane_bytes(site, lanes, lane);
    if (bytes.empty()) continue;
    const bool defined = all_defined(bytes, site, lane);
    bool writes = defined;
    for (std::size_t i = 0; i < size; ++i) writes = writes && bytes[i]->value == compare[lane * size + i];
    for (std::size_t i = 0; i < size; ++i) {
      if (defined) old[lane * size + i] = bytes[i]->value;
      if (writes) bytes[i]->value = values[lane * size + i];
    }
    atomic_access(bytes, site, lane, writes, ordering);
    any_wrote = any_wrote || writes;
  }
  end_atomic(ordering, any_wrote);
}

void MemoryTwin::barrier() {
  if (!self().ran) return;
  join(self().known, self().observed);
  self().observed.clear();
  self().fenced = self().known;
  join(self().fenced, {{self_, self().time}});
  ++self().time;
}

std::uint64_t MemoryTwin::bytes_read() const {
  return static_cast<std::uint64_t>(
      std::count_if(bytes_.begin(), bytes_.end(), [](const auto& entry) { return entry.second.read; }));
}

std::uint64_t MemoryTwin::bytes_written() const {
  return static_cast<std::uint64_t>(std::count_if(bytes_.begin(), bytes_.end(), [](const auto& entry) {
    return !entry.second.writer.empty() || !entry.second.atomic_writers.empty();
  }));
}

}  // namespace tritonrl::ttir
