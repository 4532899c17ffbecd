#pragma once

#include <cstdint>
#include <string>

namespace tritonrl::ttir {

// What a GPU is, as far as models of time ask. Data, not code: src/ttir/data/<name>.toml, or a file of the user's.
// docs/speed-model.md says what each figure means and where it comes from.
struct DeviceProfile {
  std::string name;
  int architecture = 0;  // 90 for compute capability 9.0
  int multiprocessors = 0;
  std::int64_t shared_memory_bytes = 0;
  std::int64_t registers_per_multiprocessor = 0;
  std::int64_t memory_bytes = 0;
  double dram_bytes_per_s = 0;
  double l2_bytes_per_s = 0;
  double l2_bytes = 0;
  double launch_us = 0;  // of a kernel: what it takes when it does nothing
  double call_us = 0;    // of a measured call, whatever it launches

  struct Operations {  // per second
    double integer = 0;
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
  } operations_per_s;

  struct Schedule {  // what the order and shape of a kernel's work cost
    double programs_per_s = 0;
    double program_us = 0;        // a program's begin and end
    double memory_wait_us = 0;    // from a load to its value
    double overlapped_trips = 0;  // of a loop that only loads: as many are on their way, for one element a thread
    double unstaged_waits = 0;    // more, for a trip that moves tiles to a dot without stages
    double combination_us = 0;    // of lanes within a warp; as much again for each doubling of warps
    double load_lines_per_s = 0;  // 128 bytes each
    double store_lines_per_s = 0;
    double atomic_sectors_per_s = 0;
    double spill_bytes_per_s = 0;
    double dot_bytes_per_s = 0;  // factors of dots
    double blend = 0;            // how sharply the slowest part decides: the exponent of a norm
  } schedule;

  struct Torch {  // its own kernels
    double launch_us = 0;
    double product_us = 0;  // more, for a product
    double streaming = 0;   // share of dram_bytes_per_s: elementwise operators, copies in order
    double gathering = 0;   // reductions, norms, softmax, losses, indexing
    double spatial = 0;     // convolution, pooling, norms over channels
    double scanning = 0;    // scans, sorts, copies across
    double products = 0;    // share of operations_per_s.dot_*
    double convolutions = 0;
  } torch;
};

// `name` is that of an embedded profile ("h200") or a path to a TOML file. InputError when there is none.
DeviceProfile device_profile(const std::string& name);
DeviceProfile device_profile_from_text(const std::string& toml);

}  // namespace tritonrl::ttir
