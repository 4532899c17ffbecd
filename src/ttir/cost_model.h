#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "ttir/device_profile.h"
#include "ttir/launch.h"
#include "ttir/launch_work.h"

namespace tritonrl::ttir {

// Times are modelled, never measured. docs/speed-model.md says how, and how good that is.
struct ModelledTime {
  double us = 0;
  std::string_view bound;  // what most of it is spent on: "memory", "l2", "lines", "atomics", "programs", "latency",
                           // "arithmetic" or "launch"
};

// One launch: the slowest of what it asks of memory, of the caches, of the multiprocessors and of their patience.
ModelledTime modelled_launch(const LaunchWork& work, const KernelShape& shape, const DeviceProfile& profile);

// Programs of a kernel that one multiprocessor holds at a time, by warps, registers and shared memory.
int resident_programs(const KernelShape& shape, const DeviceProfile& profile);
// That the whole device holds at a time, at most: registers that nobody knows count as few.
std::uint64_t most_resident_programs(KernelShape shape, const DeviceProfile& profile);

// How products of a torch operator are computed.
enum class Product : std::uint8_t { k16Bit, kTf32, kFloat32, kFloat64 };

// One torch operator, from what dispatch shows of it. `name` is without "aten::" and overload.
double modelled_operator_us(std::string_view name, double bytes, double flops, Product product,
                            const DeviceProfile& profile);

// Operations by kind and type: "float f32", "dot bf16".
using ArithmeticCounts = std::map<std::string, std::uint64_t>;

// What one line of the user's source did in a launch.
struct LineCost {
  std::string file;
  std::uint32_t line = 0;
  TrafficCounters loads;
  TrafficCounters stores;
  TrafficCounters atomics;
  ArithmeticCounts operations;
  std::uint64_t loop_trips = 0;
};

struct LaunchCost {
  TrafficCounters loads;
  TrafficCounters stores;
  TrafficCounters atomics;
  ArithmeticCounts operations;
  std::uint64_t loop_trips = 0;
  LaunchWork work;
  double modelled_us = 0;
  std::string bound;
  std::vector<LineCost> lines;  // by file and line, only when asked for
};

LaunchCost cost_of(const Code& code, const LaunchCounters& counters, const KernelShape& shape,
                   const DeviceProfile& profile, bool by_line);

}  // namespace tritonrl::ttir
