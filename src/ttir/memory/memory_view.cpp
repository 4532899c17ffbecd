#include "ttir/memory/memory_view.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "base/error.h"
#include "ttir/memory/atomic_operation.h"
#include "ttir/memory/memory_view_state.h"

namespace tritonrl::ttir {
namespace {

template <typename Function>
void with_bytes(std::size_t bytes, Function&& function) {
  switch (bytes) {
    case 1:
      return function.template operator()<1>();
    case 2:
      return function.template operator()<2>();
    case 4:
      return function.template operator()<4>();
    case 8:
      return function.template operator()<8>();
    default:
      base::bug("an element of a size that memory does not know");
  }
}

}  // namespace

MemoryView::MemoryView(AddressSpace& space, std::span<const ArgumentExtent> arguments, std::size_t sites,
                       Options options)
    : state_(std::make_unique<State>(space, arguments, sites, options)) {}

MemoryView::~MemoryView() = default;

void MemoryView::enter(std::uint64_t number, ProgramId program) {
  base::check(number < std::min(UnorderedRaces::kMaxPrograms, OrderedRaces::kMaxPrograms), "too many programs");
  state_->checks.enter(static_cast<std::uint32_t>(number), program);
}

void MemoryView::load(const AccessSite& site, LaneAddresses lanes, std::byte* out) {
  with_bytes(bytes_of(site.element),
             [&]<std::size_t kBytes>() { state_->load<kBytes>(site, lanes, out, Touch::kRead); });
}

void MemoryView::load_volatile(const AccessSite& site, LaneAddresses lanes, std::byte* out) {
  with_bytes(bytes_of(site.element), [&]<std::size_t kBytes>() {
    state_->begin_atomic<kBytes>(lanes, Ordering::kRelaxed);
    state_->load<kBytes>(site, lanes, out, Touch::kAtomicRead);
  });
}

void MemoryView::store(const AccessSite& site, LaneAddresses lanes, const std::byte* values) {
  ++state_->changes;
  with_bytes(bytes_of(site.element), [&]<std::size_t kBytes>() { state_->store<kBytes>(site, lanes, values); });
}

void MemoryView::atomic_rmw(const AccessSite& site, LaneAddresses lanes, RmwOperation operation, Ordering ordering,
                            const std::byte* values, std::byte* old) {
  const RmwFunction function = rmw_function(operation, site.element);
  base::check(function != nullptr, "an atomic of a type that there is none for");
  // Nobody sees what an exchange found there when its result is not used.
  const bool reads = operation != RmwOperation::kExchange || old != nullptr;
  with_bytes(bytes_of(site.element), [&]<std::size_t kBytes>() {
    const auto update = [&](std::size_t lane, std::byte* memory) {
      function(memory, values + lane * kBytes);
      return true;
    };
    state_->atomic<kBytes>(site, lanes, ordering, State::AtomicWork<decltype(update)>{reads, true, old, update});
  });
}

void MemoryView::atomic_cas(const AccessSite& site, LaneAddresses lanes, Ordering ordering, const std::byte* compare,
                            const std::byte* values, std::byte* old) {
  with_bytes(bytes_of(site.element), [&]<std::size_t kBytes>() {
    const auto update = [&](std::size_t lane, std::byte* memory) {
      if (std::memcmp(memory, compare + lane * kBytes, kBytes) != 0) return false;
      std::memcpy(memory, values + lane * kBytes, kBytes);
      return true;
    };
    state_->atomic<kBytes>(site, lanes, ordering, State::AtomicWork<decltype(update)>{true, false, old, update});
  });
}

void MemoryView::barrier() {
  if (state_->checks.ordered) state_->checks.ordered->barrier();
}

void MemoryView::watch(Watch* watch) { state_->watch = watch; }

void MemoryView::report(const SanitizerRule& rule, LocationId location, std::int64_t lane, std::string message) {
  AccessReport& report = state_->checks.report;
  report.log().add(rule, location, report.program(), lane, 1, [&] { return std::move(message); });
}

const std::vector<Finding>& MemoryView::findings() const { return state_->checks.report.log().findings(); }

std::span<const TrafficCounters> MemoryView::traffic() const { return state_->traffic; }

MemoryView::UniqueBytes MemoryView::unique_bytes() const {
  UniqueBytes total;
  if (state_->checks.unordered) {
    state_->checks.unordered->shadow().for_each_page([&](const ShadowMemory<UnorderedCell>::Cells& cells) {
      for (std::size_t i = 0; i < cells.count; ++i) {
        total.read += std::uint64_t{cells.first[i].reader != 0} << cells.shift;
        total.written += std::uint64_t{cells.first[i].writer != 0} << cells.shift;
      }
    });
  } else if (state_->checks.ordered) {
    state_->checks.ordered->shadow().for_each_page([&](const ShadowMemory<OrderedCell>::Cells& cells) {
      for (std::size_t i = 0; i < cells.count; ++i) {
        const OrderedCell& cell = cells.first[i];
        total.read += std::uint64_t{(cell.readers | cell.atomic_readers | cell.atomic_writers) != 0} << cells.shift;
        total.written += std::uint64_t{(cell.writer | cell.atomic_writers) != 0} << cells.shift;
      }
    });
  }
  return total;
}

std::uint64_t MemoryView::changes() const { return state_->changes; }

std::optional<MemoryView::UniqueBytes> MemoryView::merge(std::span<const std::unique_ptr<MemoryView>> views) {
  UnorderedRaces all;
  RaceConflicts conflicts;
  UniqueBytes total;
  using Cells = ShadowMemory<UnorderedCell>::Cells;
  for (std::size_t i = 0; i < views.size(); ++i) {
    const auto& races = views[i]->state_->checks.unordered;
    if (!races) continue;
    all.enter(static_cast<std::uint32_t>(i));
    all.merge(*races, conflicts);
    if (!conflicts.empty()) return std::nullopt;
    // Bytes that a view reads and writes are its own, or there would be a conflict.
    races->shadow().for_each_page([&](const Cells& cells) {
      for (std::size_t k = 0; k < cells.count; ++k)
        total.read += std::uint64_t{cells.first[k].reader != 0 && cells.first[k].writer != 0} << cells.shift;
    });
  }
  all.shadow().for_each_page([&](const Cells& cells) {
    for (std::size_t k = 0; k < cells.count; ++k) {
      total.written += std::uint64_t{cells.first[k].writer != 0} << cells.shift;
      total.read += std::uint64_t{cells.first[k].writer == 0 && cells.first[k].reader != 0} << cells.shift;
    }
  });
  return total;
}

}  // namespace tritonrl::ttir
