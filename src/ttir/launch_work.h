#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <utility>

#include "base/json.h"
#include "ttir/launch.h"

namespace tritonrl::ttir {

// How a kernel is compiled for the device. 0 registers: nobody asked the compiler, so they are estimated from the IR.
struct KernelShape {
  int warps = 4;
  int stages = 3;
  int registers = 0;
  int spills = 0;  // registers of each thread that live in memory
  std::int64_t shared_bytes = 0;
  std::uint64_t frame_bytes = 0;  // of tensors alive at once, in the IR
};

// `head` is what the compiler says of a kernel: {"options": {"num_warps": 4, ...}, "evidence": {"registers": 32, ...}},
// each key optional.
KernelShape kernel_shape(const Code& code, const base::Json& head);
base::Json shape_json(const KernelShape& shape);

// What one launch asks of the device. All are counts, so that they can be scaled over a task's sizes.
struct LaunchWork {
  double programs = 0;
  double load_bytes = 0;
  double load_sectors = 0;  // 32 bytes each, once an access
  double store_sectors = 0;
  double atomic_sectors = 0;
  double load_lines = 0;  // 128 bytes each
  double store_lines = 0;
  double unique_read = 0;  // bytes
  double unique_written = 0;
  // Times that programs wait for loads, twice where one gives the other's address:
  double rounds = 0;             // outside loops, and trips of loops that also store or combine lanes
  double overlapped_rounds = 0;  // trips of other loops: loads of several trips are on their way at once
  double pipelined_rounds = 0;   // trips of loops with a dot, whose loads the compiler sends ahead
  double loop_trips = 0;
  double combinations = 0;  // reductions and scans that programs make
  double integer = 0;       // operations on lanes, of which a step makes at least one a thread
  double float32 = 0;
  double float64 = 0;
  double float16 = 0;
  double special = 0;
  double conversion = 0;
  double dot_float64 = 0;
  double dot_float32 = 0;
  double dot_tf32 = 0;
  double dot_16_bit = 0;
  double dot_8_bit = 0;
  double dot_bytes = 0;  // of the factors

  static constexpr auto fields();
};

LaunchWork work_of(const Code& code, const LaunchCounters& counters, const KernelShape& shape);

base::Json work_json(const LaunchWork& work);
LaunchWork work_from_json(const base::Json& json);
KernelShape shape_from_json(const base::Json& json);

constexpr auto LaunchWork::fields() {
  using W = LaunchWork;
  return std::to_array<std::pair<std::string_view, double W::*>>({
      {"programs", &W::programs},
      {"load_bytes", &W::load_bytes},
      {"load_sectors", &W::load_sectors},
      {"store_sectors", &W::store_sectors},
      {"atomic_sectors", &W::atomic_sectors},
      {"load_lines", &W::load_lines},
      {"store_lines", &W::store_lines},
      {"unique_read", &W::unique_read},
      {"unique_written", &W::unique_written},
      {"rounds", &W::rounds},
      {"overlapped_rounds", &W::overlapped_rounds},
      {"pipelined_rounds", &W::pipelined_rounds},
      {"loop_trips", &W::loop_trips},
      {"combinations", &W::combinations},
      {"integer", &W::integer},
      {"float32", &W::float32},
      {"float64", &W::float64},
      {"float16", &W::float16},
      {"special", &W::special},
      {"conversion", &W::conversion},
      {"dot_float64", &W::dot_float64},
      {"dot_float32", &W::dot_float32},
      {"dot_tf32", &W::dot_tf32},
      {"dot_16_bit", &W::dot_16_bit},
      {"dot_8_bit", &W::dot_8_bit},
      {"dot_bytes", &W::dot_bytes},
  });
}

}  // namespace tritonrl::ttir
