#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/json.h"

namespace tritonrl::sandbox {

// What a guest may use up. Memory and threads count from what its process has when it is locked down.
struct Limits {
  double wall_s = 30.0;
  double cpu_s = 30.0;  // whole seconds to the kernel: rounded up
  std::uint64_t memory_bytes = std::uint64_t{4} << 30;
  std::uint64_t threads = 16;
  std::uint64_t file_bytes = std::uint64_t{64} << 20;   // of one file
  std::uint64_t disk_bytes = std::uint64_t{256} << 20;  // of /tmp, which is memory too
  std::uint64_t output_bytes = std::uint64_t{1} << 20;  // standard output and error together
  std::uint64_t open_files = 256;

  friend bool operator==(const Limits&, const Limits&) = default;
};

// Where the kernel lacks a facility: refuse to run, or run without it and say so in the outcome.
enum class Enforcement { kRequire, kBest };

// What a guest may do. It starts from nothing; every permission is a call that can be seen.
// Always there: a private empty /tmp (not executable), /dev/null, /dev/zero, /dev/urandom, and handed-over descriptors.
class Policy {
 public:
  static Policy deny_all() { return {}; }

  // Files may be read under `path`, a file or a folder, at the same place. A path that is not there is left out.
  Policy& allow_read(std::filesystem::path path);
  // The device nodes of one GPU, /proc, CUDA's libraries, and the driver's ioctl calls.
  Policy& allow_gpu(int index);
  // Shared libraries under the read paths may be loaded after the lock-down (imports of extension modules).
  Policy& allow_code_loading();
  Policy& limits(const Limits& limits);
  Policy& enforce(Enforcement enforcement);

  const std::vector<std::filesystem::path>& read_paths() const { return read_paths_; }
  const std::optional<int>& gpu() const { return gpu_; }
  bool code_loading() const { return code_loading_; }
  const Limits& limits() const { return limits_; }
  Enforcement enforcement() const { return enforcement_; }

  base::Json to_json() const;
  static Policy from_json(const base::Json& json, const base::Place& where);

  friend bool operator==(const Policy&, const Policy&) = default;

 private:
  std::vector<std::filesystem::path> read_paths_;
  std::optional<int> gpu_;
  bool code_loading_ = false;
  Limits limits_;
  Enforcement enforcement_ = Enforcement::kRequire;
};

// What a guest sees of Python: the interpreter's installation, the virtual environment around `python` if it has one,
// the system's libraries, and the harness package. For Policy::allow_read.
std::vector<std::filesystem::path> python_paths(const std::filesystem::path& python,
                                                const std::filesystem::path& harness);

}  // namespace tritonrl::sandbox
