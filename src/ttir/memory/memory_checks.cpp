#include "ttir/memory/memory_checks.h"

#include <algorithm>

namespace tritonrl::ttir {

MemoryChecks::MemoryChecks(AddressSpace& space, std::span<const ArgumentExtent> arguments, MemoryView::Options options)
    : report(space, arguments, options.max_findings),
      sanitize_(options.sanitize),
      arguments_(arguments),
      regions_(space) {
  if (!sanitize_) return;
  if (options.synchronises) {
    ordered = std::make_unique<OrderedRaces>();
  } else {
    unordered = std::make_unique<UnorderedRaces>();
  }
}

void MemoryChecks::enter(std::uint32_t number, ProgramId program) {
  report.enter(number, program);
  if (unordered) unordered->enter(number);
  if (ordered) ordered->enter(number);
}

void MemoryChecks::touch(Touch touch, const AccessPart& part, const std::byte* memory, const std::byte* values) {
  const Address begin = part.address;
  const Address end = part.address_of(part.lanes);
  if (unordered) {
    if (touch == Touch::kRead) {
      unordered->read(begin, end, conflicts_);
    } else {
      unordered->write(begin, end, conflicts_);
    }
  } else if (ordered) {
    switch (touch) {
      case Touch::kRead:
        ordered->read(begin, end, conflicts_);
        break;
      case Touch::kWrite:
        ordered->write(begin, end, conflicts_);
        break;
      case Touch::kAtomicRead:
        ordered->record_atomic_read(begin, end, conflicts_);
        break;
      case Touch::kAtomicWrite:
        ordered->record_atomic_write(begin, end, conflicts_);
        break;
    }
  }
  if (!conflicts_.empty()) [[unlikely]] {
    report.races(part, conflicts_, memory, values);
    conflicts_.clear();
  }
}

AccessWindow MemoryChecks::window(const AccessSite& site, Address address, std::size_t bytes) {
  const MemoryRegion* region = regions_.find(address);
  if (region == nullptr) return {};
  Address begin = region->base;
  Address end = region->end();
  if (const ArgumentExtent* extent = sanitize_ ? extent_of(site) : nullptr) {
    begin = std::max(begin, extent->begin);
    end = std::min(end, extent->end);
  }
  if (begin + bytes > end) return {};
  const std::uint64_t offset = begin - region->base;
  return {begin, end - begin - bytes + 1, region->host + offset,
          region->defined != nullptr ? region->defined.get() + offset : nullptr};
}

}  // namespace tritonrl::ttir
