#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ttir/memory/memory_view.h"

namespace tritonrl::ttir {

// A few tensors in an address space, and a view of it whose programs run as the test says.
class Memory {
 public:
  explicit Memory(bool synchronises = false, bool sanitize = true)
      : options_{.sanitize = sanitize, .synchronises = synchronises} {}

  // Bytes of `address` must be free; the host's bytes are somewhere else.
  void add(Address address, std::size_t bytes, std::string name, Contents contents = Contents::kDefined) {
    hosts_.push_back(std::make_unique<std::byte[]>(bytes));
    space.add(address, bytes, hosts_.back().get(), std::move(name), contents);
  }

  MemoryView& view() {
    if (!view_) view_ = std::make_unique<MemoryView>(space, extents, kSites, options_);
    return *view_;
  }
  // Another launch.
  void relaunch() { view_.reset(); }
  void program(std::uint64_t number) { view().enter(number, {static_cast<std::uint32_t>(number), 0, 0}); }

  template <typename T>
  std::vector<T> load(const AccessSite& site, const std::vector<Address>& addresses,
                      const std::vector<std::uint8_t>& mask = {}) {
    std::vector<T> out(addresses.size(), T{77});
    view().load(site, lanes(addresses, mask), reinterpret_cast<std::byte*>(out.data()));
    return out;
  }
  template <typename T>
  void store(const AccessSite& site, const std::vector<Address>& addresses, const std::vector<T>& values,
             const std::vector<std::uint8_t>& mask = {}) {
    view().store(site, lanes(addresses, mask), reinterpret_cast<const std::byte*>(values.data()));
  }
  template <typename T>
  T load_volatile(const AccessSite& site, Address address) {
    T out{};
    view().load_volatile(site, {&address, nullptr, 1}, reinterpret_cast<std::byte*>(&out));
    return out;
  }
  template <typename T>
  T rmw(const AccessSite& site, Address address, RmwOperation operation, T value, Ordering ordering) {
    T old{};
    view().atomic_rmw(site, {&address, nullptr, 1}, operation, ordering, reinterpret_cast<const std::byte*>(&value),
                      reinterpret_cast<std::byte*>(&old));
    return old;
  }
  template <typename T>
  T cas(const AccessSite& site, Address address, T compare, T value, Ordering ordering) {
    T old{};
    view().atomic_cas(site, {&address, nullptr, 1}, ordering, reinterpret_cast<const std::byte*>(&compare),
                      reinterpret_cast<const std::byte*>(&value), reinterpret_cast<std::byte*>(&old));
    return old;
  }

  // "rule@location" of each finding, in order.
  std::vector<std::string> found() {
    std::vector<std::string> result;
    for (const Finding& finding : view().findings()) {
      result.push_back(std::string(finding.rule->id) + "@" + std::to_string(finding.location));
    }
    return result;
  }

  static constexpr std::size_t kSites = 32;
  AddressSpace space;
  std::vector<ArgumentExtent> extents;

 private:
  static LaneAddresses lanes(const std::vector<Address>& addresses, const std::vector<std::uint8_t>& mask) {
    return {addresses.data(), mask.empty() ? nullptr : mask.data(), addresses.size()};
  }

  MemoryView::Options options_;
  std::vector<std::unique_ptr<std::byte[]>> hosts_;
  std::unique_ptr<MemoryView> view_;
};

// A site whose location has the same number.
inline AccessSite site(std::uint32_t number, Element element, std::int32_t argument = -1) {
  return {.location = number, .number = number, .element = element, .argument = argument};
}

inline std::vector<Address> strided(Address first, std::size_t count, std::uint64_t stride) {
  std::vector<Address> addresses(count);
  for (std::size_t i = 0; i < count; ++i) addresses[i] = first + i * stride;
  return addresses;
}

}  // namespace tritonrl::ttir
