#include "ttir/memory/access_report.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "ttir/memory/guest_bytes.h"

namespace tritonrl::ttir {
namespace {

constexpr Address kNullPageBytes = 4096;

std::string kind_text(const AccessPart& part) {
  const char* kind = part.kind == AccessKind::kLoad ? "load" : part.kind == AccessKind::kStore ? "store" : "atomic";
  return fmt::format("{} of {} byte{}", kind, part.element_bytes, part.element_bytes == 1 ? "" : "s");
}

std::string bytes_count(Address bytes) { return fmt::format("{} byte{}", bytes, bytes == 1 ? "" : "s"); }

std::string owner_text(const std::string& name, Address begin, Address end) {
  return fmt::format("{} ({} at {:#x})", name.empty() ? "an allocation" : fmt::format("`{}`", name),
                     bytes_count(end - begin), begin);
}

// "16 bytes past the end of `x_ptr` (4000 bytes at 0x1000)"
std::string distance_text(Address address, std::size_t bytes, const std::string& name, Address begin, Address end) {
  const std::string owner = owner_text(name, begin, end);
  if (address >= end) {
    return address == end ? fmt::format("directly past the end of {}", owner)
                          : fmt::format("{} past the end of {}", bytes_count(address - end), owner);
  }
  if (address < begin) return fmt::format("{} before the start of {}", bytes_count(begin - address), owner);
  return fmt::format("with {} of its {} past the end of {}", address + bytes - end, bytes_count(bytes), owner);
}

}  // namespace

void AccessReport::enter(std::uint32_t number, ProgramId program) {
  if (number >= programs_.size()) {
    programs_.resize(std::max<std::size_t>(number + std::size_t{1}, programs_.size() + programs_.size() / 2));
  }
  programs_[number] = program;
  program_ = program;
}

template <typename Message>
void AccessReport::add(const SanitizerRule& rule, const AccessPart& part, std::size_t lane, std::uint64_t times,
                       Message&& message) {
  log_.add(rule, part.site.location, program_, static_cast<std::int64_t>(part.first_lane + lane), times,
           std::forward<Message>(message));
}

const ArgumentExtent* AccessReport::extent_of(const AccessSite& site) const {
  if (site.argument < 0 || static_cast<std::size_t>(site.argument) >= arguments_.size()) return nullptr;
  const ArgumentExtent& extent = arguments_[static_cast<std::size_t>(site.argument)];
  return extent.known ? &extent : nullptr;
}

void AccessReport::outside_memory(const AccessPart& part) {
  const Address address = part.address;
  if (address < kNullPageBytes) {
    add(rules::kNullPointer, part, 0, 1, [&] { return fmt::format("{} at address {:#x}", kind_text(part), address); });
    return;
  }
  // What leaves a live region or tensor is no use after free, whatever was freed where it ends up.
  const ArgumentExtent* tensor = extent_of(part.site);
  const bool leaves_live_memory =
      space_.find(address) != nullptr || (tensor != nullptr && space_.find(tensor->begin) != nullptr);
  const auto freed = leaves_live_memory ? std::nullopt : space_.freed(address);
  if (freed) {
    add(rules::kUseAfterFree, part, 0, 1, [&] {
      return fmt::format("{} at {:#x} in {}, which was freed", kind_text(part), address,
                         freed->empty() ? "an allocation" : fmt::format("`{}`", *freed));
    });
    return;
  }
  add(rules::kOutOfBounds, part, 0, 1, [&] {
    std::string text = fmt::format("{} at {:#x}", kind_text(part), address);
    const ArgumentExtent* extent = extent_of(part.site);
    const bool leaves_extent =
        extent != nullptr && (address < extent->begin || address + part.element_bytes > extent->end);
    if (leaves_extent) {
      return text + ", " + distance_text(address, part.element_bytes, extent->name, extent->begin, extent->end);
    }
    if (const MemoryRegion* near = space_.nearest(address)) {
      return text + ", " + distance_text(address, part.element_bytes, near->name, near->base, near->end());
    }
    return text + "; there is no memory at all";
  });
}

void AccessReport::misaligned(const AccessPart& part) {
  add(rules::kMisaligned, part, 0, part.lanes, [&] {
    return fmt::format("{} at {:#x}, {}: not a multiple of {}", kind_text(part), part.address, bytes_text(part, 0),
                       part.element_bytes);
  });
}

void AccessReport::outside_tensor(const AccessPart& part, const ArgumentExtent& extent) {
  for (std::size_t lane = 0; lane < part.lanes; ++lane) {
    const Address address = part.address_of(lane);
    if (address >= extent.begin && address + part.element_bytes <= extent.end) continue;
    add(rules::kOutsideTensor, part, lane, 1, [&] {
      return fmt::format("{} at {:#x}, {}", kind_text(part), address,
                         distance_text(address, part.element_bytes, extent.name, extent.begin, extent.end));
    });
  }
}

void AccessReport::undefined(const AccessPart& part, std::size_t lane) {
  add(rules::kUninitialisedRead, part, lane, 1,
      [&] { return fmt::format("{} at {}, which nothing has written", kind_text(part), bytes_text(part, lane)); });
}

void AccessReport::races(const AccessPart& part, const RaceConflicts& conflicts, const std::byte* memory,
                         const std::byte* values) {
  // Conflicts of several cells may be about one lane: it counts once, by the worst of them.
  const RaceConflict* pending = nullptr;
  std::size_t pending_lane = 0;
  bool pending_same = false;
  for (const RaceConflict& conflict : conflicts) {
    const Address begin = conflict.begin - part.address;
    const Address end = conflict.end - part.address;
    for (std::size_t lane = begin / part.element_bytes; lane * part.element_bytes < end; ++lane) {
      const Address from = std::max<Address>(begin, lane * part.element_bytes);
      const Address to = std::min<Address>(end, (lane + 1) * part.element_bytes);
      const bool same = part.kind == AccessKind::kStore && conflict.other == RaceConflict::Other::kWrote &&
                        guest::equal(memory + from, values + from, to - from);
      const bool again = pending != nullptr && pending_lane == lane;
      if (again && (same || !pending_same)) continue;
      if (pending != nullptr && !again) race(part, pending_lane, *pending, pending_same);
      pending = &conflict;
      pending_lane = lane;
      pending_same = same;
    }
  }
  if (pending != nullptr) race(part, pending_lane, *pending, pending_same);
}

void AccessReport::race(const AccessPart& part, std::size_t lane, const RaceConflict& conflict, bool same_value) {
  add(same_value ? rules::kSameValueRace : rules::kDataRace, part, lane, 1, [&] {
    const char* did = conflict.other == RaceConflict::Other::kWrote  ? "wrote"
                      : conflict.other == RaceConflict::Other::kRead ? "read"
                                                                     : "used by an atomic";
    return fmt::format("{} at {}, which {} {}{}; nothing orders the two", kind_text(part), bytes_text(part, lane),
                       program_text(conflict.program), did, same_value ? " with the same value" : "");
  });
}

std::string AccessReport::bytes_text(const AccessPart& part, std::size_t lane) const {
  const Address address = part.address_of(lane);
  const ArgumentExtent* extent = extent_of(part.site);
  if (extent != nullptr && address >= extent->begin && address < extent->end) {
    return fmt::format("byte {} of `{}`", address - extent->begin, extent->name);
  }
  const MemoryRegion* region = space_.find(address);
  return fmt::format("byte {} of {}", region != nullptr ? address - region->base : 0,
                     region == nullptr || region->name.empty() ? "an allocation" : fmt::format("`{}`", region->name));
}

std::string AccessReport::program_text(std::uint32_t number) const {
  // More than one program read the bytes, or the program belongs to no view of ours.
  if (number >= programs_.size()) return "several other programs";
  const ProgramId& id = programs_[number];
  return fmt::format("program ({}, {}, {})", id[0], id[1], id[2]);
}

}  // namespace tritonrl::ttir
