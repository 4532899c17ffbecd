#pragma once

#include <cstdint>
#include <string>

namespace tritonrl::ttir {

// What a GPU is, as far as models of time ask. Data, not code: src/ttir/data/<name>.toml, or a file of the user's.
struct DeviceProfile {
  std::string name;
  int architecture = 0;  // 90 for compute capability 9.0
  int multiprocessors = 0;
  std::int64_t shared_memory_bytes = 0;
  std::int64_t registers_per_multiprocessor = 0;
  std::int64_t memory_bytes = 0;
  double dram_bytes_per_s = 0;
  double l2_bytes_per_s = 0;
  double launch_us = 0;

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
};

// `name` is that of an embedded profile ("h200") or a path to a TOML file. InputError when there is none.
DeviceProfile device_profile(const std::string& name);

}  // namespace tritonrl::ttir
