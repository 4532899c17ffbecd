// How fast checked memory is on one core: bytes of guest memory a second, or time for a lane, an operation or a launch.
// g++ -std=c++20 -O2 -Isrc bench/ttir_memory.cpp build/lib/libtritonrl_{ttir,base}.a -lfmt
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <functional>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "ttir/memory/memory_view.h"

using namespace tritonrl::ttir;

namespace {

constexpr Address kBase = 0x7f0000000000;
constexpr std::size_t kBytes = std::size_t{64} << 20U;

struct Device {
  std::vector<std::byte> host{kBytes};
  AddressSpace space;
  std::vector<ArgumentExtent> extents{{"x", kBase, kBase + kBytes, true}};
  explicit Device(Contents contents) { space.add(kBase, kBytes, host.data(), "x", contents); }
};

double seconds(const std::function<void()>& work) {
  double best = 1e9;
  for (int i = 0; i < 5; ++i) {
    const auto start = std::chrono::steady_clock::now();
    work();
    best = std::min(best, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  }
  return best;
}

// Tiles of `rows` rows of `columns` elements of four bytes, side by side and one below the other, a tile a program.
void tiles(const char* name, std::size_t rows, std::size_t columns, bool store, bool synchronises, bool masked,
           std::size_t bytes = std::size_t{8} << 20U) {
  Device device(Contents::kUndefined);
  device.space.mark_defined(kBase, kBytes / 2);
  device.space.mark_defined(kBase + kBytes / 2, kBytes / 2);
  const std::size_t lanes = rows * columns;
  const std::size_t pitch = std::max<std::size_t>(columns, 2048);
  std::vector<Address> addresses(lanes);
  std::vector<std::uint8_t> mask(lanes, 1);
  std::vector<std::byte> values(lanes * 4);
  const AccessSite site{.argument = 0};
  const std::size_t programs = bytes / 4 / lanes;
  std::vector<double> times;
  for (int repeat = 0; repeat < 5; ++repeat) {
    MemoryView view(device.space, device.extents, 1, {.synchronises = synchronises});
    for (std::size_t program = 0; program < programs; ++program) {
      const std::size_t across = pitch / columns;
      const Address first = kBase + 4 * (program / across * rows * pitch + program % across * columns);
      for (std::size_t i = 0; i < lanes; ++i) addresses[i] = first + 4 * (i / columns * pitch + i % columns);
      const LaneAddresses at{addresses.data(), masked ? mask.data() : nullptr, lanes};
      const auto start = std::chrono::steady_clock::now();
      view.enter(program, {static_cast<std::uint32_t>(program), 0, 0});
      if (store) {
        view.store(site, at, values.data());
      } else {
        view.load(site, at, values.data());
      }
      times.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    }
    if (!view.findings().empty()) std::puts(view.findings()[0].message.c_str());
  }
  // The median of all programs: other work on the machine disturbs few of them.
  std::nth_element(times.begin(), times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2), times.end());
  const double median = times[times.size() / 2];
  std::printf("%-46s %6.2f GB/s  %5.2f ns a lane\n", name, static_cast<double>(lanes) * 4 / median / 1e9,
              median * 1e9 / static_cast<double>(lanes));
}

void gather(const char* name, std::size_t table_bytes, std::size_t stride) {
  Device device(Contents::kUndefined);
  device.space.mark_defined(kBase, kBytes - 1);
  std::vector<Address> addresses(65536);
  std::mt19937_64 random(1);
  for (std::size_t i = 0; i < addresses.size(); ++i) {
    addresses[i] = kBase + (stride != 0 ? i * stride : random() * 4) % table_bytes / 4 * 4;
  }
  std::vector<std::byte> values(addresses.size() * 4);
  MemoryView view(device.space, device.extents, 1, {});
  view.enter(0, {});
  const double took =
      seconds([&] { view.load({.argument = 0}, {addresses.data(), nullptr, addresses.size()}, values.data()); });
  std::printf("%-46s %26.2f ns a lane\n", name, took * 1e9 / static_cast<double>(addresses.size()));
}

void launches() {
  Device device(Contents::kDefined);
  std::vector<Address> addresses(1024);
  for (std::size_t i = 0; i < addresses.size(); ++i) addresses[i] = kBase + 4 * i;
  std::vector<std::byte> values(addresses.size() * 4);
  for (const bool synchronises : {false, true}) {
    const double took = seconds([&] {
      for (int i = 0; i < 1000; ++i) {
        MemoryView view(device.space, device.extents, 4, {.synchronises = synchronises});
        view.enter(0, {});
        view.load({.argument = 0}, {addresses.data(), nullptr, addresses.size()}, values.data());
        view.store({.argument = 0}, {addresses.data(), nullptr, addresses.size()}, values.data());
      }
    });
    std::printf("launch with one load, one store of 1024 f32%s %8.2f us\n", synchronises ? ", clocks" : "        ",
                took * 1e3);
  }
}

void last_arrival(std::uint32_t programs) {
  Device device(Contents::kDefined);
  const double took = seconds([&] {
    MemoryView view(device.space, device.extents, 4, {.synchronises = true});
    std::vector<Address> addresses(64);
    std::vector<std::byte> values(4096);
    const Address counter = kBase + kBytes - 4;
    for (std::uint32_t program = 0; program < programs; ++program) {
      view.enter(program, {program, 0, 0});
      for (std::size_t i = 0; i < 64; ++i) addresses[i] = kBase + Address{program} * 256 + 4 * i;
      view.store({.argument = 0}, {addresses.data(), nullptr, 64}, values.data());
      view.atomic_rmw({.element = Element::kI32}, {&counter, nullptr, 1}, RmwOperation::kAdd, Ordering::kAcquireRelease,
                      values.data(), nullptr);
    }
    for (std::uint32_t program = 0; program < programs; ++program) {
      for (std::size_t i = 0; i < 64; ++i) addresses[i] = kBase + Address{program} * 256 + 4 * i;
      view.load({.argument = 0}, {addresses.data(), nullptr, 64}, values.data());
    }
    if (!view.findings().empty()) std::puts(view.findings()[0].message.c_str());
  });
  std::printf("last arrival of %6u programs %20.2f ms\n", programs, took * 1e3);
}

void split_k() {
  Device device(Contents::kDefined);
  std::vector<Address> addresses(16384);
  for (std::size_t i = 0; i < addresses.size(); ++i) addresses[i] = kBase + 4 * (i / 128 * 4096 + i % 128);
  std::vector<std::byte> values(addresses.size() * 4);
  const double took = seconds([&] {
    MemoryView view(device.space, device.extents, 1, {.synchronises = true});
    for (std::uint32_t program = 0; program < 16; ++program) {
      view.enter(program, {program, 0, 0});
      view.atomic_rmw({.argument = 0}, {addresses.data(), nullptr, addresses.size()}, RmwOperation::kFAdd,
                      Ordering::kAcquireRelease, values.data(), nullptr);
    }
  });
  std::printf("%-46s %26.2f ns a lane\n", "atomic add, tile of 128x128, 16 programs", took * 1e9 / 16 / 16384);
}

}  // namespace

