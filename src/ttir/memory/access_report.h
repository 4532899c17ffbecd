#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "ttir/memory/finding_log.h"
#include "ttir/memory/memory_view.h"
#include "ttir/memory/race_conflict.h"

namespace tritonrl::ttir {

// Lanes of one access at consecutive addresses.
struct AccessPart {
  const AccessSite& site;
  AccessKind kind = AccessKind::kLoad;
  std::size_t element_bytes = 0;
  std::size_t first_lane = 0;
  std::size_t lanes = 0;
  Address address = 0;

  Address address_of(std::size_t lane) const { return address + lane * element_bytes; }  // counts from first_lane
};

// Turns what is wrong with an access into findings that name tensors, offsets and distances.
class AccessReport {
 public:
  AccessReport(AddressSpace& space, std::span<const ArgumentExtent> arguments, std::size_t max_findings)
      : space_(space), arguments_(arguments), log_(max_findings) {}

  void enter(std::uint32_t number, ProgramId program);
  ProgramId program() const { return program_; }
  FindingLog& log() { return log_; }
  const FindingLog& log() const { return log_; }

  // The first lane of `part` lies in no region, or not all of it.
  void outside_memory(const AccessPart& part);
  // All of its lanes.
  void misaligned(const AccessPart& part);
  // Those of its lanes that leave `extent`.
  void outside_tensor(const AccessPart& part, const ArgumentExtent& extent);
  void undefined(const AccessPart& part, std::size_t lane);
  // `values` of a store, against what lies at `memory` now; for other kinds both may be null.
  void races(const AccessPart& part, const RaceConflicts& conflicts, const std::byte* memory, const std::byte* values);

 private:
  template <typename Message>
  void add(const SanitizerRule& rule, const AccessPart& part, std::size_t lane, std::uint64_t times, Message&& message);
  void race(const AccessPart& part, std::size_t lane, const RaceConflict& conflict, bool same_value);
  const ArgumentExtent* extent_of(const AccessSite& site) const;
  // "bytes 64 to 67 of `x_ptr`", of a lane that lies in a live region.
  std::string bytes_text(const AccessPart& part, std::size_t lane) const;
  std::string program_text(std::uint32_t number) const;

  AddressSpace& space_;
  std::span<const ArgumentExtent> arguments_;
  FindingLog log_;
  std::vector<ProgramId> programs_;  // by number, of those that were entered
  ProgramId program_{};
};

}  // namespace tritonrl::ttir
