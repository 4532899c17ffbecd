#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "ttir/device_profile.h"
#include "ttir/launch.h"

namespace tritonrl::ttir {

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
  double modelled_us = 0;       // modelled, never measured
  std::string bound;            // what the modelled time is spent on: "memory", "l2", "arithmetic", "launch"
  std::vector<LineCost> lines;  // by file and line, only when asked for
};

// A roofline: unique bytes at the bandwidth of memory, 32-byte sectors at that of the L2 cache, arithmetic at its
// peaks, the slowest of them, spread over as many multiprocessors as there are programs for, and what a launch costs.
LaunchCost cost_of(const Code& code, const LaunchCounters& counters, const DeviceProfile& profile, bool by_line);

}  // namespace tritonrl::ttir
