#include "verify/replay.h"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <memory>

#include "base/error.h"
#include "ttir/unsupported.h"

namespace tritonrl::verify {
namespace {

constexpr std::size_t kMostLaunches = 32;
constexpr std::uint64_t kMostBytes = std::uint64_t{64} << 20U;
constexpr std::uint64_t kStepsOfLaunch = std::uint64_t{1} << 32U;

// What the arguments point into: an access to any other allocation is out of bounds, whatever lies there.
std::map<std::uint64_t, std::uint64_t> allocations_given(const LaunchRequest& request,
                                                         const std::map<std::uint64_t, std::uint64_t>& allocations) {
  std::map<std::uint64_t, std::uint64_t> given;
  for (const auto& argument : request.arguments) {
    const auto address = static_cast<std::uint64_t>(argument.integer);
    const auto after = allocations.upper_bound(address);
    if (after == allocations.begin()) continue;
    const auto holder = std::prev(after);
    if (address - holder->first < holder->second) given.insert(*holder);
  }
  return given;
}

void mark_written_words(ttir::MemoryRegion& region, std::uint32_t pattern) {
  for (std::uint64_t at = 0; at < region.bytes; at += sizeof pattern) {
    const std::uint64_t bytes = std::min<std::uint64_t>(sizeof pattern, region.bytes - at);
    if (std::memcmp(region.host + at, &pattern, bytes) != 0) std::memset(region.defined.get() + at, 1, bytes);
  }
}

}  // namespace

std::optional<Replay::Copies> Replay::copy(const GuestKernel& kernel, const LaunchRequest& request,
                                           const Memory& memory, std::string& why_not) {
  const auto given = allocations_given(request, memory.allocations);
  std::uint64_t bytes = 0;
  for (const auto& [address, size] : given) bytes += size;
  if (kernel.code.body.empty()) {
    why_not = "the executor lacks what " + kernel.name + " needs";
  } else if (bytes > kMostBytes) {
    why_not = "there is too much memory to copy";
  } else if (++launches_ > kMostLaunches || request.programs() > static_cast<double>(programs_left_)) {
    why_not = "there are too many programs";
  }
  if (!why_not.empty()) return std::nullopt;
  programs_left_ -= static_cast<std::uint64_t>(request.programs());

  Copies copies;
  for (const auto& [address, size] : given) {
    auto& copied = copies.bytes.emplace_back(std::make_unique_for_overwrite<std::byte[]>(size));
    memory.copy(copied.get(), address, size);
    mark_written_words(copies.space.add(address, size, copied.get(), "tensor", ttir::Contents::kUndefined),
                       memory.pattern);
  }
  return copies;
}

std::vector<DeviceFinding> Replay::run(const GuestKernel& kernel, const LaunchRequest& request, Copies& copies,
                                       std::string& why_not) {
  std::vector<DeviceFinding> found;
  try {
    const auto report =
        ttir::launch(kernel.code, copies.space, request.grid, request.arguments, {.step_budget = kStepsOfLaunch});
    for (const ttir::Finding& finding : report.findings) {
      if (finding.rule->id != kStepBudget) found.push_back(finding_of(kernel, finding));
    }
  } catch (const ttir::UnsupportedError& error) {
    why_not = error.what();
  } catch (const base::InputError& error) {
    why_not = error.what();
  }
  return found;
}

}  // namespace tritonrl::verify