int main() {
  tiles("load, 4096 f32 in a row", 1, 4096, false, false, false);
  tiles("load, 4096 f32 in a row, mask of ones", 1, 4096, false, false, true);
  tiles("store, 4096 f32 in a row", 1, 4096, true, false, false);
  tiles("load, 65536 f32 in a row", 1, 65536, false, false, false);
  tiles("load, tile of 64x64", 64, 64, false, false, false);
  tiles("store, tile of 64x64", 64, 64, true, false, false);
  tiles("load, tile of 128x16", 128, 16, false, false, false);
  tiles("load, 4096 f32 in a row, 64 MiB", 1, 4096, false, false, false, kBytes);
  tiles("load, tile of 64x64, 64 MiB", 64, 64, false, false, false, kBytes);
  tiles("load, 4096 f32 in a row, clocks", 1, 4096, false, true, false);
  tiles("store, tile of 64x64, clocks", 64, 64, true, true, false);
  gather("gather, random in 64 KiB", std::size_t{64} << 10U, 0);
  gather("gather, random in 1 MiB", std::size_t{1} << 20U, 0);
  gather("gather, random in 16 MiB", std::size_t{16} << 20U, 0);
  gather("load, stride of 8 bytes", kBytes, 8);
  gather("load, stride of 4096 bytes", kBytes, 4096);
  launches();
  last_arrival(1000);
  last_arrival(10000);
  last_arrival(100000);
  split_k();
}
